import type { Interface } from "../../../api";
import type { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/**
 * A private network of a region. It is created when the first instance boots with it, and deleted when the last
 * instance is detached from it.
 */
export interface VlanRow {
  /** Region and label: `region/label`. */
  id: string;
  region: string;
  label: string;
  created: string;
}

export interface VlanAttachmentRow {
  id: number;
  vlan_id: string;
  compute_id: number;
  /** The instance's IP address in the VLAN, such as `10.0.0.5/24`; empty if the instance does not have one. */
  ipam_address: string;
}

export const instanceVlans: Part<{ vlans: VlanRow; vlanAttachments: VlanAttachmentRow }> = {
  tables: {
    vlans: table<VlanRow>([], { refs: { region: "regions" } }),
    vlanAttachments: table<VlanAttachmentRow>([], { refs: { vlan_id: "vlans", compute_id: "instances" } }),
  },
};

/**
 * The VLANs that an instance is attached to now. The VLANs in its config may differ, because changes of a config take
 * effect at the next boot.
 */
const attachedVlans = (world: World, compute: number): readonly Readonly<VlanAttachmentRow>[] =>
  world.vlanAttachments.by("compute_id", compute);

/**
 * Attaches the instance to the VLANs in the interfaces of the booted config, and detaches the instance from all other
 * VLANs.
 */
export function joinVlans(world: World, compute: number, interfaces: readonly Interface[]): void {
  const { region } = world.instances.get(compute);
  const wanted = new Map<string, string>();
  for (const { purpose, label, ipam_address } of interfaces)
    if (purpose === "vlan" && label) wanted.set(label, ipam_address ?? "");
  const labels = new Map([...wanted.keys()].map((label) => [`${region}/${label}`, label]));
  leaveVlans(world, compute, new Set(labels.keys()));
  const before = new Map(attachedVlans(world, compute).map((row) => [row.vlan_id, row]));
  for (const [id, label] of labels) {
    const ipam_address = wanted.get(label) ?? "";
    const attachment = before.get(id);
    if (attachment) {
      if (attachment.ipam_address !== ipam_address) world.vlanAttachments.patch(attachment.id, { ipam_address });
      continue;
    }
    if (!world.vlans.find(id)) world.vlans.insert({ id, region, label });
    world.vlanAttachments.insert({ vlan_id: id, compute_id: compute, ipam_address });
    world.events.add("vlan_attach", entity("compute", world.instances.get(compute)), { message: label });
  }
}

export function leaveVlans(world: World, compute: number, remaining: ReadonlySet<string> = new Set()): void {
  for (const { id, vlan_id } of attachedVlans(world, compute)) {
    if (remaining.has(vlan_id)) continue;
    world.vlanAttachments.remove(id);
    const { label } = world.vlans.get(vlan_id);
    if (world.vlanAttachments.by("vlan_id", vlan_id).length === 0) world.vlans.remove(vlan_id);
    world.events.add("vlan_detach", entity("compute", world.instances.get(compute)), { message: label });
  }
}

/** Rejects moving or cloning an instance with VLANs to a region that does not support VLANs. */
export function rejectVlansOfOtherRegions(
  world: World,
  compute: number,
  configs: readonly { interfaces: readonly Interface[] }[],
  region: string,
  problems: Reasons,
): void {
  if (world.regions.get(region).capabilities.includes("Vlans")) return;
  const labels = new Set(attachedVlans(world, compute).map(({ vlan_id }) => world.vlans.get(vlan_id).label));
  for (const { interfaces } of configs)
    for (const { purpose, label } of interfaces) if (purpose === "vlan" && label) labels.add(label);
  const which = [...labels].join(", ");
  problems.addUnless(
    labels.size === 0,
    `Region ${region} does not offer VLANs; instance ${compute} uses ${which}`,
    "region",
  );
}
