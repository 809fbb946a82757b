import type { Kind } from "./resource";
import { accountContact } from "./resources/account-contact";
import { domain } from "./resources/domain";
import { domainRecord } from "./resources/domain-record";
import { firewall } from "./resources/firewall";
import { firewallDevice } from "./resources/firewall-device";
import { instance } from "./resources/instance";
import { instanceAction } from "./resources/instance-action";
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
import { paymentMethod } from "./resources/payment-method";
import { recycle } from "./resources/recycle";
import { serviceTransfer } from "./resources/service-transfer";
import { tag } from "./resources/tag";
import { volume } from "./resources/volume";

/** Every resource kind, by the name that programs use. */
export const kinds = {
  AccountContact: accountContact,
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Instance: instance,
  InstanceAction: instanceAction,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  ManagedComputeSettings: managedComputeSettings,
  ManagedContact: managedContact,
  ManagedCredential: managedCredential,
  ManagedService: managedService,
  NodeBalancer: nodeBalancer,
  NodeBalancerConfig: nodeBalancerConfig,
  NodeBalancerNode: nodeBalancerNode,
  OauthClient: oauthClient,
  PaymentMethod: paymentMethod,
  Recycle: recycle,
  ServiceTransfer: serviceTransfer,
  Tag: tag,
  Volume: volume,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
