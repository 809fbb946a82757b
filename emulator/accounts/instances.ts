import { instanceAddresses, instanceBackups, instanceConfigs, instanceDisks, instances } from "../../api";
import { type Plan, times } from "./account";

const regions = ["us-east", "eu-central", "us-west", "ap-south"];
const types = ["g6-nanode-1", "g6-standard-1", "g6-standard-2"];
const image = "compute/debian11";
const root_pass = "Correct-Horse-42";

export const plan: Plan = {
  async small({ call, settle }) {
    const region = "us-east";
    const web = {
      region,
      type: "g6-nanode-1",
      label: "web",
      image,
      root_pass,
      backups_enabled: true,
      private_ip: true,
    };
    const { id: computeId } = await call(instances.create, { body: web });
    const spare = await call(instances.create, { body: { region, type: "g6-standard-1", label: "spare" } });
    settle();
    await call(instanceAddresses.allocate, { path: { computeId: spare.id }, body: { type: "ipv4", public: false } });
    await call(instanceBackups.snapshot, { path: { computeId }, body: { label: "before the change" } });
    const path = { computeId: spare.id };
    const disk = await call(instanceDisks.create, { path, body: { label: "data", size: 1024, filesystem: "ext4" } });
    settle();
    await call(instanceConfigs.create, { path, body: { label: "rescue", devices: { sda: { disk_id: disk.id } } } });
  },

  async large({ call }) {
    await times(2_000, (at) => {
      const place = { region: regions[at % regions.length] as string, type: types[at % types.length] as string };
      return call(instances.create, {
        body: { ...place, label: `server-${at}`, tags: [`team-${at % 20}`], image, root_pass },
      });
    });
  },
};
