import fc from "fast-check";
import { tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";

export const effects: Effects<"VolumeClone"> = {
  sourceVolumeId: "replace",
  label: ["volumes.update"],
  tags: ["volumes.update"],
  size: ["volumes.resize"],
};

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"VolumeClone"> = async ({ api, emulator, world }) => {
  const source = await api.volumes.create({ body: { label: "source", region: "us-east", size: 20 } });
  const other = await api.volumes.create({ body: { label: "other", region: "us-east", size: 20 } });
  emulator.settle();
  return {
    base: { label: "copy", sourceVolumeId: source.id },
    changes: {
      sourceVolumeId: { to: other.id, read: () => other.id },
      label: { to: "logs" },
      tags: [{ to: ["prod", "db1"] }, { before: { tags: ["prod"] }, to: [] }],
      size: { to: 40, calls: ["volumes.resize size"] },
    },
    creation: "volumes.clone",
    changeUnmanaged: (id) => world.volumes.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { size: 20, tags: ["prod", "db1"] },
    equivalent: { size: fc.constantFrom(20, "20", undefined), tags: tags(["prod", "db1"]) },
  },
];

export const exampleEdit: ExampleEdit<"VolumeClone"> = { size: 60 };

export const templates: Templates = {
  VolumeClone: {
    needs: { source: "Volume" },
    skip: ["sourceVolumeId"],
    irreversible: ["size"],
    inputs: (roles) => ({ sourceVolumeId: id(roles, "source") }),
  },
};
