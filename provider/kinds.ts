import type { Kind } from "./resource";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { image } from "./resources/image";
import { instance } from "./resources/instance";
import { instanceAction } from "./resources/instance-action";
import { lkeCluster } from "./resources/lke-cluster";
import { lkeNodePool } from "./resources/lke-node-pool";
import { nodeBalancer } from "./resources/node-balancer";
import { nodeBalancerConfig } from "./resources/node-balancer-config";
import { nodeBalancerNode } from "./resources/node-balancer-node";
import { recycle } from "./resources/recycle";
import { tag } from "./resources/tag";
import { volume } from "./resources/volume";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Image: image,
  Instance: instance,
  InstanceAction: instanceAction,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  Recycle: recycle,
  NodeBalancer: nodeBalancer,
  NodeBalancerConfig: nodeBalancerConfig,
  NodeBalancerNode: nodeBalancerNode,
  Tag: tag,
  Volume: volume,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
