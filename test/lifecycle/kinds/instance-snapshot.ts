import fc from "fast-check";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { bootable } from "./needs";

export const effects: Effects<"InstanceSnapshot"> = { computeId: "replace", label: "replace", triggers: "replace" };

export const found: Found = { by: "byId", within: "Instance" };

export const fixture: CreateFixture<"InstanceSnapshot"> = async (cloud) => {
  const { api, world } = cloud;
  const [one, other] = [await bootable(cloud, "web", { runs: true }), await bootable(cloud, "sql")];
  for (const { id } of [one, other]) await api.instanceBackups.enable({ path: { computeId: id } });
  return {
    table: "instanceBackups",
    remains: { instanceBackups: true },
    creation: "instanceBackups.snapshot",
    base: { computeId: one.id, label: "first" },
    changes: {
      computeId: { to: other.id, read: (id) => world.instanceBackups.get(id).compute_id },
      label: { to: "second" },
      triggers: [
        { to: ["v1"], read: () => ["v1"] },
        { before: { triggers: ["v1"] }, to: ["v2"], read: () => ["v2"] },
      ],
    },
    /** An instance has only one manual snapshot, so a snapshot by another client replaces the managed one. */
    remove: (id) =>
      api.instanceBackups.snapshot({ path: { computeId: Number(id.split("/")[0]) }, body: { label: "theirs" } }),
    changeUnmanaged: (id) => world.instanceBackups.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = ({ computeId }) => [
  {
    inputs: { triggers: ["v1", 2] },
    equivalent: { computeId: number(computeId as number), label: fc.constant("first") },
  },
];

export const exampleEdit: ExampleEdit<"InstanceSnapshot"> = "each change replaces it";

export const templates: Templates = {
  InstanceSnapshot: {
    needs: { machine: "Instance" },
    usedOnce: { machine: "snapshot" },
    skip: ["computeId"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
