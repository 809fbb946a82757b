import { z } from "zod";
import { ObjectStorageClusterId, Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type ObjectStorageCluster = z.output<typeof ObjectStorageCluster>;
/** A place that holds buckets. */
export const ObjectStorageCluster = z.strictObject({
  id: ObjectStorageClusterId.describe("Id of the cluster, which buckets name."),
  domain: z.string().describe("Host name of the cluster; its buckets are names under it."),
  status: z.enum(["available", "unavailable"]).meta({ volatile: true }).describe("Whether the cluster works."),
  region: RegionId.describe("Region that the cluster is in."),
  static_site_domain: z.string().describe("Host name under which buckets are served as web sites."),
});

const source = "part 2 · Endpoints · Object storage";

export const objectStorageClusters = {
  list: {
    summary: "List the clusters that buckets can be made in.",
    method: "GET",
    path: "/object-storage/clusters",
    scopes: [],
    query: Paging,
    result: page(ObjectStorageCluster),
    source,
  },
  view: {
    summary: "View a cluster for buckets.",
    method: "GET",
    path: "/object-storage/clusters/{clusterId}",
    params: { clusterId: ObjectStorageClusterId },
    scopes: [],
    result: ObjectStorageCluster,
    source,
  },
} satisfies Area;
