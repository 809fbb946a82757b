import { z } from "zod";
import { Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";
import { IPv6Pool } from "./addresses";

export type IPv6Range = z.output<typeof IPv6Range>;
/** A block of IPv6 addresses that is routed to one instance. */
export const IPv6Range = z.strictObject({
  range: z.string().describe("First address of the range."),
  prefix: z.int().min(0).max(128).describe("Prefix length of the range."),
  region: RegionId.meta({ filterable: true }).describe("Region of the range."),
  route_target: z.string().nullable().describe("IPv6 address of the instance that the range is routed to."),
});

const source = "part 3 · Endpoints · IP addresses and VLANs";

export const ipv6 = {
  pools: {
    summary: "List the IPv6 pools. A pool can be used by every instance in its region.",
    method: "GET",
    path: "/networking/ipv6/pools",
    scopes: ["ips:read_only"],
    query: Paging,
    result: page(IPv6Pool),
    decided: [
      "Support adds pools and ranges on request. The prefix length of a pool is 116. A pool does not have a route target, because every instance in the region can use it.",
    ],
    source,
  },
  ranges: {
    summary: "List the IPv6 ranges. Each is routed to one instance.",
    method: "GET",
    path: "/networking/ipv6/ranges",
    scopes: ["ips:read_only"],
    query: Paging,
    result: page(IPv6Range),
    decided: ["Restricted users see the ranges of the instances that they have access to."],
    source,
  },
} satisfies Area;
