import { z } from "zod";
import { Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type Region = z.output<typeof Region>;
/** A place where things can be created. */
export const Region = z.strictObject({
  id: RegionId,
  country: z.string().describe("Two-letter code of the country, in lower case."),
  capabilities: z.array(z.string()).describe("Services that the region has."),
  status: z.enum(["ok", "outage"]).meta({ volatile: true }).describe("Whether the region works."),
  resolvers: z
    .strictObject({
      ipv4: z.string().describe("IPv4 addresses, separated by commas."),
      ipv6: z.string().describe("IPv6 addresses, separated by commas."),
    })
    .describe("Name servers for the instances of the region."),
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
