import { canonicalAddress, type EventEntity } from "../../../api";
import { ErrorResponse, notFound } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { addIPv4, addressRecord, dropAddress, linkLocal } from "../networking/address-pool";
import { rename } from "../networking/reverse-names";

export const instanceAddresses: AreaModule<"instanceAddresses"> = {
  handlers: {
    list({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const ipv4 = instance.ipv4.flatMap((id) => world.addresses.find(id) ?? []);
      const shares = world.addressShares.by("compute_id", instance.id);
      const slaac = world.addresses.by("compute_id", instance.id).find(({ type }) => type === "ipv6");
      const pools = world.ipv6Pools.by("region", instance.region);
      const ranges = world.ipv6Ranges.by("compute_id", instance.id);
      return {
        ipv4: {
          public: ipv4.filter((row) => row.public).map(addressRecord),
          private: ipv4.filter((row) => !row.public).map(addressRecord),
          shared: shares.map(({ address }) => addressRecord(world.addresses.get(address))),
          reserved: [],
        },
        ipv6: {
          link_local: linkLocal(instance),
          slaac: slaac ? addressRecord(slaac) : null,
          global: [...pools, ...ranges].map(({ range, prefix, region, route_target }) => ({
            range,
            prefix,
            region,
            route_target,
          })),
        },
      };
    },

    allocate({ world, path, body, emit }) {
      const instance = world.instances.get(path.computeId);
      const row = allocate(world, instance, body.public);
      emit(entity("compute", instance), { message: row.id });
      return addressRecord(row);
    },

    view({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const local = linkLocal(instance);
      return canonicalAddress(path.address) === local.address ? local : addressRecord(find(world, path).row);
    },

    update({ world, path, body, emit }) {
      const changed = rename(world, find(world, path).row, body.rdns);
      emit(addressEntity(changed));
      return addressRecord(changed);
    },

    delete({ world, path, emit }) {
      const { instance, row } = find(world, path);
      if (row.type === "ipv6")
        throw new ErrorResponse(
          400,
          `${row.id} is an IPv6 address, which cannot be removed from its instance; only IPv4 addresses can`,
        );
      if (!row.public)
        throw new ErrorResponse(400, `${row.id} is a private address, which cannot be removed from its instance`);
      const others = instance.ipv4.filter((id) => id !== row.id);
      if (!others.some((id) => world.addresses.get(id).public))
        throw new ErrorResponse(
          400,
          `${row.id} is the last public address of the instance, which must keep at least one`,
        );
      dropAddress(world, row.id);
      world.instances.patch(instance.id, { ipv4: others });
      emit(entity("compute", instance), { message: row.id });
      return {};
    },
  },
};

/**
 * Allocates an additional address. Rejects a second private address, and rejects additional public addresses unless
 * support has allowed them (API documentation, part 1 · Resources · Compute instance).
 */
export function allocate(world: World, instance: RowOf<"instances">, isPublic: boolean): RowOf<"addresses"> {
  rejectFurther(world, instance, isPublic);
  const row = addIPv4(world, instance.id, instance.region, isPublic);
  world.instances.patch(instance.id, { ipv4: [...instance.ipv4, row.id] });
  return row;
}

function rejectFurther(world: World, instance: RowOf<"instances">, isPublic: boolean): void {
  if (isPublic) {
    if (instance.extra_addresses) return;
    throw new ErrorResponse(
      400,
      `Instance ${instance.id} cannot have more public addresses without a support request`,
      "public",
    );
  }
  const held = instance.ipv4.find((id) => !world.addresses.get(id).public);
  if (held)
    throw new ErrorResponse(
      400,
      `Instance ${instance.id} already has the private address ${held}, and can have only one`,
      "public",
    );
}

/**
 * The reference to an IP address in events. Events require a numeric id, so `id` is the id of the address's instance.
 */
export const addressEntity = ({ id, compute_id }: RowOf<"addresses">): EventEntity<"ipaddress"> => ({
  id: compute_id,
  label: id,
  type: "ipaddress",
  url: `/v4/networking/ips/${id}`,
});

function find(world: World, { computeId, address }: { computeId: number; address: string }) {
  const instance = world.instances.get(computeId);
  const row = world.addresses.get(canonicalAddress(address) as string);
  if (row.compute_id !== instance.id) throw notFound();
  return { instance, row };
}
