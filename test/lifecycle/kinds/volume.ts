import fc from "fast-check";
import { nothing, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { host } from "./needs";

export const effects: Effects<"Volume"> = {
  label: ["volumes.update"],
  tags: ["volumes.update"],
  size: ["volumes.resize"],
  region: "replace",
  computeId: ["volumes.attach", "volumes.detach"],
  configId: "write-only",
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"Volume"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await host(cloud, "web"), await host(cloud, "sql", 2)];
  return {
    base: { label: "data", region: "us-east", size: 20 },
    changes: {
      label: { to: "logs" },
      tags: [{ to: ["prod", "db1"] }, { before: { tags: ["prod"] }, to: [] }],
      size: { to: 40, calls: ["volumes.resize size"] },
      region: { to: "eu-west" },
      computeId: [
        { to: web.id, calls: ["volumes.attach compute_id"] },
        {
          before: { computeId: web.id },
          to: db.id,
          along: { configId: db.configs[1] as number },
          calls: ["volumes.detach", "volumes.attach compute_id config_id"],
        },
        { before: { computeId: web.id }, to: null, calls: ["volumes.detach"] },
      ],
      configId: { before: { computeId: db.id, configId: db.configs[0] as number }, to: db.configs[1] as number },
    },
    /** A new label of the instance must not be reported as drift of the volume that is attached to it. */
    async changeUnmanaged(id) {
      world.volumes.patch(id, {});
      for (const { id: computeId, label } of [...world.instances.all()]) {
        await api.instances.update({ path: { computeId }, body: { label: `${label}x` } });
      }
    },
  };
};

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { size: 20, tags: ["prod", "db1"] },
    equivalent: { size: fc.constantFrom(20, "20", undefined), tags: tags(["prod", "db1"]), computeId: nothing },
  },
];

export const exampleEdit: ExampleEdit<"Volume"> = { size: 60 };

export const templates: Templates = {
  Volume: { skip: ["computeId", "configId"], onlyIfUnused: ["region", "tags"], irreversible: ["size"] },
  AttachedVolume: {
    needs: { machine: "Instance" },
    skip: ["computeId", "configId", "region"],
    irreversible: ["size"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
