import fc from "fast-check";
import { addRange } from "../../../emulator/areas/networking/ipv6";
import { address } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { instance } from "./needs";

export const effects: Effects<"Ipv6Range"> = { range: "replace", computeId: "replace" };

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"Ipv6Range"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await instance(cloud, "web"), await instance(cloud, "sql")];
  const range = (id: number) => addRange(world, world.instances.get(id));
  const [one, other] = [range(web.id), range(db.id)];
  return {
    base: { range: one.range },
    changes: {
      range: { to: other.range },
      computeId: { to: web.id, read: () => world.ipv6Ranges.get(one.id).compute_id },
    },
    table: null,
    creation: "ipv6.ranges",
    remove: null,
    mustReturn: ["range"],
    changeUnmanaged: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};

export const equivalentValues: EquivalentValues = ({ range }) => {
  const written = fc.tuple(address(range as string), fc.constantFrom("", "/64"));
  return [{ inputs: {}, equivalent: { range: written.map((parts) => parts.join("")) } }];
};

export const exampleEdit: ExampleEdit<"Ipv6Range"> = "each change replaces it";

export const templates = "only support changes ranges, so none can be created";
