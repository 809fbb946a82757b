import { z } from "zod";
import { Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type Region = z.output<typeof Region>;
/** A region in which objects can be created. */
export const Region = z.strictObject({
  id: RegionId,
  country: z.string().describe("Country code: two lower-case letters."),
  capabilities: z.array(z.string()).meta({ names: "capability" }).describe("Services available in the region."),
  status: z.enum(["ok", "outage"]).meta({ volatile: true }).describe("Status of the region."),
  resolvers: z
    .strictObject({
      ipv4: z.string().describe("IPv4 addresses of the DNS resolvers, separated by commas."),
      ipv6: z.string().describe("IPv6 addresses of the DNS resolvers, separated by commas."),
    })
    .describe("DNS resolvers for the instances in the region."),
});

const source = "part 1 · Endpoints · Kernels and regions";

export const regions = {
  list: {
    summary: "List the regions.",
    method: "GET",
    path: "/regions",
    scopes: [],
    query: Paging,
    result: page(Region),
    source,
  },
  view: {
    summary: "View a region.",
    method: "GET",
    path: "/regions/{regionId}",
    params: { regionId: RegionId },
    scopes: [],
    result: Region,
    source,
  },
} satisfies Area;
