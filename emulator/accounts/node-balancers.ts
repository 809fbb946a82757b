import { instanceAddresses, instances, nodeBalancerConfigs, nodeBalancerNodes, nodeBalancers } from "../../api";
import type { Plan } from "./account";

export const plan: Plan = {
  async small({ call }) {
    const { id: nodeBalancerId } = await call(nodeBalancers.create, { body: { region: "us-east", label: "front" } });
    const { id: configId } = await call(nodeBalancerConfigs.create, { path: { nodeBalancerId }, body: { port: 80 } });
    const web = (await call(instances.list, {})).data.find(({ label }) => label === "web");
    const [backend] = web ? (await call(instanceAddresses.list, { path: { computeId: web.id } })).ipv4.private : [];
    const body = { label: "web", address: `${backend?.address}:80` };
    if (backend) await call(nodeBalancerNodes.create, { path: { nodeBalancerId, configId }, body });
  },
};
