import type { Kind } from "./resource";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { instance } from "./resources/instance";
import { instanceIp } from "./resources/instance-ip";
import { ipAssignment } from "./resources/ip-assignment";
import { ipSharing } from "./resources/ip-sharing";
import { ipv6Range } from "./resources/ipv6-range";
import { lkeCluster } from "./resources/lke-cluster";
import { lkeNodePool } from "./resources/lke-node-pool";
import { reverseDns } from "./resources/reverse-dns";
import { volume } from "./resources/volume";
import { volumeAttachment } from "./resources/volume-attachment";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Instance: instance,
  InstanceIp: instanceIp,
  IpAssignment: ipAssignment,
  IpSharing: ipSharing,
  Ipv6Range: ipv6Range,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  ReverseDns: reverseDns,
  Volume: volume,
  VolumeAttachment: volumeAttachment,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
