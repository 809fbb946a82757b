import { z } from "zod";
import { Empty, Id, Paging, page, Tags, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { LkeNode } from "./lke-nodes";

const Count = z.int().min(1).max(100);
const max = Count.describe("Most nodes that the autoscaler makes.");
const min = Count.describe("Fewest nodes that the autoscaler leaves.");

/** Partitions of its own that a pool can ask for. */
export const maxPoolDisks = 7;

export type Autoscaler = z.output<typeof Autoscaler>;
/** Lets a pool grow and shrink by itself. */
export const Autoscaler = z.strictObject({
  enabled: z.boolean().describe("Whether the pool follows its load."),
  max,
  min,
});

export type LkePool = z.output<typeof LkePool>;
/** Nodes of one type in a cluster. */
export const LkePool = z.strictObject({
  id: Id.meta({ filterable: true }),
  type: TypeId.describe("Instance type of the nodes."),
  count: Count.describe("Number of nodes; the autoscaler moves it."),
  autoscaler: Autoscaler.describe("Bounds within which the pool follows its load."),
  disks: z
    .array(
      z.strictObject({
        size: z.int().min(1).describe("Size in MB, taken from the boot disk."),
        type: z.enum(["raw", "ext4"]).describe("What the partition is formatted with."),
      }),
    )
    .max(maxPoolDisks)
    .describe("Partitions of each node besides the boot disk; fixed for the life of the pool."),
  nodes: z.array(LkeNode).meta({ volatile: true }).describe("The nodes; recycling replaces them."),
  tags: Tags.meta({ filterable: true }),
});

export type LkePoolCreate = z.output<typeof LkePoolCreate>;
export const LkePoolCreate = z.strictObject({
  type: TypeId.describe("Instance type of the nodes."),
  count: Count.describe("Number of nodes; where the autoscaler starts from."),
  autoscaler: z
    .strictObject({
      enabled: z.boolean().default(false).describe("Whether the pool follows its load."),
      max: max.optional(),
      min: min.optional(),
    })
    .optional()
    .describe("Bounds for the number of nodes; both are `count` when none is given."),
  disks: LkePool.shape.disks.optional(),
  tags: Tags.optional(),
});

const source = "part 2 · Endpoints · Kubernetes";

export const poolCreateRules: Rule<Pick<LkePoolCreate, "autoscaler">>[] = [
  {
    reads: ["autoscaler"],
    *check({ autoscaler: { max, min } = { enabled: false } }) {
      if (min !== undefined && max === undefined)
        yield { field: "autoscaler.max", reason: `is required together with min (${min})` };
      if (max !== undefined && min === undefined)
        yield { field: "autoscaler.min", reason: `is required together with max (${max})` };
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
    summary: "Add a pool to a cluster; charges start.",
    method: "POST",
    path: all,
    scopes: ["lke:read_write"],
    body: LkePoolCreate,
    result: LkePool,
    source,
  },
  view: {
    summary: "View a pool with its nodes.",
    method: "GET",
    path: one,
    scopes: ["lke:read_only"],
    result: LkePool,
    source,
  },
  update: {
    summary: "Change a pool's number of nodes.",
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
    summary: "Replace all nodes of a pool, one after the other.",
    method: "POST",
    path: `${one}/recycle`,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
} satisfies Area;
