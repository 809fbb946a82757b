import type { Operations } from "../../api";
import type { Task } from "../core/tasks";
import type { Plane } from "../http/data-plane";
import type { AreaModule } from "../http/handlers";
import * as account from "./account/account";
import * as billing from "./account/billing";
import * as cards from "./account/cards";
import * as entityTransfers from "./account/entity-transfers";
import * as events from "./account/events";
import * as invoices from "./account/invoices";
import * as logins from "./account/logins";
import * as maintenance from "./account/maintenance";
import * as notifications from "./account/notifications";
import * as oauthClients from "./account/oauth-clients";
import * as paymentMethods from "./account/payment-methods";
import * as payments from "./account/payments";
import * as serviceTransfers from "./account/service-transfers";
import * as tags from "./account/tags";
import * as transfers from "./account/transfers";
import * as backupContents from "./compute/backup-contents";
import * as instanceAddresses from "./compute/instance-addresses";
import * as instanceBackups from "./compute/instance-backups";
import * as instanceConfigs from "./compute/instance-configs";
import * as instanceDisks from "./compute/instance-disks";
import * as instanceVlans from "./compute/instance-vlans";
import * as instances from "./compute/instances";
import * as kernels from "./compute/kernels";
import * as regions from "./compute/regions";
import * as types from "./compute/types";
import * as domainRecords from "./domains/domain-records";
import * as domains from "./domains/domains";
import * as lkeClusters from "./kubernetes/lke-clusters";
import * as lkeNodes from "./kubernetes/lke-nodes";
import * as lkePools from "./kubernetes/lke-pools";
import * as lkeVersions from "./kubernetes/lke-versions";
import * as nodeBalancerConfigs from "./load-balancers/node-balancer-configs";
import * as nodeBalancerNodes from "./load-balancers/node-balancer-nodes";
import * as nodeBalancers from "./load-balancers/node-balancers";
import * as managedComputeSettings from "./managed/managed-compute-settings";
import * as managedContacts from "./managed/managed-contacts";
import * as managedCredentials from "./managed/managed-credentials";
import * as managedIssues from "./managed/managed-issues";
import * as managedServices from "./managed/managed-services";
import * as addressPool from "./networking/address-pool";
import * as firewallDevices from "./networking/firewall-devices";
import * as firewalls from "./networking/firewalls";
import * as ipv6 from "./networking/ipv6";
import * as networkingIps from "./networking/networking-ips";
import * as vlans from "./networking/vlans";
import { plane as objectPlane } from "./object-storage/object-plane";
import * as objectStorage from "./object-storage/object-storage";
import * as objectStorageBuckets from "./object-storage/object-storage-buckets";
import * as objectStorageCertificates from "./object-storage/object-storage-certificates";
import * as objectStorageClusters from "./object-storage/object-storage-clusters";
import * as objectStorageKeys from "./object-storage/object-storage-keys";
import * as objectStorageObjects from "./object-storage/object-storage-objects";
import * as objectStore from "./object-storage/object-store";
import * as imageOrigins from "./storage/image-origins";
import * as imageUploads from "./storage/image-uploads";
import * as images from "./storage/images";
import * as volumes from "./storage/volumes";

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
