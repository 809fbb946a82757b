import { z } from "zod";
import { Firewall, FirewallCreate, firewallCreateRules } from "../../api";
import type { Host } from "../engine";
import { resource } from "../engine/resource";

export const firewall = resource({
  kind: "Firewall",
  summary: "Rules for the traffic of the instances that it is assigned to; an instance has one active firewall.",
  source: "part 3 · Endpoints · Firewalls",
  area: "firewalls",
  inputs: FirewallCreate.extend({
    status: z.enum(["enabled", "disabled"]).optional().describe("Whether the rules are in effect."),
    devices: FirewallCreate.shape.devices.describe(
      "What the firewall is assigned to, all of it; absent leaves that to `FirewallDevice` or to others.",
    ),
  }),
  outputs: Firewall.extend({ devices: FirewallCreate.shape.devices.meta({ volatile: true }) }),
  changes: { label: "edit", tags: "edit", status: "edit", rules: "rules", devices: "devices" },
  exceptions: {
    rules: "`firewalls.updateRules` replaces them as a whole",
    devices: "`firewallDevices.create` and `firewallDevices.delete` for each instance that comes or goes",
  },
  steps: {
    edit: { run: ({ api, path, changed }) => api.firewalls.update({ path, body: changed }) },
    rules: { run: ({ api, path, want }) => api.firewalls.updateRules({ path, body: want.rules }) },
    devices: {
      async run({ api, path, want }) {
        const there = await devicesOf(api, path);
        const wanted = new Set(want.devices?.computes);
        for (const { id: deviceId, entity } of there) {
          if (!wanted.delete(entity.id)) await api.firewallDevices.delete({ path: { ...path, deviceId } });
        }
        for (const id of wanted) await api.firewallDevices.create({ path, body: { id, type: "compute" } });
      },
    },
  },
  rules: firewallCreateRules,
  autoname: "label",
  key: ["label"],
  states: { enabled: "ready", disabled: "ready", deleted: "failed" },
  async create({ api, want: { status: _, ...body } }) {
    const { id } = await api.firewalls.create({ body });
    return { firewallId: id };
  },
  /** Nobody pays for a look at the devices of a firewall that does not own them. */
  async read({ api, path, want }, record) {
    if (!want.devices?.computes) return record;
    return { ...record, devices: { computes: (await devicesOf(api, path)).map(({ entity }) => entity.id) } };
  },
});

const devicesOf = (api: Host["api"], path: { firewallId: number }) =>
  Array.fromAsync(api.firewallDevices.list.all({ path }));
