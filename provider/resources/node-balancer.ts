import { NodeBalancer, NodeBalancerCreate } from "../../api";
import { resource } from "../engine/resource";

export const nodeBalancer = resource({
  kind: "NodeBalancer",
  summary: "A load balancer: one address for the instances of its region; each port is a `NodeBalancerConfig`.",
  source: "part 3 · Endpoints · Load balancers",
  area: "nodeBalancers",
  // Ports are resources of their own, so that a change of one touches neither the balancer nor its other ports.
  inputs: NodeBalancerCreate.omit({ configs: true }),
  outputs: NodeBalancer,
  changes: { region: "replace", label: "edit", client_conn_throttle: "edit", tags: "edit" },
  steps: {
    edit: { run: ({ api, path, changed: { region: _, ...body } }) => api.nodeBalancers.update({ path, body }) },
  },
  autoname: "label",
  key: ["label"],
  async create({ api, want }) {
    const { id } = await api.nodeBalancers.create({ body: want });
    return { nodeBalancerId: id };
  },
});
