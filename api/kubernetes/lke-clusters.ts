import { z } from "zod";
import { Created, Empty, Id, Paging, page, RegionId, Tags, Updated } from "../schema/common";
import { reasons } from "../schema/errors";
import type { Area } from "../schema/operation";
import { type Rule, withinEach } from "../schema/rule";
import { LkePoolCreate, poolCreateRules } from "./lke-pools";
import { LkeVersionId } from "./lke-versions";

export const ClusterLabel = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[^\u{10000}-\u{10ffff}]*$/u, "must not contain characters of four bytes in UTF-8, such as emoji")
  .describe("Label of the cluster. Must be unique in the account.");

export type ControlPlane = z.output<typeof ControlPlane>;
export const ControlPlane = z.strictObject({
  high_availability: z
    .boolean()
    .describe("Whether the control plane is highly available. Once enabled, this cannot be disabled."),
});

export type LkeCluster = z.output<typeof LkeCluster>;
/** A managed Kubernetes cluster. */
export const LkeCluster = z
  .strictObject({
    id: Id,
    label: ClusterLabel,
    region: RegionId.describe("Region of the cluster."),
    k8s_version: LkeVersionId,
    control_plane: ControlPlane.describe("Settings of the control plane: whether it is highly available."),
    tags: Tags.meta({ filterable: true }),
    created: Created,
    updated: Updated,
  })
  .meta({ ascii: true });

export type LkeClusterCreate = z.output<typeof LkeClusterCreate>;
export const LkeClusterCreate = z.strictObject({
  label: ClusterLabel,
  region: RegionId.describe("Region of the cluster."),
  k8s_version: LkeVersionId,
  control_plane: z
    .strictObject({ high_availability: ControlPlane.shape.high_availability.default(false) })
    .default({ high_availability: false })
    .describe("Settings of the control plane: whether it is highly available."),
  node_pools: z.array(LkePoolCreate).describe("Node pools to create with the cluster."),
  tags: Tags.optional(),
});

export const clusterCreateRules: Rule<Pick<LkeClusterCreate, "node_pools">>[] = withinEach(
  "node_pools",
  poolCreateRules,
);

export type Kubeconfig = z.output<typeof Kubeconfig>;
export const Kubeconfig = z.strictObject({
  kubeconfig: z.string().meta({ secret: true }).describe("Kubeconfig file, Base64-encoded."),
});

export type ApiEndpoint = z.output<typeof ApiEndpoint>;
export const ApiEndpoint = z.strictObject({ endpoint: z.string().describe("URL of the API server.") });

const one = "/lke/clusters/{clusterId}";
const source = "part 2 · Endpoints · Kubernetes";

export const lkeClusters = {
  list: {
    summary: "List the clusters of the account.",
    method: "GET",
    path: "/lke/clusters",
    scopes: ["lke:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(LkeCluster),
    source,
  },
  create: {
    summary:
      "Create a cluster with its pools. It becomes ready within a few minutes. Its nodes are billed from their creation.",
    method: "POST",
    path: "/lke/clusters",
    scopes: ["lke:read_write"],
    grant: "add_clusters",
    body: LkeClusterCreate,
    result: LkeCluster,
    decided: [
      "The API server is reachable after two minutes. The `lke_node_create` events of the first nodes do not finish before. A cluster without pools has no such event.",
    ],
    source: `${source} · rule 1`,
  },
  view: {
    summary: "View a cluster.",
    method: "GET",
    path: one,
    scopes: ["lke:read_only"],
    result: LkeCluster,
    source,
  },
  update: {
    summary: "Update a cluster's label, tags or version, or make its control plane highly available.",
    method: "PUT",
    path: one,
    scopes: ["lke:read_write"],
    body: LkeCluster.pick({ label: true, tags: true, k8s_version: true })
      .extend({
        control_plane: ControlPlane.partial().describe(
          "Settings of the control plane: whether it is highly available.",
        ),
      })
      .partial(),
    result: LkeCluster,
    source,
  },
  delete: {
    summary: "Delete a cluster with its pools, services and load balancers. Volumes are not deleted.",
    method: "DELETE",
    path: one,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
  recycle: {
    summary: "Replace all nodes of a cluster one by one.",
    method: "POST",
    path: `${one}/recycle`,
    scopes: ["lke:read_write"],
    result: Empty,
    source,
  },
  apiEndpoints: {
    summary: "List the API server endpoints of a cluster.",
    method: "GET",
    path: `${one}/api-endpoints`,
    scopes: ["lke:read_only"],
    query: Paging,
    result: page(ApiEndpoint),
    unready: reasons.endpointsNotReady,
    source,
  },
  viewKubeconfig: {
    summary: "View a cluster's kubeconfig.",
    method: "GET",
    path: `${one}/kubeconfig`,
    scopes: ["lke:read_write"],
    result: Kubeconfig,
    unready: reasons.kubeconfigNotReady,
    source,
  },
  deleteKubeconfig: {
    summary: "Delete the kubeconfig of a cluster. A new one is generated.",
    method: "DELETE",
    path: `${one}/kubeconfig`,
    scopes: ["lke:read_write"],
    result: Empty,
    unready: reasons.kubeconfigNotReady,
    source,
  },
} satisfies Area;
