import { type NodeBalancer, nodeBalancerCreateRules } from "../../../api";
import { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { allowedTags, freeLabel, requireFreeLabel } from "../../http/account-checks";
import { type AreaModule, listed } from "../../http/handlers";
import { checkRegion } from "../compute/regions";
import { addBalancerAddresses } from "../networking/address-pool";
import { addNode, checkBackend } from "./node-balancer-backends";
import { addConfig, checkPair, removeConfig } from "./node-balancer-configs";
import { statsOf, transferOf } from "./node-balancer-traffic";

/** A stored load balancer. Its traffic is computed when the load balancer is read. */
export interface NodeBalancerRow extends Omit<NodeBalancer, "transfer"> {}

export const nodeBalancers: AreaModule<"nodeBalancers", { nodeBalancers: NodeBalancerRow }> = {
  tables: { nodeBalancers: table<NodeBalancerRow>([], { refs: { region: "regions" } }) },
  rules: { create: nodeBalancerCreateRules },
  handlers: {
    list: ({ world }) => listed(world.nodeBalancers, (row) => balancerRecord(world, row)),

    create({ world, caller, body, emit }) {
      const { region: regionId, label, client_conn_throttle, tags = [], configs = [] } = body;
      allowedTags(caller, tags, []);
      const problems = new Reasons();
      checkRegion(world, regionId, "NodeBalancers", problems, "region");
      if (label !== undefined) requireFreeLabel(world.nodeBalancers, problems, label);
      for (const [at, { nodes, ...config }] of configs.entries()) {
        checkPair(config, problems, `configs.${at}.`);
        for (const [index, { address }] of nodes.entries())
          checkBackend(world, caller, regionId, address, problems, `configs.${at}.nodes.${index}.address`);
      }
      problems.throwIfAny();
      const { id } = world.nodeBalancers.insert({
        label: label ?? "",
        region: regionId,
        hostname: "",
        ipv4: "",
        ipv6: null,
        client_conn_throttle,
        tags,
      });
      const addresses = addBalancerAddresses(world, id, regionId);
      const balancer = world.nodeBalancers.patch(id, {
        ...addresses,
        label: label ?? freeLabel(world.nodeBalancers, `balancer${id}`),
        hostname: `nb-${addresses.ipv4.replaceAll(".", "-")}.${regionId}.nodebalancer.cloudinfra.example`,
      });
      for (const { nodes, ...settings } of configs) {
        const config = addConfig(world, id, settings);
        for (const node of nodes) addNode(world, config, node);
      }
      emit(entity("nodebalancer", balancer));
      return balancerRecord(world, balancer);
    },

    view: ({ world, path }) => balancerRecord(world, world.nodeBalancers.get(path.nodeBalancerId)),

    update({ world, caller, path, body: { transfer: _measured, ...changes }, emit }) {
      const { id, tags: current } = world.nodeBalancers.get(path.nodeBalancerId);
      const problems = new Reasons();
      const tags = allowedTags(caller, changes.tags, current);
      if (changes.label !== undefined) requireFreeLabel(world.nodeBalancers, problems, changes.label, id);
      problems.throwIfAny();
      const balancer = world.nodeBalancers.patch(id, { ...changes, tags });
      emit(entity("nodebalancer", balancer));
      return balancerRecord(world, balancer);
    },

    delete({ world, path, emit }) {
      const balancer = world.nodeBalancers.get(path.nodeBalancerId);
      for (const { id } of world.nodeBalancerConfigs.by("nodebalancer_id", balancer.id)) removeConfig(world, id);
      for (const { id } of world.balancerAddresses.by("nodebalancer_id", balancer.id))
        world.balancerAddresses.remove(id);
      world.nodeBalancers.remove(balancer.id);
      emit(entity("nodebalancer", balancer));
      return {};
    },

    stats: ({ world, path }) => statsOf(world, world.nodeBalancers.get(path.nodeBalancerId)),
  },
};

/** The load balancer as the API returns it, with its traffic in the current month. */
export const balancerRecord = (world: World, row: Readonly<NodeBalancerRow>): NodeBalancer => ({
  ...row,
  transfer: transferOf(world, row),
});

export function balancersOf(world: World, computeId: number): Readonly<NodeBalancerRow>[] {
  const nodes = world.addresses.by("compute_id", computeId).flatMap(({ id }) => world.nodeBalancerNodes.by("ip", id));
  return [...new Set(nodes.map((node) => node.nodebalancer_id))].map((id) => world.nodeBalancers.get(id));
}
