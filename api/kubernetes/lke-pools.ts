import { z } from "zod";
import { Empty, Id, Paging, page, Tags, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { LkeNode } from "./lke-nodes";

const Count = z.int().min(1).max(100);
const max = Count.describe("Maximum number of nodes to which the autoscaler scales the pool.");
const min = Count.describe("Minimum number of nodes to which the autoscaler scales the pool.");

/** Maximum number of additional partitions of a node. */
export const maxPoolDisks = 7;

export type Autoscaler = z.output<typeof Autoscaler>;
export const Autoscaler = z.strictObject({
  enabled: z.boolean().describe("Whether the autoscaler is enabled."),
  max,
  min,
});

export type LkePool = z.output<typeof LkePool>;
/** A node pool: nodes of one type in a cluster. */
export const LkePool = z.strictObject({
  id: Id.meta({ filterable: true }),
  type: TypeId.describe("Instance type of the nodes."),
  count: Count.describe("Number of nodes. If the autoscaler is enabled, it changes this number."),
  autoscaler: Autoscaler.describe("Autoscaler settings of the pool."),
  disks: z
    .array(
      z.strictObject({
        size: z.int().min(1).describe("Size of the partition in MB, taken from the boot disk."),
        type: z.enum(["raw", "ext4"]).describe("Filesystem of the partition."),
      }),
    )
    .max(maxPoolDisks)
    .describe("Additional partitions of each node. Can be set only when the pool is created."),
  nodes: z
    .array(LkeNode)
    .meta({ volatile: true })
    .describe("Nodes of the pool. When the pool is recycled, new nodes replace them."),
  tags: Tags.meta({ filterable: true }),
});

export type LkePoolCreate = z.output<typeof LkePoolCreate>;
export const LkePoolCreate = z.strictObject({
  type: TypeId.describe("Instance type of the nodes."),
  count: Count.describe("Number of nodes. The initial number if the autoscaler is enabled."),
  autoscaler: z
    .strictObject({
      enabled: z.boolean().default(false).describe("Whether the autoscaler is enabled."),
      max: max.optional(),
      min: min.optional(),
    })
    .optional()
    .describe("Minimum and maximum number of nodes. Both default to `count`."),
  disks: LkePool.shape.disks.optional(),
  tags: Tags.optional(),
});

const source = "part 2 · Endpoints · Kubernetes";

export const poolCreateRules: Rule<Pick<LkePoolCreate, "autoscaler">>[] = [
  {
    reads: ["autoscaler"],
    *check({ autoscaler: { max, min } = { enabled: false } }) {
      if (min !== undefined && max === undefined)
        yield { field: "autoscaler.max", reason: `is required if min is set (${min})` };
      if (max !== undefined && min === undefined)
        yield { field: "autoscaler.min", reason: `is required if max is set (${max})` };
      if (max !== undefined && min !== undefined && min > max)
        yield { field: "autoscaler.min", reason: `must not exceed max (${max})` };
    },
    source: `${source} · rule 4`,
  },
];

const all = "/lke/clusters/{clusterId}/pools";
const one = `${all}/{poolId}` as const;

export const lkePools = {
  list: {
    summary: "List the pools of a cluster.",
    method: "GET",
    path: all,
    scopes: ["lke:read_only"],
    query: Paging,
    result: page(LkePool),
    source,
  },
  create: {
    summary: "Add a node pool to a cluster. Its nodes are billed from their creation.",
    method: "POST",
    path: all,
    scopes: ["lke:read_write"],
    body: LkePoolCreate,
    result: LkePool,
    source,
  },
  view: {
    summary: "View a node pool with its nodes.",
    method: "GET",
    path: one,
    scopes: ["lke:read_only"],
    result: LkePool,
    source,
  },
  update: {
    summary: "Update the number of nodes of a pool.",
    method: "PUT",
    path: one,
    scopes: ["lke:read_write"],
    body: LkePool.pick({ count: true }).partial(),
    result: LkePool,
    source,
  },
  delete: {
    summary: "Delete a pool and all its nodes.",
    method: "DELETE",
    path: one,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
  recycle: {
    summary: "Replace all nodes of a pool one by one.",
    method: "POST",
    path: `${one}/recycle`,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
} satisfies Area;
