import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { host } from "./needs";

export const effects: Effects<"VolumeAttachment"> = {
  volumeId: "replace",
  computeId: ["volumes.attach", "volumes.detach"],
  configId: ["volumes.attach", "volumes.detach"],
};

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"VolumeAttachment"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await host(cloud, "web"), await host(cloud, "sql", 2)];
  const volume = (label: string) => api.volumes.create({ body: { label, region: "us-east", size: 20 } });
  const [data, logs] = [await volume("data"), await volume("logs")];
  const [first, second] = db.configs as [number, number];
  const held = (configId: number) => () =>
    Object.values(world.instanceConfigs.get(configId).devices).some((device) => device?.volume_id) && configId;
  return {
    base: { volumeId: data.id, computeId: web.id },
    changes: {
      volumeId: { to: logs.id },
      computeId: {
        to: db.id,
        along: { configId: second },
        calls: ["volumes.detach", "volumes.attach compute_id config_id"],
      },
      configId: {
        before: { computeId: db.id, configId: first },
        to: second,
        calls: ["volumes.detach", "volumes.attach compute_id config_id"],
        read: held(second),
      },
    },
    table: null,
    creation: "volumes.attach",
    remove: (id) => api.volumes.detach({ path: { volumeId: Number(id) } }),
    /**
     * Changes the tags of the volume and the label of the instance, which must not be reported as drift of the
     * attachment.
     */
    async changeUnmanaged(volumeId: number) {
      await api.volumes.update({ path: { volumeId }, body: { tags: [`t${world.clock.now()}`] } });
      const { label } = await api.instances.view({ path: { computeId: web.id } });
      await api.instances.update({ path: { computeId: web.id }, body: { label: `${label}x` } });
    },
  };
};

export const equivalentValues: EquivalentValues = ({ volumeId, computeId }) => [
  { inputs: {}, equivalent: { volumeId: number(volumeId as number), computeId: number(computeId as number) } },
];

export const exampleEdit: ExampleEdit<"VolumeAttachment"> = "another instance would need an id of its own";

export const templates: Templates = {
  VolumeAttachment: {
    needs: { volume: "Volume", machine: "Instance" },
    usedOnce: { volume: "attachment" },
    skip: ["volumeId", "computeId", "configId"],
    inputs: (roles) => ({ volumeId: id(roles, "volume"), computeId: id(roles, "machine") }),
  },
};
