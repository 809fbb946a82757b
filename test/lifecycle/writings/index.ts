import type { KindName } from "../../../provider/kinds";
import { accountContact } from "./account-contact";
import { domain } from "./domain";
import { domainRecord } from "./domain-record";
import { firewall } from "./firewall";
import { firewallDevice } from "./firewall-device";
import { instance } from "./instance";
import { lkeCluster } from "./lke-cluster";
import { lkeNodePool } from "./lke-node-pool";
import { managedComputeSettings } from "./managed-compute-settings";
import { managedContact } from "./managed-contact";
import { managedCredential } from "./managed-credential";
import { managedService } from "./managed-service";
import { oauthClient } from "./oauth-client";
import { paymentMethod } from "./payment-method";
import { serviceTransfer } from "./service-transfer";
import { volume } from "./volume";
import type { Writings } from "./writing";

/** Every kind; one without ways of writing does not compile. */
export const writings: { [K in KindName]: Writings } = {
  AccountContact: accountContact,
  Domain: domain,
  DomainRecord: domainRecord,
  Firewall: firewall,
  FirewallDevice: firewallDevice,
  Instance: instance,
  LkeCluster: lkeCluster,
  LkeNodePool: lkeNodePool,
  ManagedComputeSettings: managedComputeSettings,
  ManagedContact: managedContact,
  ManagedCredential: managedCredential,
  ManagedService: managedService,
  OauthClient: oauthClient,
  PaymentMethod: paymentMethod,
  ServiceTransfer: serviceTransfer,
  Volume: volume,
};
