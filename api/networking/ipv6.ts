import { z } from "zod";
import { Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";
import { IPv6Pool } from "./addresses";

export type IPv6Range = z.output<typeof IPv6Range>;
/** A block of IPv6 addresses that is routed to one instance. */
export const IPv6Range = z.strictObject({
  range: z.string().describe("First address of the range."),
  prefix: z.int().min(0).max(128).describe("Length of the range's prefix in bits."),
  region: RegionId.describe("Region that the range is routed in."),
  route_target: z.string().nullable().describe("IPv6 address of the instance that the range is routed to."),
});

const source = "part 3 · Endpoints · IP addresses and VLANs";

export const ipv6 = {
  pools: {
    summary: "List the IPv6 pools, each of which every instance of its region can use.",
    method: "GET",
    path: "/networking/ipv6/pools",
    scopes: ["ips:read_only"],
    query: Paging,
    result: page(IPv6Pool),
    decided: [
      "A pool comes by a support request, as a range does, and is a /116; it has no route target, since every instance of the region can use it.",
    ],
    source,
  },
  ranges: {
    summary: "List the IPv6 ranges, each of which is routed to one instance.",
    method: "GET",
    path: "/networking/ipv6/ranges",
    scopes: ["ips:read_only"],
    query: Paging,
    result: page(IPv6Range),
    decided: ["Restricted users see the ranges of the instances that they may see."],
    source,
  },
} satisfies Area;
