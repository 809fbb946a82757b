import fc from "fast-check";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { addressed } from "./needs";

export const effects: Effects<"IpAssignment"> = { region: "replace", assignments: ["networkingIps.assign"] };

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"IpAssignment"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await addressed(cloud, "web", 3), await addressed(cloud, "sql")];
  const [west, east] = [await addressed(cloud, "west", 2, "eu-west"), await addressed(cloud, "east", 1, "eu-west")];
  const [, second = "", third = ""] = web.addresses;
  const [, other = ""] = db.addresses;
  const [, away = ""] = west.addresses;
  const moved = [
    { address: second, computeId: web.id },
    { address: third, computeId: db.id },
    { address: other, computeId: web.id },
  ];
  const held = () => moved.map(({ address }) => ({ address, compute_id: world.addresses.get(address).compute_id }));
  return {
    base: {
      region: "us-east",
      assignments: [
        { address: second, computeId: db.id },
        { address: other, computeId: web.id },
      ],
    },
    changes: {
      region: { to: "eu-west", along: { assignments: [{ address: away, computeId: east.id }] } },
      assignments: { to: moved, calls: ["networkingIps.assign assignments region"], read: held },
    },
    table: null,
    creation: "networkingIps.assign",
    remove: null,
    notRead: ["assignments"],
    mustReturn: ["address", "compute_id"],
    /** A new reverse DNS name of an address must not be reported as drift of its assignment to an instance. */
    changeUnmanaged: () =>
      api.networkingIps.update({ path: { address: second }, body: { rdns: `n${world.clock.now()}.example.org` } }),
  };
};

export const equivalentValues: EquivalentValues = ({ assignments }) => {
  const each = (assignments as { address: string; computeId: number }[]).map(({ address, computeId }) =>
    fc.record({ address: fc.constant(address), computeId: number(computeId) }),
  );
  const written = fc.tuple(...each).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
  return [{ inputs: {}, equivalent: { assignments: written } }];
};

export const exampleEdit: ExampleEdit<"IpAssignment"> = "other assignments would need the ids of other instances";

export const templates = "the addresses that it moves belong to other resources of the program";
