import { z } from "zod";
import { Firewall, FirewallCreate, firewallCreateRules } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

export const firewall = resource({
  name: "Firewall",
  summary:
    "Manages a firewall: rules for the traffic of the instances that it is assigned to. An instance can have one active firewall.",
  elsewhere: {
    terraform: "linode_firewall",
    pulumi: "Firewall",
    note: {
      terraform: "`linodes` is `devices.computes`, which an import omits. `inbound` and `outbound` are in `rules`.",
      pulumi: "`linodes` is `devices.computes`. `inbounds` and `outbounds` are in `rules`.",
    },
  },
  inputs: FirewallCreate.extend({
    status: z
      .enum(["enabled", "disabled"])
      .optional()
      .meta({ initial: "enabled" })
      .describe("Status of the firewall. Its rules apply only if it is `enabled`."),
    rules: FirewallCreate.shape.rules.describe(
      "Rules of the firewall, and policies: actions for traffic that no rule matches. If `inbound` or `outbound` is omitted, the rules of that direction are not managed.",
    ),
    devices: FirewallCreate.shape.devices.describe(
      "All instances that the firewall is assigned to. If omitted, this resource does not manage the assignments: use `FirewallDevice` resources.",
    ),
  }),
  outputs: Firewall.extend({ devices: FirewallCreate.shape.devices.meta({ volatile: true }) }),
  identity: {
    area: "firewalls",
    autoname: "label",
    async extend({ api, path, want }, record) {
      // Assigned instances are read only if the program declares them, because reading them costs a request.
      if (!want.devices) return record;
      if (!want.devices.computes) return { ...record, devices: {} };
      return { ...record, devices: { computes: (await devicesOf(api, path)).map(({ entity }) => entity.id) } };
    },
    lostCreate: { match: ["label"] },
  },
  inventory: {
    file: "networking",
    list: "operation",
    title: "label",
    refersTo: { computes: "instances" },
    attachedTo: ({ devices }) => devices?.computes?.map((id) => ({ area: "instances", id })) ?? [],
    declares: { devices: ["firewallDevices"] },
  },
  fields: {
    label: "edit",
    tags: "edit",
    status: {
      change: "enable",
      note: "`disabled` is applied before all other changes, and `enabled` after them",
    },
    rules: {
      change: "rules",
      by: ["firewalls.updateRules"],
      note: "each declared list of rules is replaced as a whole",
    },
    devices: {
      change: "devices",
      by: ["firewallDevices.delete", "firewallDevices.create"],
      note: "only the instances that are added or removed are affected",
    },
  },
  steps: {
    // An enabled firewall must never apply old rules to its devices, so it is disabled first and enabled last. Enabling
    // it fails while one of its devices has another active firewall.
    disable: {
      when: ({ status }, want) => status === "enabled" && want.status === "disabled",
      run: ({ api, path }) => api.firewalls.update({ path, body: { status: "disabled" } }),
    },
    edit: { run: ({ api, path, changed }) => api.firewalls.update({ path, body: changed }) },
    rules: { run: ({ api, path, want }) => api.firewalls.updateRules({ path, body: want.rules }) },
    devices: {
      async run({ api, path, want }) {
        if (!want.devices?.computes) return;
        const devices = await devicesOf(api, path);
        const missing = new Set(want.devices.computes);
        for (const { id: deviceId, entity } of devices) {
          if (!missing.delete(entity.id)) await api.firewallDevices.delete({ path: { ...path, deviceId } });
        }
        for (const id of missing) await api.firewallDevices.create({ path, body: { id, type: "compute" } });
      },
    },
    enable: { run: ({ api, path, changed }) => api.firewalls.update({ path, body: changed }) },
  },
  checks: { rules: firewallCreateRules },
  readiness: { byStatus: { enabled: "ready", disabled: "ready", deleted: "failed" } },
  async create({ api, want: { status, devices, ...body } }) {
    // The service creates enabled firewalls only. One that is to be disabled gets its devices when it is, because its rules
    // must not apply to them, and they may have another active firewall.
    const { id } = await api.firewalls.create({ body: status === "disabled" ? body : { ...body, devices } });
    return { firewallId: id };
  },
});

const devicesOf = (api: Host["api"], path: { firewallId: number }) =>
  Array.fromAsync(api.firewallDevices.list.all({ path }));
