import fc from "fast-check";
import { host, number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { addressed } from "./needs";

export const effects: Effects<"InstanceIp"> = {
  computeId: "replace",
  type: "replace",
  public: "replace",
  rdns: ["instanceAddresses.update"],
};

export const found: Found = { by: "byId", within: "Instance" };

export const fixture: CreateFixture<"InstanceIp"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await addressed(cloud, "web"), await addressed(cloud, "sql", 1)];
  return {
    base: { computeId: web.id },
    changes: {
      computeId: { to: db.id },
      type: "IPv4 addresses are the only type there is",
      public: { to: false },
      rdns: [
        { to: "mail.example.org", calls: ["instanceAddresses.update rdns"] },
        {
          before: { rdns: "mail.example.org" },
          to: null,
          calls: ["instanceAddresses.update rdns"],
          // The last part of the resource's id is the IP address.
          read: (id: string) => world.addresses.get(id).rdns,
        },
      ],
    },
    table: "addresses",
    // The API cannot remove a private address, so it still exists after the resource is deleted.
    remains: { addresses: (row) => row.public === false },
    creation: "instanceAddresses.allocate",
    adopted: ["rdns"],
    /** A new label of the instance must not be reported as drift of the address. */
    changeUnmanaged: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};

export const equivalentValues: EquivalentValues = ({ computeId }) => [
  {
    inputs: { rdns: "mail.example.org" },
    equivalent: {
      computeId: number(computeId as number),
      type: fc.constantFrom("ipv4", undefined),
      public: fc.constantFrom(true, undefined),
      rdns: host("mail.example.org"),
    },
  },
];

export const exampleEdit: ExampleEdit<"InstanceIp"> =
  "another name would need a record of an address that is not known before";

export const templates: Templates = {
  InstanceIp: {
    needs: { machine: "Instance" },
    skip: ["computeId", "type", "public"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
