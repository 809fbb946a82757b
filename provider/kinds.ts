import type { Kind } from "./resource";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { image } from "./resources/image";
import { instance } from "./resources/instance";
import { lkeCluster } from "./resources/lke-cluster";
import { lkeNodePool } from "./resources/lke-node-pool";
import { volume } from "./resources/volume";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Image: image,
  Instance: instance,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  Volume: volume,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
