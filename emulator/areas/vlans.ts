import type { Vlan, vlans } from "../../api";
import { entity } from "../events";
import type { Handlers } from "../handlers";
import { table } from "../store";
import type { World } from "../world";
import type { InstanceRow } from "./instances";

/** A private network while somebody is attached to it. */
export interface VlanRow extends Omit<Vlan, "computes"> {
  /** `region/label`. */
  id: string;
}

/** What an instance was booted with. */
export interface VlanAttachmentRow {
  id: number;
  vlan_id: string;
  compute_id: number;
}

export const tables = { vlans: table<VlanRow>(), vlanAttachments: table<VlanAttachmentRow>() };

export const handlers: Handlers<typeof vlans> = {
  list: ({ world, caller }) =>
    world.vlans
      .all()
      .map((vlan) => ({
        ...vlan,
        computes: world.vlanAttachments
          .by("vlan_id", vlan.id)
          .map(({ compute_id }) => compute_id)
          .filter((id) => caller.may("compute", id, "read_only")),
      }))
      .filter(({ computes }) => computes.length > 0),
};

/** An instance has booted: it is attached to the VLANs of the config that it runs, and to no others. */
export function enterVlans(world: World, computeId: number): void {
  const instance = world.instances.get(computeId);
  const { region } = instance;
  const interfaces = world.instanceConfigs.find(instance.booted_config)?.interfaces ?? [];
  const labels = interfaces.filter(({ purpose }) => purpose === "vlan").map(({ label }) => label ?? "");
  const wanted = new Map(labels.map((label) => [`${region}/${label}`, label]));
  for (const held of world.vlanAttachments.by("compute_id", computeId))
    if (!wanted.delete(held.vlan_id)) detach(world, instance, held);
  for (const [id, label] of wanted) {
    if (!world.vlans.find(id)) world.vlans.insert({ id, label, region });
    world.vlanAttachments.insert({ vlan_id: id, compute_id: computeId });
    world.events.add("vlan_attach", entity("compute", instance), { message: label });
  }
}

/** Takes an instance that is about to be removed out of its VLANs. */
export function leaveVlans(world: World, computeId: number): void {
  const instance = world.instances.get(computeId);
  for (const held of world.vlanAttachments.by("compute_id", computeId)) detach(world, instance, held);
}

function detach(world: World, instance: Readonly<InstanceRow>, { id, vlan_id }: Readonly<VlanAttachmentRow>): void {
  world.vlanAttachments.remove(id);
  world.events.add("vlan_detach", entity("compute", instance), { message: world.vlans.get(vlan_id).label });
  if (world.vlanAttachments.by("vlan_id", vlan_id).length === 0) world.vlans.remove(vlan_id);
}
