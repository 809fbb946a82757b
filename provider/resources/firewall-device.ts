import { z } from "zod";
import { FirewallDevice, FirewallDeviceCreate, Id } from "../../api";
import { resource } from "../engine/resource";

export const firewallDevice = resource({
  kind: "FirewallDevice",
  summary: "The assignment of a firewall to an instance, for firewalls whose `devices` are left open.",
  source: "part 3 · Endpoints · Firewalls",
  area: "firewallDevices",
  inputs: z.strictObject({
    firewall_id: Id.describe("Firewall to assign."),
    entity_id: FirewallDeviceCreate.shape.id,
    type: FirewallDeviceCreate.shape.type.default("compute"),
  }),
  outputs: FirewallDevice.extend({ entity: FirewallDevice.shape.entity.meta({ volatile: true }) }),
  parent: { firewall_id: "firewallId" },
  changes: { firewall_id: "replace", entity_id: "replace", type: "replace" },
  steps: {},
  observe: { entity_id: ({ entity }) => entity.id, type: ({ entity }) => entity.type },
  key: ["firewall_id", "entity_id"],
  // An instance is in one active firewall only, so the old assignment has to go first.
  deleteFirst: true,
  async create({ api, want: { firewall_id: firewallId, entity_id: id, type } }) {
    const device = await api.firewallDevices.create({ path: { firewallId }, body: { id, type } });
    return { firewallId, deviceId: device.id };
  },
});
