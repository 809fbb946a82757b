import { z } from "zod";
import { Empty, Id } from "../schema/common";
import type { Area } from "../schema/operation";

export const NodeId = z.string().min(1).describe("Id of the node, such as 12345-6aa78910bc.");

export type LkeNode = z.output<typeof LkeNode>;
/** A node of a pool. */
export const LkeNode = z.strictObject({
  id: NodeId,
  instance_id: Id.describe("Instance that the node runs on."),
  status: z.enum(["ready", "not_ready"]).meta({ volatile: true }).describe("Status of the node."),
});

const one = "/lke/clusters/{clusterId}/nodes/{nodeId}";
const source = "part 2 · Endpoints · Kubernetes";
const params = { nodeId: NodeId };

export const lkeNodes = {
  view: {
    summary: "View a node.",
    method: "GET",
    path: one,
    params,
    scopes: ["lke:read_write"],
    result: LkeNode,
    source,
  },
  delete: {
    summary: "Delete a node. The node count of its pool decreases by one.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["lke:read_write"],
    result: Empty,
    decided: [
      "The last node of a pool cannot be deleted, because a pool has at least one node. A pool with an enabled autoscaler keeps its minimum number of nodes.",
    ],
    source,
  },
  recycle: {
    summary: "Replace a node. Data in its local storage is deleted.",
    method: "POST",
    path: `${one}/recycle`,
    params,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
} satisfies Area;
