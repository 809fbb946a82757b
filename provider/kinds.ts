import type { Kind } from "./resource";
import { accountContact } from "./resources/account-contact";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { image } from "./resources/image";
import { instance } from "./resources/instance";
import { instanceAction } from "./resources/instance-action";
import { instanceConfig } from "./resources/instance-config";
import { instanceDisk } from "./resources/instance-disk";
import { instanceIp } from "./resources/instance-ip";
import { instanceSnapshot } from "./resources/instance-snapshot";
import { ipAssignment } from "./resources/ip-assignment";
import { ipSharing } from "./resources/ip-sharing";
import { ipv6Range } from "./resources/ipv6-range";
import { lkeCluster } from "./resources/lke-cluster";
import { lkeNodePool } from "./resources/lke-node-pool";
import { managedComputeSettings } from "./resources/managed-compute-settings";
import { managedContact } from "./resources/managed-contact";
import { managedCredential } from "./resources/managed-credential";
import { managedService } from "./resources/managed-service";
import { nodeBalancer } from "./resources/node-balancer";
import { nodeBalancerConfig } from "./resources/node-balancer-config";
import { nodeBalancerNode } from "./resources/node-balancer-node";
import { oauthClient } from "./resources/oauth-client";
import { objectStorageBucket } from "./resources/object-storage-bucket";
import { objectStorageKey } from "./resources/object-storage-key";
import { objectStorageObject } from "./resources/object-storage-object";
import { paymentMethod } from "./resources/payment-method";
import { recycle } from "./resources/recycle";
import { reverseDns } from "./resources/reverse-dns";
import { serviceTransfer } from "./resources/service-transfer";
import { tag } from "./resources/tag";
import { volume } from "./resources/volume";
import { volumeAttachment } from "./resources/volume-attachment";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  AccountContact: accountContact,
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Image: image,
  Instance: instance,
  InstanceConfig: instanceConfig,
  InstanceDisk: instanceDisk,
  InstanceSnapshot: instanceSnapshot,
  InstanceAction: instanceAction,
  InstanceIp: instanceIp,
  IpAssignment: ipAssignment,
  IpSharing: ipSharing,
  Ipv6Range: ipv6Range,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  ObjectStorageBucket: objectStorageBucket,
  ObjectStorageKey: objectStorageKey,
  ObjectStorageObject: objectStorageObject,
  Recycle: recycle,
  NodeBalancer: nodeBalancer,
  NodeBalancerConfig: nodeBalancerConfig,
  NodeBalancerNode: nodeBalancerNode,
  ReverseDns: reverseDns,
  ManagedComputeSettings: managedComputeSettings,
  ManagedContact: managedContact,
  ManagedCredential: managedCredential,
  ManagedService: managedService,
  OauthClient: oauthClient,
  PaymentMethod: paymentMethod,
  ServiceTransfer: serviceTransfer,
  Tag: tag,
  Volume: volume,
  VolumeAttachment: volumeAttachment,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
