import { Id, NodeBalancerNode, NodeBalancerNodeCreate, PartId } from "../../api";
import { resource } from "../engine/definition";
import { serviceDefault } from "./service-default";

export const nodeBalancerNode = resource({
  name: "NodeBalancerNode",
  summary: "Manages a backend of a load balancer's port: the private address of an instance in the same region.",
  elsewhere: { terraform: "linode_nodebalancer_node", pulumi: "NodeBalancerNode" },
  inputs: NodeBalancerNodeCreate.extend({
    nodebalancer_id: Id.describe("Load balancer that the backend belongs to."),
    config_id: PartId.describe("Port that the backend belongs to: the id of a `NodeBalancerConfig`."),
    weight: serviceDefault(NodeBalancerNodeCreate.shape.weight),
  }),
  outputs: NodeBalancerNode,
  identity: {
    area: "nodeBalancerNodes",
    parents: { nodebalancer_id: "nodeBalancerId", config_id: "configId" },
    lostCreate: { match: ["nodebalancer_id", "config_id", "label", "address"] },
  },
  inventory: { file: "load-balancers", list: "operation", title: "label" },
  fields: {
    nodebalancer_id: "replace",
    config_id: "replace",
    label: "edit",
    address: "edit",
    weight: "edit",
    mode: "edit",
  },
  steps: {
    edit: {
      // Each backend is updated with a request of its own. The operation that rebuilds a whole config would change the
      // ids of the config's other backends.
      run: ({ api, path, changed }) => api.nodeBalancerNodes.update({ path, body: changed }),
    },
  },
  async create({ api, want: { nodebalancer_id: nodeBalancerId, config_id: configId, ...body } }) {
    const { id } = await api.nodeBalancerNodes.create({ path: { nodeBalancerId, configId }, body });
    return { nodeBalancerId, configId, nodeId: id };
  },
});
