import fc from "fast-check";
import { nothing, number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";

const site = { label: "site", serviceType: "url", address: "https://www.example.org/", timeout: 10 } as const;
const inside = { serviceType: "tcp", address: "tcp://10.1.2.3:5432", region: "us-east" } as const;

export const effects: Effects<"ManagedService"> = {
  label: ["managedServices.update"],
  serviceType: ["managedServices.update"],
  address: ["managedServices.update"],
  timeout: ["managedServices.update"],
  body: ["managedServices.update"],
  consultationGroup: ["managedServices.update"],
  credentials: ["managedServices.update"],
  notes: ["managedServices.update"],
  region: ["managedServices.update"],
  enabled: ["managedServices.disable", "managedServices.enable"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"ManagedService"> = async ({ api, world }) => {
  const login = async (label: string) => (await api.managedCredentials.create({ body: { label, password: "x" } })).id;
  const [root, admin] = [await login("root"), await login("admin")];
  const enabled = (id: number) => world.managedServices.get(id).status !== "disabled";
  return {
    base: site,
    changes: {
      label: { to: "shop" },
      serviceType: { to: "tcp", along: { address: "db.example.org:5432" } },
      address: [
        { to: "https://shop.example.org/health" },
        { to: inside.address, along: { serviceType: "tcp", region: inside.region } },
        { before: inside, to: site.address, along: { serviceType: "url", region: null } },
      ],
      timeout: { to: 30 },
      body: [{ to: "Welcome" }, { before: { body: "Welcome" }, to: null }],
      consultationGroup: [{ to: "on-call" }, { before: { consultationGroup: "on-call" }, to: "" }],
      credentials: [{ to: [root, admin] }, { before: { credentials: [root] }, to: [] }],
      notes: [{ to: "Restart it" }, { before: { notes: "Restart it" }, to: null }],
      region: { before: inside, to: "eu-west" },
      enabled: [
        { to: false, calls: ["managedServices.disable"], read: enabled },
        { before: { enabled: false }, to: true, calls: ["managedServices.enable"], read: enabled },
      ],
    },
    /** Simulates that monitoring changes the service's status, which must not be reported as drift. */
    changeUnmanaged: (id) =>
      world.managedServices.patch(id, { status: world.managedServices.get(id).status === "ok" ? "problem" : "ok" }),
  };
};

export const equivalentValues: EquivalentValues = ({ address }) => [
  {
    inputs: {},
    equivalent: {
      address: fc.constantFrom("", "#", "#top", "#a/b?c").map((fragment) => `${address}${fragment}`),
      timeout: number(10),
      body: nothing,
      notes: nothing,
      region: nothing,
      consultationGroup: fc.constantFrom("", undefined),
      credentials: fc.constantFrom([], undefined),
      enabled: fc.constantFrom(true, undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"ManagedService"> = { timeout: 25 };

export const templates: Templates = {
  ManagedService: {
    needs: { credential: "ManagedCredential" },
    skip: ["credentials"],
    inputs: (roles) => ({ credentials: [id(roles, "credential")] }),
  },
};
