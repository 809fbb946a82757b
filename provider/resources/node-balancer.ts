import { NodeBalancer, NodeBalancerCreate } from "../../api";
import { resource } from "../engine/definition";
import { lockTagsIfChanged } from "./object-locks";

export const nodeBalancer = resource({
  name: "NodeBalancer",
  summary: "Manages a load balancer for instances in its region. Each port is a `NodeBalancerConfig`.",
  elsewhere: { terraform: "linode_nodebalancer", pulumi: "NodeBalancer" },
  // Ports are separate resources, so that a change of one port does not affect the load balancer or its other ports.
  inputs: NodeBalancerCreate.omit({ configs: true }),
  outputs: NodeBalancer,
  identity: { area: "nodeBalancers", autoname: "label", lostCreate: { match: ["label"] } },
  inventory: { file: "load-balancers", list: "operation", title: "label" },
  fields: { region: "replace", label: "edit", client_conn_throttle: "edit", tags: "edit" },
  steps: {
    edit: {
      run: ({ host, api, path, changed: body }) =>
        lockTagsIfChanged(host, ["nodeBalancers", path.nodeBalancerId], body, () =>
          api.nodeBalancers.update({ path, body }),
        ),
    },
  },
  async create({ api, want }) {
    const { id } = await api.nodeBalancers.create({ body: want });
    return { nodeBalancerId: id };
  },
});
