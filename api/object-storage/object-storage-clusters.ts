import { z } from "zod";
import { ObjectStorageClusterId, Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type ObjectStorageCluster = z.output<typeof ObjectStorageCluster>;
export const ObjectStorageCluster = z.strictObject({
  id: ObjectStorageClusterId.describe("Id of the cluster."),
  domain: z.string().describe("Host name of the cluster. Its buckets are subdomains."),
  status: z.enum(["available", "unavailable"]).meta({ volatile: true }).describe("Status of the cluster."),
  region: RegionId.describe("Region of the cluster."),
  static_site_domain: z.string().describe("Host name for buckets served as static websites."),
});

const source = "part 2 · Endpoints · Object storage";

export const objectStorageClusters = {
  list: {
    summary: "List the object storage clusters.",
    method: "GET",
    path: "/object-storage/clusters",
    scopes: [],
    query: Paging,
    result: page(ObjectStorageCluster),
    source,
  },
  view: {
    summary: "View an object storage cluster.",
    method: "GET",
    path: "/object-storage/clusters/{clusterId}",
    params: { clusterId: ObjectStorageClusterId },
    scopes: [],
    result: ObjectStorageCluster,
    source,
  },
} satisfies Area;
