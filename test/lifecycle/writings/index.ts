import type { KindName } from "../../../provider/kinds";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { image } from "./image";
import { instance } from "./instance";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { volume } from "./volume";
import type { Writings } from "./writing";

/** Every kind; one without ways of writing does not compile. */
export const writings: { [K in KindName]: Writings } = {
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
