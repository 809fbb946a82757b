import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { sharedTests } from "../second-kind";
import { id, type Templates } from "../template";
import * as volume from "./volume";

const shared = sharedTests<"Volume", "VolumeClone">(volume, "VolumeClone");

export const effects: Effects<"VolumeClone"> = { ...shared.effects, sourceVolumeId: "replace" };

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"VolumeClone"> = async (cloud) => {
  const { api, emulator, world } = cloud;
  const source = await api.volumes.create({ body: { label: "source", region: "us-east", size: 20 } });
  const other = await api.volumes.create({ body: { label: "other", region: "us-east", size: 20 } });
  emulator.settle();
  return {
    base: { sourceVolumeId: source.id, label: "copy" },
    changes: {
      ...(await shared.changes(cloud)),
      sourceVolumeId: { to: other.id, read: () => other.id },
    },
    creation: "volumes.clone",
    changeUnmanaged: (id) => world.volumes.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = shared.equivalentValues;

export const exampleEdit: ExampleEdit<"VolumeClone"> = { size: 60 };

export const templates: Templates = {
  VolumeClone: {
    needs: { source: "Volume" },
    skip: ["sourceVolumeId"],
    irreversible: ["size"],
    inputs: (roles) => ({ sourceVolumeId: id(roles, "source") }),
  },
};
