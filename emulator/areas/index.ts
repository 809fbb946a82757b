import type { Operations } from "../../api";
import type { Row, TableSpec } from "../core/store";
import type { Task } from "../core/world";
import { serviceActions } from "../http/control";
import type { Actions } from "../http/control/action";
import type { DataPlane } from "../http/data-plane";
import type { Part, ServedArea } from "../http/handlers";
import { account } from "./account/account";
import { billing } from "./account/billing";
import { cards } from "./account/cards";
import { accountControl } from "./account/control";
import { entityTransfers } from "./account/entity-transfers";
import { events } from "./account/events";
import { invoices } from "./account/invoices";
import { logins } from "./account/logins";
import { maintenance } from "./account/maintenance";
import { notifications } from "./account/notifications";
import { oauthClients } from "./account/oauth-clients";
import { paymentMethods } from "./account/payment-methods";
import { payments } from "./account/payments";
import { serviceTransfers } from "./account/service-transfers";
import { tags } from "./account/tags";
import { transferControl } from "./account/transfer-control";
import { backupContents } from "./compute/backup-contents";
import { computeControl } from "./compute/control";
import { instanceAddresses } from "./compute/instance-addresses";
import { instanceBackups } from "./compute/instance-backups";
import { instanceConfigs } from "./compute/instance-configs";
import { instanceDisks } from "./compute/instance-disks";
import { instanceVlans } from "./compute/instance-vlans";
import { instances } from "./compute/instances";
import { kernels } from "./compute/kernels";
import { regions } from "./compute/regions";
import { types } from "./compute/types";
import { domainControl } from "./domains/control";
import { domainRecords } from "./domains/domain-records";
import { domains } from "./domains/domains";
import { lkeClusters } from "./kubernetes/lke-clusters";
import { lkeNodes } from "./kubernetes/lke-nodes";
import { lkePools } from "./kubernetes/lke-pools";
import { lkeVersions } from "./kubernetes/lke-versions";
import { nodeBalancerConfigs } from "./load-balancers/node-balancer-configs";
import { nodeBalancerNodes } from "./load-balancers/node-balancer-nodes";
import { nodeBalancers } from "./load-balancers/node-balancers";
import { managedControl } from "./managed/control";
import { managedComputeSettings } from "./managed/managed-compute-settings";
import { managedContacts } from "./managed/managed-contacts";
import { managedCredentials } from "./managed/managed-credentials";
import { managedIssues } from "./managed/managed-issues";
import { managedServices } from "./managed/managed-services";
import { addressPool } from "./networking/address-pool";
import { networkingControl } from "./networking/control";
import { firewallDevices } from "./networking/firewall-devices";
import { firewalls } from "./networking/firewalls";
import { ipv6 } from "./networking/ipv6";
import { networkingIps } from "./networking/networking-ips";
import { vlans } from "./networking/vlans";
import { objectAccount } from "./object-storage/object-account";
import { objectDataPlane } from "./object-storage/object-data-plane";
import { objectStorage } from "./object-storage/object-storage";
import { objectStorageBuckets } from "./object-storage/object-storage-buckets";
import { objectStorageCertificates } from "./object-storage/object-storage-certificates";
import { objectStorageClusters } from "./object-storage/object-storage-clusters";
import { objectStorageKeys } from "./object-storage/object-storage-keys";
import { objectStorageObjects } from "./object-storage/object-storage-objects";
import { objectStore } from "./object-storage/object-store";
import { imageOrigins } from "./storage/image-origins";
import { imageUploads } from "./storage/image-uploads";
import { images } from "./storage/images";
import { volumes } from "./storage/volumes";

/**
 * Exported from this file for users of the package, because the `declare module` at the end of this file adds the
 * tables, such as `world.volumes`, to the type.
 */
export type { World } from "../core/world";

/**
 * All modules of the emulator, from which its tables, tasks and routes are collected. A module that implements API
 * operations has the name of their group in `api/`: `volumes` implements `volumes.create`.
 */
export const areas = {
  account,
  accountControl,
  addressPool,
  backupContents,
  billing,
  cards,
  computeControl,
  domainControl,
  domainRecords,
  domains,
  entityTransfers,
  events,
  firewallDevices,
  firewalls,
  imageOrigins,
  imageUploads,
  images,
  instanceAddresses,
  instanceBackups,
  instanceConfigs,
  instanceDisks,
  instanceVlans,
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
  managedComputeSettings,
  managedContacts,
  managedControl,
  managedCredentials,
  managedIssues,
  managedServices,
  networkingControl,
  networkingIps,
  nodeBalancerConfigs,
  nodeBalancerNodes,
  nodeBalancers,
  notifications,
  oauthClients,
  objectAccount,
  objectDataPlane,
  objectStorage,
  objectStorageBuckets,
  objectStorageCertificates,
  objectStorageClusters,
  objectStorageKeys,
  objectStorageObjects,
  objectStore,
  paymentMethods,
  payments,
  regions,
  serviceTransfers,
  tags,
  transferControl,
  types,
  vlans,
  volumes,
} satisfies { [A in keyof Operations]: ServedArea<Operations[A]> } & Record<string, AnyPart>;

/** Any module of the emulator, such as `volumes`. The rows of its tables can have any type. */
type AnyPart = Omit<Part, "tables"> & { tables?: Readonly<Record<string, TableSpec<Row>>> | undefined };

const parts: readonly AnyPart[] = Object.values(areas);

export const tables: Readonly<Record<string, TableSpec<Row>>> = Object.assign({}, ...parts.map((part) => part.tables));

/** Every task that the emulator can schedule, such as the expiry of an upload. */
export const tasks: readonly Task<never>[] = parts.flatMap((part) => part.tasks ?? []);

/** Handlers of requests that are not API operations: S3 requests to object storage, and uploads of images. */
export const dataPlanes: readonly DataPlane[] = parts.flatMap(({ dataPlane }) => dataPlane ?? []);

/** Every endpoint under `/_emulator`. */
export const actions: Actions = Object.assign({}, serviceActions, ...parts.map((part) => part.control));

/** The type of the rows of each table that a module of the emulator declares. */
type RowsOf<P> = P extends { tables: infer S }
  ? { [T in keyof S]: S[T] extends TableSpec<infer R> ? R : never }
  : never;
/** The intersection of the members of a union type. */
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type AreaRows = Together<RowsOf<(typeof areas)[keyof typeof areas]>>;

declare module "../core/store" {
  interface Tables extends AreaRows {}
}
