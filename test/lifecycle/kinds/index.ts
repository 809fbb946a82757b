import type { KindName } from "../../../provider/kinds";
import type { Fixture } from "../fixture";
import { accountContact } from "./account-contact";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { instance } from "./instance";
import { instanceAction } from "./instance-action";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { managedComputeSettings } from "./managed-compute-settings";
import { managedContact } from "./managed-contact";
import { managedCredential } from "./managed-credential";
import { managedService } from "./managed-service";
import { nodeBalancer } from "./node-balancer";
import { nodeBalancerConfig } from "./node-balancer-config";
import { nodeBalancerNode } from "./node-balancer-node";
import { oauthClient } from "./oauth-client";
import { paymentMethod } from "./payment-method";
import { recycle } from "./recycle";
import { serviceTransfer } from "./service-transfer";
import { tag } from "./tag";
import { volume } from "./volume";

/** Every kind; one without a fixture does not compile. */
export const fixtures: { [K in KindName]: Fixture<K> } = {
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
};
