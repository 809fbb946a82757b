import { number, setOf } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { first, isPublic, type Templates } from "../template";
import { addressed } from "./needs";

export const effects: Effects<"IpSharing"> = { computeId: "replace", ips: ["networkingIps.share"] };

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"IpSharing"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await addressed(cloud, "web", 3), await addressed(cloud, "sql")];
  const spare = await addressed(cloud, "spare", 1);
  const [first = "", second = "", third = ""] = web.addresses;
  const calls = ["networkingIps.share compute_id ips"];
  return {
    base: { computeId: db.id, ips: [first, second] },
    changes: {
      computeId: { to: spare.id },
      ips: [
        { to: [first, third], calls },
        { to: [], calls },
      ],
    },
    table: null,
    creation: "networkingIps.share",
    remove: null,
    /** A new reverse DNS name of a shared address must not be reported as drift. */
    changeUnmanaged: () =>
      api.networkingIps.update({ path: { address: first }, body: { rdns: `n${world.clock.now()}.example.org` } }),
  };
};

export const equivalentValues: EquivalentValues = ({ computeId, ips }) => [
  { inputs: {}, equivalent: { computeId: number(computeId as number), ips: setOf(ips as string[]) } },
];

export const exampleEdit: ExampleEdit<"IpSharing"> = { ips: [] };

export const templates: Templates = {
  IpSharing: {
    needs: { machine: "Instance", other: "Instance" },
    usedOnce: { machine: "sharing" },
    skip: ["computeId", "ips"],
    inputs: ({ machine = {}, other }) => ({ computeId: machine.id, ips: [first(other, "ipv4", isPublic)] }),
  },
};
