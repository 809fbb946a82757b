import type { NodeBalancerNode } from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { addNode, changeNode, checkBackend, type NodeBalancerNodeRow, statusOf } from "./node-balancer-backends";
import { configOf } from "./node-balancer-configs";

export const nodeBalancerNodes: AreaModule<"nodeBalancerNodes", { nodeBalancerNodes: NodeBalancerNodeRow }> = {
  tables: {
    nodeBalancerNodes: table<NodeBalancerNodeRow>([], {
      refs: { nodebalancer_id: "nodeBalancers", config_id: "nodeBalancerConfigs", ip: "addresses" },
    }),
  },
  handlers: {
    list({ world, path }) {
      const { config } = configOf(world, path);
      return listed(world.nodeBalancerNodes.by("config_id", config.id), (row) => nodeRecord(world, config, row));
    },

    create({ world, caller, path, body, emit }) {
      const { balancer, config } = configOf(world, path);
      const problems = new Reasons();
      checkBackend(world, caller, balancer.region, body.address, problems, "address");
      problems.throwIfAny();
      const node = addNode(world, config, body);
      emit(entity("nodebalancer", balancer), { message: node.label });
      return nodeRecord(world, config, node);
    },

    view({ world, path }) {
      const { config, node } = find(world, path);
      return nodeRecord(world, config, node);
    },

    update({ world, caller, path, body, emit }) {
      const { balancer, config, node } = find(world, path);
      const problems = new Reasons();
      if (body.address !== undefined) checkBackend(world, caller, balancer.region, body.address, problems, "address");
      problems.throwIfAny();
      const changed = changeNode(world, node, body);
      emit(entity("nodebalancer", balancer), { message: changed.label });
      return nodeRecord(world, config, changed);
    },

    delete({ world, path, emit }) {
      const { balancer, node } = find(world, path);
      world.nodeBalancerNodes.remove(node.id);
      emit(entity("nodebalancer", balancer), { message: node.label });
      return {};
    },
  },
};

const nodeRecord = (
  world: World,
  config: RowOf<"nodeBalancerConfigs">,
  row: Readonly<NodeBalancerNodeRow>,
): NodeBalancerNode => ({ ...row, status: statusOf(world, config, row) });

function find(world: World, path: { nodeBalancerId: number; configId: number; nodeId: number }) {
  const { balancer, config } = configOf(world, path);
  const node = world.nodeBalancerNodes.get(path.nodeId);
  if (node.config_id !== config.id) throw notFound();
  return { balancer, config, node };
}
