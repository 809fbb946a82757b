import { z } from "zod";
import { FirewallDevice, FirewallDeviceCreate, Id } from "../../api";
import { resource } from "../engine/definition";
import { valueAt } from "../engine/values";

export const firewallDevice = resource({
  name: "FirewallDevice",
  summary:
    "Assigns a firewall to an instance. Use it for firewalls whose `devices` input is omitted. After its deletion, and between the two steps of a replacement, this firewall does not protect the instance.",
  elsewhere: { terraform: "linode_firewall_device", pulumi: "FirewallDevice" },
  inputs: z.strictObject({
    firewall_id: Id.describe("Firewall to assign."),
    entity_id: FirewallDeviceCreate.shape.id,
    type: FirewallDeviceCreate.shape.type.default("compute"),
  }),
  outputs: FirewallDevice.extend({ entity: FirewallDevice.shape.entity.meta({ volatile: true }) }),
  identity: {
    area: "firewallDevices",
    parents: { firewall_id: "firewallId" },
    lostCreate: { match: ["firewall_id", "entity_id"] },
  },
  inventory: {
    file: "networking",
    list: "operation",
    title: ({ entity }) => entity?.label,
    refersTo: { entity_id: "instances" },
    attachedTo: ({ entity }) => (entity ? [{ area: "instances", id: entity.id }] : []),
  },
  fields: {
    firewall_id: "replace",
    entity_id: { change: "replace", current: ({ entity }) => entity?.id },
    type: { change: "replace", current: ({ entity }) => entity?.type },
  },
  async create({ api, want: { firewall_id: firewallId, entity_id: id, type } }) {
    const device = await api.firewallDevices.create({ path: { firewallId }, body: { id, type } });
    return { firewallId, deviceId: device.id };
  },
  // The old assignment is deleted first, because an instance can have only one active firewall.
  delete: {
    effect: "the instance is without this firewall until the new assignment exists",
    declaredBy:
      ({ path: { firewallId }, state: { entity_id } }) =>
      ({ kind, path, want }) =>
        kind === "Firewall" &&
        path.firewallId === firewallId &&
        [valueAt(want, ["devices", "computes"])].flat().includes(entity_id),
    replaceOrder: "deleteFirst",
  },
});
