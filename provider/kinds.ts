import type { Kind } from "./resource";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { instance } from "./resources/instance";
import { lkeCluster } from "./resources/lke-cluster";
import { lkeNodePool } from "./resources/lke-node-pool";
import { objectStorageBucket } from "./resources/object-storage-bucket";
import { objectStorageKey } from "./resources/object-storage-key";
import { objectStorageObject } from "./resources/object-storage-object";
import { volume } from "./resources/volume";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Instance: instance,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  ObjectStorageBucket: objectStorageBucket,
  ObjectStorageKey: objectStorageKey,
  ObjectStorageObject: objectStorageObject,
  Volume: volume,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
