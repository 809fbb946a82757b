import type { KindName } from "../../../provider/kinds";
import type { Fixture } from "../fixture";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { image } from "./image";
import { instance } from "./instance";
import { instanceAction } from "./instance-action";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { nodeBalancer } from "./node-balancer";
import { nodeBalancerConfig } from "./node-balancer-config";
import { nodeBalancerNode } from "./node-balancer-node";
import { recycle } from "./recycle";
import { tag } from "./tag";
import { volume } from "./volume";

/** Every kind; one without a fixture does not compile. */
export const fixtures: { [K in KindName]: Fixture<K> } = {
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
};
