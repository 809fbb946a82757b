import type { Firewall, FirewallDevice } from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";
import { type AreaModule, listed } from "../../http/handlers";

/** A stored assignment of a firewall to an instance. Responses also contain the instance's label and URL. */
export interface FirewallDeviceRow extends Omit<FirewallDevice, "entity"> {
  firewall_id: number;
  compute_id: number;
}

export const firewallDevices: AreaModule<"firewallDevices", { firewallDevices: FirewallDeviceRow }> = {
  tables: {
    firewallDevices: table<FirewallDeviceRow>([], { refs: { firewall_id: "firewalls", compute_id: "instances" } }),
  },
  handlers: {
    list({ world, path }) {
      const { id } = world.firewalls.get(path.firewallId);
      return listed(world.firewallDevices.by("firewall_id", id), (row) => deviceRecord(world, row));
    },

    create({ world, caller, path, body, emit }) {
      const firewall = world.firewalls.get(path.firewallId);
      const problems = new Reasons();
      const assigned = world.firewallDevices.by("firewall_id", firewall.id).some((row) => row.compute_id === body.id);
      if (assigned) problems.add(`The firewall is already assigned to instance ${body.id}`, "id");
      else rejectUnassignable(world, caller, { id: body.id, status: firewall.status }, problems, "id");
      problems.throwIfAny();
      const device = assign(world, firewall.id, body.id);
      emit(entity("firewall", firewall), { secondary_entity: entity("compute", world.instances.get(body.id)) });
      return deviceRecord(world, device);
    },

    view: ({ world, path }) => deviceRecord(world, deviceOf(world, path)),

    delete({ world, path, emit }) {
      const device = deviceOf(world, path);
      world.firewallDevices.remove(device.id);
      emit(entity("firewall", world.firewalls.get(device.firewall_id)), {
        secondary_entity: entity("compute", world.instances.get(device.compute_id)),
      });
      return {};
    },
  },
};

/**
 * Rejects an instance that the caller may not change, or that has another active firewall (API documentation, part 3 ·
 * Endpoints · Firewalls · rules 2 and 3).
 */
export function rejectUnassignable(
  world: World,
  caller: Caller,
  { id, status }: { id: number; status: Firewall["status"] },
  problems: Reasons,
  field: string,
): void {
  if (!world.instances.find(id) || !caller.may("compute", id, "read_only")) {
    problems.add(`There is no instance ${id}`, field);
    return;
  }
  caller.need("compute", id, "read_write");
  const active = status === "enabled" ? activeFirewall(world, id) : undefined;
  if (active) problems.add(`Instance ${id} already has the active firewall ${active.id}, and can have only one`, field);
}

export const assign = (world: World, firewall_id: number, compute_id: number): Readonly<FirewallDeviceRow> =>
  world.firewallDevices.insert({ firewall_id, compute_id });

/** Removes the firewall assignments of an instance that is being deleted. */
export function unassign(world: World, computeId: number): void {
  const instance = entity("compute", world.instances.get(computeId));
  for (const { id, firewall_id } of world.firewallDevices.by("compute_id", computeId)) {
    world.firewallDevices.remove(id);
    const firewall = entity("firewall", world.firewalls.get(firewall_id));
    world.events.add("firewall_device_remove", firewall, { secondary_entity: instance });
  }
}

export const firewallsOf = (world: World, computeId: number): RowOf<"firewalls">[] =>
  world.firewallDevices.by("compute_id", computeId).map(({ firewall_id }) => world.firewalls.get(firewall_id));

/** The active firewall of an instance, if it has one. Ignores the firewall with the id `besides`. */
export const activeFirewall = (world: World, computeId: number, besides?: number): RowOf<"firewalls"> | undefined =>
  firewallsOf(world, computeId).find(({ id, status }) => status === "enabled" && id !== besides);

function deviceOf(world: World, path: { firewallId: number; deviceId: number }): Readonly<FirewallDeviceRow> {
  const { id } = world.firewalls.get(path.firewallId);
  const device = world.firewallDevices.get(path.deviceId);
  if (device.firewall_id !== id) throw notFound();
  return device;
}

function deviceRecord(world: World, { compute_id, ...row }: Readonly<FirewallDeviceRow>): FirewallDevice {
  const { id, label, url } = entity("compute", world.instances.get(compute_id));
  return { ...row, entity: { id, type: "compute", label, url } };
}
