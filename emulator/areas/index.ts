import type { Operations } from "../../api";
import type { AreaModule } from "../handlers";
import type { Plane } from "../plane";
import type { Task } from "../tasks";
import * as addressPool from "./address-pool";
import * as backupContents from "./backup-contents";
import * as domainRecords from "./domain-records";
import * as domains from "./domains";
import * as entityTransfers from "./entity-transfers";
import * as events from "./events";
import * as firewallDevices from "./firewall-devices";
import * as firewalls from "./firewalls";
import * as images from "./images";
import * as instanceAddresses from "./instance-addresses";
import * as instanceBackups from "./instance-backups";
import * as instanceConfigs from "./instance-configs";
import * as instanceDisks from "./instance-disks";
import * as instances from "./instances";
import * as kernels from "./kernels";
import * as lkeClusters from "./lke-clusters";
import * as lkeNodes from "./lke-nodes";
import * as lkePools from "./lke-pools";
import * as lkeVersions from "./lke-versions";
import * as managedComputeSettings from "./managed-compute-settings";
import * as managedContacts from "./managed-contacts";
import * as managedCredentials from "./managed-credentials";
import * as managedIssues from "./managed-issues";
import * as managedServices from "./managed-services";
import * as oauthClients from "./oauth-clients";
import { plane as objectPlane } from "./object-plane";
import * as objectStorage from "./object-storage";
import * as objectStorageBuckets from "./object-storage-buckets";
import * as objectStorageCertificates from "./object-storage-certificates";
import * as objectStorageClusters from "./object-storage-clusters";
import * as objectStorageKeys from "./object-storage-keys";
import * as objectStorageObjects from "./object-storage-objects";
import * as objectStore from "./object-store";
import * as regions from "./regions";
import * as serviceTransfers from "./service-transfers";
import * as transfers from "./transfers";
import * as types from "./types";
import * as volumes from "./volumes";

/** Every table of every area; `world.volumes` and its type come from here. */
export const tables = {
  ...addressPool.tables,
  ...backupContents.tables,
  ...domainRecords.tables,
  ...domains.tables,
  ...firewallDevices.tables,
  ...firewalls.tables,
  ...images.tables,
  ...instanceConfigs.tables,
  ...instanceDisks.tables,
  ...instances.tables,
  ...kernels.tables,
  ...lkeClusters.tables,
  ...lkeNodes.tables,
  ...lkePools.tables,
  ...lkeVersions.tables,
  ...managedComputeSettings.tables,
  ...managedContacts.tables,
  ...managedCredentials.tables,
  ...managedIssues.tables,
  ...managedServices.tables,
  ...oauthClients.tables,
  ...objectStorage.tables,
  ...objectStorageBuckets.tables,
  ...objectStorageClusters.tables,
  ...objectStorageKeys.tables,
  ...objectStore.tables,
  ...regions.tables,
  ...transfers.tables,
  ...types.tables,
  ...volumes.tables,
};
export type AreaTables = typeof tables;

/** The handlers of every area, under the contract's name of it. */
export const areas: { [A in keyof Operations]: AreaModule<Operations[A]> } = {
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
  kernels,
  lkeClusters,
  lkeNodes,
  lkePools,
  lkeVersions,
  managedComputeSettings,
  managedContacts,
  managedCredentials,
  managedIssues,
  managedServices,
  oauthClients,
  objectStorage,
  objectStorageBuckets,
  objectStorageCertificates,
  objectStorageClusters,
  objectStorageKeys,
  objectStorageObjects,
  regions,
  serviceTransfers,
  types,
  volumes,
};

/** Everything that can happen later. */
export const tasks: Task<never>[] = [
  ...backupContents.tasks,
  ...instanceBackups.tasks,
  ...instanceDisks.tasks,
  ...instances.tasks,
  ...lkeClusters.tasks,
  ...lkeNodes.tasks,
  ...managedServices.tasks,
  ...transfers.tasks,
  ...volumes.tasks,
];

/** Where data goes in and out beside the API. */
export const planes: readonly Plane[] = [objectPlane];
