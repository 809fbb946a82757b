import type { KindName } from "../../../provider/kinds";
import type { Fixture } from "../fixture";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { image } from "./image";
import { instance } from "./instance";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { volume } from "./volume";

/** Every kind; one without a fixture does not compile. */
export const fixtures: { [K in KindName]: Fixture<K> } = {
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Image: image,
  Instance: instance,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  Volume: volume,
};
