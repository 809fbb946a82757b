import type { Kind } from "../engine/definition";
import { accountContact } from "./account-contact";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { image } from "./image";
import { instance } from "./instance";
import { instanceAction } from "./instance-action";
import { instanceConfig } from "./instance-config";
import { instanceDisk } from "./instance-disk";
import { instanceIp } from "./instance-ip";
import { instanceSnapshot } from "./instance-snapshot";
import { ipAssignment } from "./ip-assignment";
import { ipSharing } from "./ip-sharing";
import { ipv6Range } from "./ipv6-range";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { lkeNodeRecycle } from "./lke-node-recycle";
import { managedComputeSettings } from "./managed-compute-settings";
import { managedContact } from "./managed-contact";
import { managedCredential } from "./managed-credential";
import { managedService } from "./managed-service";
import { nodeBalancer } from "./node-balancer";
import { nodeBalancerConfig } from "./node-balancer-config";
import { nodeBalancerNode } from "./node-balancer-node";
import { oauthClient } from "./oauth-client";
import { objectStorageBucket } from "./object-storage-bucket";
import { objectStorageKey } from "./object-storage-key";
import { objectStorageObject } from "./object-storage-object";
import { paymentMethod } from "./payment-method";
import { reverseDns } from "./reverse-dns";
import { serviceTransfer } from "./service-transfer";
import { tag } from "./tag";
import { volume } from "./volume";
import { volumeAttachment } from "./volume-attachment";
import { volumeClone } from "./volume-clone";

/**
 * Every resource class, by the name that programs use. New classes must be added at the end: a type that several
 * classes share is named after the first of them, so another order would rename types in programs.
 */
export const kinds = {
  AccountContact: accountContact,
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Image: image,
  Instance: instance,
  InstanceAction: instanceAction,
  InstanceConfig: instanceConfig,
  InstanceDisk: instanceDisk,
  InstanceIp: instanceIp,
  InstanceSnapshot: instanceSnapshot,
  IpAssignment: ipAssignment,
  IpSharing: ipSharing,
  Ipv6Range: ipv6Range,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  LkeNodeRecycle: lkeNodeRecycle,
  ManagedComputeSettings: managedComputeSettings,
  ManagedContact: managedContact,
  ManagedCredential: managedCredential,
  ManagedService: managedService,
  NodeBalancer: nodeBalancer,
  NodeBalancerConfig: nodeBalancerConfig,
  NodeBalancerNode: nodeBalancerNode,
  OAuthClient: oauthClient,
  ObjectStorageBucket: objectStorageBucket,
  ObjectStorageKey: objectStorageKey,
  ObjectStorageObject: objectStorageObject,
  PaymentMethod: paymentMethod,
  ReverseDns: reverseDns,
  ServiceTransfer: serviceTransfer,
  Tag: tag,
  Volume: volume,
  VolumeAttachment: volumeAttachment,
  VolumeClone: volumeClone,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
