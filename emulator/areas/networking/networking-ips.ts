import { assignRules, canonicalAddress, reasons } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";
import { type AreaModule, listed } from "../../http/handlers";
import { addressEntity, allocate } from "../compute/instance-addresses";
import { addressRecord } from "./address-pool";
import { rename } from "./reverse-names";

/** A permission for an instance to use an address that is assigned to another instance. */
export interface AddressShareRow {
  id: number;
  address: string;
  compute_id: number;
}

export const networkingIps: AreaModule<"networkingIps", { addressShares: AddressShareRow }> = {
  tables: {
    addressShares: table<AddressShareRow>([], { refs: { address: "addresses", compute_id: "instances" } }),
  },
  rules: { assign: assignRules },
  handlers: {
    list: ({ world, caller }) =>
      listed(
        world.addresses.where((row) => row.public && caller.may("compute", row.compute_id, "read_only")),
        addressRecord,
      ),

    allocate({ world, caller, body: { compute_id, public: isPublic }, emit }) {
      const instance = visible(world, caller, compute_id);
      if (!instance) throw new ErrorResponse(400, reasons.computeNotActive, "compute_id");
      caller.need("compute", compute_id, "read_write");
      const row = allocate(world, instance, isPublic);
      emit(entity("compute", instance), { message: row.id });
      return addressRecord(row);
    },

    view({ world, caller, path }) {
      const row = world.addresses.get(canonicalAddress(path.address) as string);
      caller.need("compute", row.compute_id, "read_only");
      return addressRecord(row);
    },

    update({ world, caller, path, body, emit }) {
      const row = world.addresses.get(canonicalAddress(path.address) as string);
      caller.need("compute", row.compute_id, "read_write");
      const changed = rename(world, row, body.rdns);
      emit(addressEntity(changed));
      return addressRecord(changed);
    },

    assign({ world, caller, body: { region, assignments }, emit }) {
      const problems = new Reasons();
      const moves = new Map<string, number>();
      for (const [at, { address, compute_id }] of assignments.entries()) {
        const field = `assignments.${at}`;
        const row = addressIn(world, caller, region, address, problems, `${field}.address`);
        const instance = instanceIn(world, caller, region, compute_id, problems, `${field}.compute_id`);
        if (row && instance) moves.set(row.id, instance.id);
      }
      if (problems.list.length === 0) requireFit(world, moves, problems);
      problems.throwIfAny();
      for (const [address, compute] of moves) {
        const row = world.addresses.get(address);
        if (row.compute_id !== compute) emit(addressEntity(reassign(world, row, compute)));
      }
      return {};
    },

    share({ world, caller, body: { compute_id, ips } }) {
      const problems = new Reasons();
      const instance = visible(world, caller, compute_id);
      if (!instance) throw new ErrorResponse(400, `There is no instance ${compute_id}`, "compute_id");
      caller.need("compute", compute_id, "read_write");
      for (const [at, address] of ips.entries()) {
        const row = addressIn(world, caller, instance.region, address, problems, `ips.${at}`);
        problems.addUnless(
          row?.compute_id !== compute_id,
          `${address} already belongs to instance ${compute_id}; list only addresses of other instances`,
          `ips.${at}`,
        );
      }
      problems.throwIfAny();
      const wanted = new Set(ips);
      for (const { id, address } of world.addressShares.by("compute_id", compute_id))
        if (!wanted.delete(address)) world.addressShares.remove(id);
      for (const address of wanted) world.addressShares.insert({ address, compute_id });
      return {};
    },
  },
};

const visible = (world: World, caller: Caller, id: number): RowOf<"instances"> | undefined =>
  caller.may("compute", id, "read_only") ? world.instances.find(id) : undefined;

/** The address, if the caller may remove it from its instance. Throws otherwise. */
function addressIn(
  world: World,
  caller: Caller,
  region: string,
  address: string,
  problems: Reasons,
  field: string,
): RowOf<"addresses"> | undefined {
  const row = world.addresses.find(address);
  if (!row || !caller.may("compute", row.compute_id, "read_only")) {
    problems.add(`There is no address ${address} on the account's instances`, field);
    return undefined;
  }
  caller.need("compute", row.compute_id, "read_write");
  problems.addUnless(row.region === region, `Must be in ${region}; ${address} is in ${row.region}`, field);
  return row;
}

/** The instance, if the caller may assign an address to it. Throws otherwise. */
function instanceIn(
  world: World,
  caller: Caller,
  region: string,
  id: number,
  problems: Reasons,
  field: string,
): RowOf<"instances"> | undefined {
  const instance = visible(world, caller, id);
  if (!instance) {
    problems.add(`There is no instance ${id}`, field);
    return undefined;
  }
  caller.need("compute", id, "read_write");
  problems.addUnless(
    instance.region === region,
    `Must be in ${region}; instance ${id} is in ${instance.region}`,
    field,
  );
  return instance;
}

/** Rejects assignments after which an instance would have no public address, or more than one private address. */
function requireFit(world: World, moves: ReadonlyMap<string, number>, problems: Reasons): void {
  const held = new Map<number, Set<string>>();
  const of = (id: number): Set<string> => {
    const cached = held.get(id) ?? new Set(world.instances.get(id).ipv4);
    held.set(id, cached);
    return cached;
  };
  for (const [address, compute] of moves) {
    of(world.addresses.get(address).compute_id).delete(address);
    of(compute).add(address);
  }
  for (const [id, addresses] of held) {
    const outer = [...addresses].filter((address) => world.addresses.get(address).public).length;
    const inner = addresses.size - outer;
    problems.addUnless(outer > 0, `Instance ${id} would not have a public address`, "assignments");
    problems.addUnless(
      inner <= 1,
      `Instance ${id} would have ${inner} private addresses; one is allowed`,
      "assignments",
    );
  }
}

function reassign(world: World, { id: address, ...row }: RowOf<"addresses">, compute: number): RowOf<"addresses"> {
  const from = world.instances.get(row.compute_id);
  world.instances.patch(from.id, { ipv4: from.ipv4.filter((held) => held !== address) });
  world.instances.patch(compute, { ipv4: [...world.instances.get(compute).ipv4, address] });
  for (const share of world.addressShares.by("address", address))
    if (share.compute_id === compute) world.addressShares.remove(share.id);
  return world.addresses.patch(address, { compute_id: compute });
}
