import { address, host } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { first, isPublic, type Templates } from "../template";
import { addressed } from "./needs";

export const effects: Effects<"ReverseDns"> = { address: "replace", rdns: ["networkingIps.update"] };

export const found: Found = { by: "search" };

export const fixture: CreateFixture<"ReverseDns"> = async (cloud) => {
  const { api, world } = cloud;
  const web = await addressed(cloud, "web");
  const [first = ""] = web.addresses;
  const { ipv6 } = await api.instanceAddresses.list({ path: { computeId: web.id } });
  return {
    base: { address: String(ipv6.slaac?.address), rdns: "mail.example.org" },
    changes: { address: { to: first }, rdns: { to: "www.example.org" } },
    table: null,
    creation: "networkingIps.update",
    remove: null,
    changeUnmanaged: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};

export const equivalentValues: EquivalentValues = ({ address: text }) => [
  { inputs: {}, equivalent: { address: address(text as string), rdns: host("mail.example.org") } },
];

export const exampleEdit: ExampleEdit<"ReverseDns"> = "another name would need a record of its own";

export const templates: Templates = {
  ReverseDns: {
    needs: { machine: "Instance" },
    usedOnce: { machine: "name" },
    skip: ["address"],
    inputs: ({ machine }) => ({ address: first(machine, "ipv4", isPublic) }),
  },
};
