import type { AllPlans } from "../plan";
import {
  accountPlans as account,
  invoicePlans as invoices,
  loginPlans as logins,
  maintenancePlans as maintenance,
  notificationPlans as notifications,
  methodPlans as paymentMethods,
  paymentPlans as payments,
} from "./account";
import { catalogues } from "./catalogues";
import { plans as domainRecords } from "./domain-records";
import { plans as domains } from "./domains";
import { plans as events } from "./events";
import { devicePlans as firewallDevices, plans as firewalls } from "./firewalls";
import { plans as images } from "./images";
import { plans as instanceAddresses } from "./instance-addresses";
import { plans as instanceBackups } from "./instance-backups";
import { plans as instanceConfigs } from "./instance-configs";
import { plans as instanceDisks } from "./instance-disks";
import { plans as instances } from "./instances";
import { clusterPlans as lkeClusters, nodePlans as lkeNodes, poolPlans as lkePools } from "./lke";
import {
  settingsPlans as managedComputeSettings,
  contactPlans as managedContacts,
  credentialPlans as managedCredentials,
  issuePlans as managedIssues,
  servicePlans as managedServices,
} from "./managed";
import { blockPlans as ipv6, addressPlans as networkingIps, vlanPlans as vlans } from "./networking";
import {
  configPlans as nodeBalancerConfigs,
  nodePlans as nodeBalancerNodes,
  plans as nodeBalancers,
} from "./node-balancers";
import { plans as oauthClients } from "./oauth-clients";
import {
  servicePlans as objectStorage,
  bucketPlans as objectStorageBuckets,
  certificatePlans as objectStorageCertificates,
  keyPlans as objectStorageKeys,
  objectPlans as objectStorageObjects,
} from "./object-storage";
import { plans as tags } from "./tags";
import { entityPlans as entityTransfers, servicePlans as serviceTransfers } from "./transfers";
import { plans as volumes } from "./volumes";

/** For each operation of the API, a function that prepares a valid request. */
export const plans: AllPlans = {
  ...catalogues,
  account,
  domainRecords,
  domains,
  entityTransfers,
  events,
  firewallDevices,
  firewalls,
  images,
  instanceAddresses,
  instanceBackups,
  instanceConfigs,
  instanceDisks,
  instances,
  invoices,
  ipv6,
  lkeClusters,
  lkeNodes,
  lkePools,
  logins,
  maintenance,
  managedComputeSettings,
  managedContacts,
  managedCredentials,
  managedIssues,
  managedServices,
  networkingIps,
  nodeBalancerConfigs,
  nodeBalancerNodes,
  nodeBalancers,
  notifications,
  oauthClients,
  objectStorage,
  objectStorageBuckets,
  objectStorageCertificates,
  objectStorageKeys,
  objectStorageObjects,
  paymentMethods,
  payments,
  serviceTransfers,
  tags,
  vlans,
  volumes,
};
