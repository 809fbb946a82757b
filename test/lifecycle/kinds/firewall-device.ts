import fc from "fast-check";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { instance } from "./needs";

export const effects: Effects<"FirewallDevice"> = { firewallId: "replace", entityId: "replace", type: "replace" };

export const found: Found = { by: "operation", within: "Firewall" };

export const fixture: CreateFixture<"FirewallDevice"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [(await instance(cloud, "web")).id, (await instance(cloud, "sql")).id];
  const firewall = (label: string) =>
    api.firewalls.create({ body: { label, rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } } });
  const [one, other] = [await firewall("one"), await firewall("other")];
  return {
    base: { firewallId: one.id, entityId: web },
    changes: {
      firewallId: { to: other.id, read: (id) => world.firewallDevices.get(id).firewall_id },
      entityId: { to: db, read: (id) => world.firewallDevices.get(id).compute_id },
      type: "instances are the only type there is",
    },
    mustReturn: ["entity"],
    /** A new label of the instance must not be reported as drift of the firewall's assignment. */
    changeUnmanaged: () =>
      api.instances.update({ path: { computeId: web }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};

export const equivalentValues: EquivalentValues = ({ firewallId, entityId }) => [
  {
    inputs: {},
    equivalent: {
      firewallId: number(firewallId as number),
      entityId: number(entityId as number),
      type: fc.constantFrom("compute", undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"FirewallDevice"> = "each change replaces it";

export const templates: Templates = {
  FirewallDevice: {
    needs: { firewall: "Firewall", machine: "Instance" },
    usedOnce: { machine: "firewall" },
    skip: ["firewallId", "entityId"],
    inputs: (roles) => ({ firewallId: id(roles, "firewall"), entityId: id(roles, "machine") }),
  },
};
