import type { Operations } from "../../api";
import type { AreaModule } from "../handlers";
import type { Plane } from "../plane";
import type { Task } from "../tasks";
import * as account from "./account";
import * as addressPool from "./address-pool";
import * as backupContents from "./backup-contents";
import * as billing from "./billing";
import * as cards from "./cards";
import * as domainRecords from "./domain-records";
import * as domains from "./domains";
import * as entityTransfers from "./entity-transfers";
import * as events from "./events";
import * as firewallDevices from "./firewall-devices";
import * as firewalls from "./firewalls";
import * as imageOrigins from "./image-origins";
import * as imageUploads from "./image-uploads";
import * as images from "./images";
import * as instanceAddresses from "./instance-addresses";
import * as instanceBackups from "./instance-backups";
import * as instanceConfigs from "./instance-configs";
import * as instanceDisks from "./instance-disks";
import * as instanceVlans from "./instance-vlans";
import * as instances from "./instances";
import * as invoices from "./invoices";
import * as ipv6 from "./ipv6";
import * as kernels from "./kernels";
import * as lkeClusters from "./lke-clusters";
import * as lkeNodes from "./lke-nodes";
import * as lkePools from "./lke-pools";
import * as lkeVersions from "./lke-versions";
import * as logins from "./logins";
import * as maintenance from "./maintenance";
import * as managedComputeSettings from "./managed-compute-settings";
import * as managedContacts from "./managed-contacts";
import * as managedCredentials from "./managed-credentials";
import * as managedIssues from "./managed-issues";
import * as managedServices from "./managed-services";
import * as networkingIps from "./networking-ips";
import * as nodeBalancerConfigs from "./node-balancer-configs";
import * as nodeBalancerNodes from "./node-balancer-nodes";
import * as nodeBalancers from "./node-balancers";
import * as notifications from "./notifications";
import * as oauthClients from "./oauth-clients";
import { plane as objectPlane } from "./object-plane";
import * as objectStorage from "./object-storage";
import * as objectStorageBuckets from "./object-storage-buckets";
import * as objectStorageCertificates from "./object-storage-certificates";
import * as objectStorageClusters from "./object-storage-clusters";
import * as objectStorageKeys from "./object-storage-keys";
import * as objectStorageObjects from "./object-storage-objects";
import * as objectStore from "./object-store";
import * as paymentMethods from "./payment-methods";
import * as payments from "./payments";
import * as regions from "./regions";
import * as serviceTransfers from "./service-transfers";
import * as tags from "./tags";
import * as transfers from "./transfers";
import * as types from "./types";
import * as vlans from "./vlans";
import * as volumes from "./volumes";

/** Every table of every area; `world.volumes` and its type come from here. */
export const tables = {
  ...account.tables,
  ...addressPool.tables,
  ...backupContents.tables,
  ...billing.tables,
  ...cards.tables,
  ...domainRecords.tables,
  ...domains.tables,
  ...firewallDevices.tables,
  ...firewalls.tables,
  ...imageOrigins.tables,
  ...images.tables,
  ...instanceConfigs.tables,
  ...instanceDisks.tables,
  ...instanceVlans.tables,
  ...instances.tables,
  ...invoices.tables,
  ...ipv6.tables,
  ...kernels.tables,
  ...lkeClusters.tables,
  ...lkeNodes.tables,
  ...lkePools.tables,
  ...lkeVersions.tables,
  ...logins.tables,
  ...maintenance.tables,
  ...notifications.tables,
  ...payments.tables,
  ...managedComputeSettings.tables,
  ...managedContacts.tables,
  ...managedCredentials.tables,
  ...managedIssues.tables,
  ...managedServices.tables,
  ...oauthClients.tables,
  ...networkingIps.tables,
  ...nodeBalancerConfigs.tables,
  ...nodeBalancerNodes.tables,
  ...nodeBalancers.tables,
  ...objectStorage.tables,
  ...objectStorageBuckets.tables,
  ...objectStorageClusters.tables,
  ...objectStorageKeys.tables,
  ...objectStore.tables,
  ...regions.tables,
  ...tags.tables,
  ...transfers.tables,
  ...types.tables,
  ...volumes.tables,
};
export type AreaTables = typeof tables;

/** The handlers of every area, under the contract's name of it. */
export const areas: { [A in keyof Operations]: AreaModule<Operations[A]> } = {
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
};

/** Everything that can happen later. */
export const tasks: Task<never>[] = [
  ...backupContents.tasks,
  ...images.tasks,
  ...imageUploads.tasks,
  ...instanceBackups.tasks,
  ...instanceDisks.tasks,
  ...instances.tasks,
  ...lkeClusters.tasks,
  ...lkeNodes.tasks,
  ...payments.tasks,
  ...managedServices.tasks,
  ...transfers.tasks,
  ...volumes.tasks,
];

/** Where data goes in and out beside the API. */
export const planes: readonly Plane[] = [imageUploads.plane, objectPlane];
