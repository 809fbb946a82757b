import {
  canonicalNetwork,
  canonicalPorts,
  Firewall,
  type FirewallRule,
  firewallCreateRules,
  firewallRulesetRules,
} from "../../../api";
import { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { allowedTags, requireFreeLabel } from "../../http/account-checks";
import type { AreaModule } from "../../http/handlers";
import { activeFirewall, assign, rejectUnassignable } from "./firewall-devices";

export interface FirewallRow extends Firewall {}

export const firewalls: AreaModule<"firewalls", { firewalls: FirewallRow }> = {
  tables: { firewalls: table<FirewallRow>([], { shape: Firewall }) },
  rules: { create: firewallCreateRules },
  handlers: {
    list: ({ world }) => world.firewalls,

    create({ world, caller, body, emit }) {
      const { label, tags = [], rules, devices = {} } = body;
      const problems = new Reasons();
      allowedTags(caller, tags, []);
      requireFreeLabel(world.firewalls, problems, label);
      for (const [index, id] of (devices.computes ?? []).entries())
        rejectUnassignable(world, caller, { id, status: "enabled" }, problems, `devices.computes.${index}`);
      problems.throwIfAny();
      const { inbound = [], outbound = [], ...policies } = rules;
      const stored = { inbound: inbound.map(storedRule), outbound: outbound.map(storedRule), ...policies };
      const firewall = world.firewalls.insert({ label, tags, status: "enabled", rules: stored });
      for (const id of new Set(devices.computes)) assign(world, firewall.id, id);
      emit(entity("firewall", firewall));
      return firewall;
    },

    view: ({ world, path }) => world.firewalls.get(path.firewallId),

    update({ world, caller, path, body, emit }) {
      const before = world.firewalls.get(path.firewallId);
      const problems = new Reasons();
      const tags = allowedTags(caller, body.tags, before.tags);
      if (body.label !== undefined) requireFreeLabel(world.firewalls, problems, body.label, before.id);
      if (body.status === "enabled") rejectSecond(world, before.id, problems);
      problems.throwIfAny();
      const firewall = world.firewalls.patch(before.id, { ...body, tags });
      const about = entity("firewall", firewall);
      const switched = firewall.status !== before.status;
      if (!switched || body.label !== undefined || body.tags !== undefined) emit(about);
      if (switched) world.events.add(firewall.status === "enabled" ? "firewall_enable" : "firewall_disable", about);
      return firewall;
    },

    delete({ world, path, emit }) {
      const firewall = world.firewalls.remove(path.firewallId);
      for (const { id } of world.firewallDevices.by("firewall_id", firewall.id)) world.firewallDevices.remove(id);
      emit(entity("firewall", firewall));
      return {};
    },

    viewRules: ({ world, path }) => world.firewalls.get(path.firewallId).rules,

    updateRules({ world, path, body, emit }) {
      const { id, rules: before } = world.firewalls.get(path.firewallId);
      const { inbound_policy = before.inbound_policy, outbound_policy = before.outbound_policy } = body;
      const inbound = body.inbound === undefined ? before.inbound : (body.inbound ?? []);
      const outbound = body.outbound === undefined ? before.outbound : (body.outbound ?? []);
      const problems = new Reasons();
      problems.addBreaches(firewallRulesetRules, { inbound, outbound });
      problems.throwIfAny();
      const rules = {
        inbound: inbound.map(storedRule),
        inbound_policy,
        outbound: outbound.map(storedRule),
        outbound_policy,
      };
      const firewall = world.firewalls.patch(id, { rules });
      emit(entity("firewall", firewall));
      return firewall.rules;
    },
  },
};

/** Converts a rule to canonical form: networks without host bits, ports in ascending order. */
function storedRule(rule: FirewallRule): FirewallRule {
  const { ipv4, ipv6 } = rule.addresses;
  return {
    ...rule,
    addresses: { ...(ipv4 && { ipv4: ipv4.map(network) }), ...(ipv6 && { ipv6: ipv6.map(network) }) },
    ...(rule.ports !== undefined && { ports: canonicalPorts(rule.ports) }),
  };
}

const network = (text: string): string => canonicalNetwork(text) ?? text;

/** Rejects a second active firewall for an instance (API documentation, part 3 · Endpoints · Firewalls · rule 2). */
function rejectSecond(world: World, id: number, problems: Reasons): void {
  for (const { compute_id } of world.firewallDevices.by("firewall_id", id)) {
    const active = activeFirewall(world, compute_id, id);
    if (active)
      problems.add(
        `Instance ${compute_id} already has the active firewall ${active.id}, and can have only one`,
        "status",
      );
  }
}
