import fc from "fast-check";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { instance } from "./needs";

export const effects: Effects<"ManagedComputeSettings"> = {
  computeId: "replace",
  ssh: ["managedComputeSettings.update"],
};

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"ManagedComputeSettings"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await instance(cloud, "web"), await instance(cloud, "sql")];
  // The emulator adds a row for the settings at their first update. The rows are added here, so that they do not count
  // as created by the resource under test.
  for (const { id } of [web, db]) await api.managedComputeSettings.update({ path: { computeId: id }, body: {} });
  return {
    base: { computeId: web.id, ssh: { user: "support", port: 2222 } },
    changes: {
      computeId: { to: db.id },
      ssh: [
        { to: { user: "support", port: 2200 } },
        { to: { access: false } },
        { to: { access: true, user: "root", ip: web.ipv4[0] as string, port: 22 } },
        { before: { ssh: { ip: web.ipv4[0] as string } }, to: { ip: "any" } },
      ],
    },
    table: null,
    creation: "managedComputeSettings.update",
    remove: null,
    adopted: ["ssh.access", "ssh.ip"],
    /** A new label of the instance must not be reported as drift of its settings. */
    changeUnmanaged: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};

const ssh = { user: "support", port: 2222, access: true, ip: "any" };

export const equivalentValues: EquivalentValues = ({ computeId }) => [
  {
    inputs: { ssh },
    equivalent: {
      computeId: number(computeId as number),
      ssh: fc
        .tuple(number(ssh.port), fc.subarray(["access", "ip"] as const))
        .map(([port, open]) => ({ user: ssh.user, port, ...Object.fromEntries(open.map((key) => [key, ssh[key]])) })),
    },
  },
];

export const exampleEdit: ExampleEdit<"ManagedComputeSettings"> = { ssh: { user: "support", port: 2222 } };

export const templates: Templates = {
  ManagedComputeSettings: {
    needs: { machine: "Instance" },
    usedOnce: { machine: "settings" },
    skip: ["computeId", "ssh"],
    more: [{ ssh: { user: "support", port: 2200 } }, { ssh: { access: false } }],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
