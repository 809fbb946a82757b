import { canonicalAddress, type IPv6Pool, type IPv6Range } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { count, prefixOf } from "./address-pool";

export interface IPv6PoolRow extends IPv6Pool {
  id: number;
}
export interface IPv6RangeRow extends IPv6Range {
  id: number;
  compute_id: number;
}

export const ipv6: AreaModule<"ipv6", { ipv6Pools: IPv6PoolRow; ipv6Ranges: IPv6RangeRow }> = {
  tables: {
    ipv6Pools: table<IPv6PoolRow>(),
    ipv6Ranges: table<IPv6RangeRow>([], { refs: { compute_id: "instances" } }),
  },
  handlers: {
    pools: ({ world }) => world.ipv6Pools.all(),

    ranges: ({ world, caller }) =>
      caller.restricted
        ? world.ipv6Ranges.where(({ compute_id }) => caller.may("compute", compute_id, "read_only"))
        : world.ipv6Ranges.all(),
  },
};

/**
 * Index of the first /64 network of a region that can be routed to an instance. The networks before it are reserved for
 * the addresses of instances and load balancers, and for pools.
 */
const FIRST_RANGE = 0x100;
const RANGES = 0x10000 - FIRST_RANGE;
/** Number of addresses in a pool, which is a /116 network. All pools of a region are in one /64 network. */
const POOL = 0x1000;
const POOLS = 0x100000;

/** Routes a /64 network to an instance, as support does on request. */
export function addRange(world: World, { id, region, ipv6: own }: RowOf<"instances">): Readonly<IPv6RangeRow> {
  const at = count(world, `range ${region}`);
  if (at >= RANGES) throw new ErrorResponse(400, `Region ${region} does not have a free IPv6 range`);
  return world.ipv6Ranges.insert({
    compute_id: id,
    range: canonicalAddress(`${prefixOf(world, region)}:${(FIRST_RANGE + at).toString(16)}::`) as string,
    prefix: 64,
    region,
    route_target: own?.replace("/128", "") ?? null,
  });
}

/** Routes a pool of addresses to all instances of a region, as support does on request. */
export function addPool(world: World, region: string): Readonly<IPv6PoolRow> {
  const at = count(world, `pool ${region}`);
  if (at >= POOLS) throw new ErrorResponse(400, `Region ${region} does not have a free IPv6 pool`);
  const first = at * POOL;
  const host = `${(first >> 16).toString(16)}:${(first & 0xffff).toString(16)}`;
  const range = canonicalAddress(`${prefixOf(world, region)}:2::${host}`) as string;
  return world.ipv6Pools.insert({ range, prefix: 116, region, route_target: null });
}
