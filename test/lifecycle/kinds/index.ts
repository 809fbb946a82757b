import type { KindName } from "../../../provider/resources";
import type { CreateFixture, EquivalentValues, Meanings } from "../fixture";
import * as accountContact from "./account-contact";
import * as domain from "./domain";
import * as domainRecord from "./domain-record";
import * as firewall from "./firewall";
import * as firewallDevice from "./firewall-device";
import * as image from "./image";
import * as instance from "./instance";
import * as instanceAction from "./instance-action";
import * as instanceConfig from "./instance-config";
import * as instanceDisk from "./instance-disk";
import * as instanceIp from "./instance-ip";
import * as instanceSnapshot from "./instance-snapshot";
import * as ipAssignment from "./ip-assignment";
import * as ipSharing from "./ip-sharing";
import * as ipv6Range from "./ipv6-range";
import * as lkeCluster from "./lke-cluster";
import * as lkeNodePool from "./lke-node-pool";
import * as lkeNodeRecycle from "./lke-node-recycle";
import * as managedComputeSettings from "./managed-compute-settings";
import * as managedContact from "./managed-contact";
import * as managedCredential from "./managed-credential";
import * as managedService from "./managed-service";
import * as nodeBalancer from "./node-balancer";
import * as nodeBalancerConfig from "./node-balancer-config";
import * as nodeBalancerNode from "./node-balancer-node";
import * as oauthClient from "./oauth-client";
import * as objectStorageBucket from "./object-storage-bucket";
import * as objectStorageKey from "./object-storage-key";
import * as objectStorageObject from "./object-storage-object";
import * as paymentMethod from "./payment-method";
import * as reverseDns from "./reverse-dns";
import * as serviceTransfer from "./service-transfer";
import * as tag from "./tag";
import * as volume from "./volume";
import * as volumeAttachment from "./volume-attachment";

/** What the tests know of a kind: the file of its name in this folder. */
interface KindTests<K extends KindName> {
  meanings: Meanings<K>;
  fixture: CreateFixture<K>;
  equivalentValues: EquivalentValues;
}

/** Every kind; one without a file here does not compile. */
export const kindTests: { [K in KindName]: KindTests<K> } = {
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
  LkeNodeRecycle: lkeNodeRecycle,
  NodeBalancer: nodeBalancer,
  NodeBalancerConfig: nodeBalancerConfig,
  NodeBalancerNode: nodeBalancerNode,
  ReverseDns: reverseDns,
  ManagedComputeSettings: managedComputeSettings,
  ManagedContact: managedContact,
  ManagedCredential: managedCredential,
  ManagedService: managedService,
  OAuthClient: oauthClient,
  PaymentMethod: paymentMethod,
  ServiceTransfer: serviceTransfer,
  Tag: tag,
  Volume: volume,
  VolumeAttachment: volumeAttachment,
};
