import { account } from "./account";
import { domainRecords } from "./domain-records";
import { domains } from "./domains";
import { entityTransfers } from "./entity-transfers";
import { events } from "./events";
import { firewallDevices } from "./firewall-devices";
import { firewalls } from "./firewalls";
import { images } from "./images";
import { instanceAddresses } from "./instance-addresses";
import { instanceBackups } from "./instance-backups";
import { instanceConfigs } from "./instance-configs";
import { instanceDisks } from "./instance-disks";
import { instances } from "./instances";
import { invoices } from "./invoices";
import { ipv6 } from "./ipv6";
import { kernels } from "./kernels";
import { lkeClusters } from "./lke-clusters";
import { lkeNodes } from "./lke-nodes";
import { lkePools } from "./lke-pools";
import { lkeVersions } from "./lke-versions";
import { logins } from "./logins";
import { maintenance } from "./maintenance";
import { managedComputeSettings } from "./managed-compute-settings";
import { managedContacts } from "./managed-contacts";
import { managedCredentials } from "./managed-credentials";
import { managedIssues } from "./managed-issues";
import { managedServices } from "./managed-services";
import { networkingIps } from "./networking-ips";
import { nodeBalancerConfigs } from "./node-balancer-configs";
import { nodeBalancerNodes } from "./node-balancer-nodes";
import { nodeBalancers } from "./node-balancers";
import { notifications } from "./notifications";
import { oauthClients } from "./oauth-clients";
import { objectStorage } from "./object-storage";
import { objectStorageBuckets } from "./object-storage-buckets";
import { objectStorageCertificates } from "./object-storage-certificates";
import { objectStorageClusters } from "./object-storage-clusters";
import { objectStorageKeys } from "./object-storage-keys";
import { objectStorageObjects } from "./object-storage-objects";
import type { Area } from "./operation";
import { paymentMethods } from "./payment-methods";
import { payments } from "./payments";
import { regions } from "./regions";
import { serviceTransfers } from "./service-transfers";
import { tags } from "./tags";
import { types } from "./types";
import { vlans } from "./vlans";
import { volumes } from "./volumes";

/** Every operation of the service, by area. */
export const operations = {
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
  kernels,
  lkeClusters,
  lkeNodes,
  lkePools,
  lkeVersions,
  logins,
  maintenance,
  notifications,
  paymentMethods,
  payments,
  managedComputeSettings,
  managedContacts,
  managedCredentials,
  managedIssues,
  managedServices,
  oauthClients,
  networkingIps,
  nodeBalancerConfigs,
  nodeBalancerNodes,
  nodeBalancers,
  objectStorage,
  objectStorageBuckets,
  objectStorageCertificates,
  objectStorageClusters,
  objectStorageKeys,
  objectStorageObjects,
  regions,
  tags,
  serviceTransfers,
  types,
  vlans,
  volumes,
} satisfies Record<string, Area>;

/** The interface that this contract is of. */
export const VERSION = "4.108.1";

export type Operations = typeof operations;

export * from "./account";
export * from "./addresses";
export * from "./bounds";
export * from "./bytes";
export * from "./cards";
export * from "./common";
export * from "./deployment";
export * from "./dns";
export * from "./domain-records";
export * from "./domains";
export * from "./entity-transfers";
export * from "./errors";
export * from "./event-actions";
export * from "./events";
export * from "./firewall-devices";
export * from "./firewall-rules";
export * from "./firewalls";
export * from "./given";
export * from "./images";
export * from "./instance-addresses";
export * from "./instance-backups";
export * from "./instance-clone";
export * from "./instance-configs";
export * from "./instance-disks";
export * from "./instance-moves";
export * from "./instance-power";
export * from "./instance-stats";
export * from "./instances";
export * from "./interfaces";
export * from "./invoices";
export * from "./ipv6";
export * from "./kernels";
export * from "./lists";
export * from "./lke-clusters";
export * from "./lke-nodes";
export * from "./lke-pools";
export * from "./lke-versions";
export * from "./logins";
export * from "./maintenance";
export * from "./managed-compute-settings";
export * from "./managed-contacts";
export * from "./managed-credentials";
export * from "./managed-issues";
export * from "./managed-services";
export * from "./meta";
export * from "./named";
export * from "./networking-ips";
export * from "./node-balancer-configs";
export * from "./node-balancer-nodes";
export * from "./node-balancers";
export * from "./notifications";
export * from "./oauth-clients";
export * from "./object-storage";
export * from "./object-storage-buckets";
export * from "./object-storage-certificates";
export * from "./object-storage-clusters";
export * from "./object-storage-keys";
export * from "./object-storage-objects";
export * from "./operation";
export * from "./payment-methods";
export * from "./payments";
export * from "./problems";
export * from "./read-only";
export * from "./record-rules";
export * from "./refusals";
export * from "./regions";
export * from "./rule";
export * from "./service-transfers";
export * from "./tags";
export * from "./types";
export * from "./vlans";
export * from "./volumes";
