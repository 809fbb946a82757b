import { account } from "./account/account";
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
import { instanceAddresses } from "./compute/instance-addresses";
import { instanceBackups } from "./compute/instance-backups";
import { instanceConfigs } from "./compute/instance-configs";
import { instanceDisks } from "./compute/instance-disks";
import { instances } from "./compute/instances";
import { kernels } from "./compute/kernels";
import { regions } from "./compute/regions";
import { types } from "./compute/types";
import { domainRecords } from "./domains/domain-records";
import { domains } from "./domains/domains";
import { lkeClusters } from "./kubernetes/lke-clusters";
import { lkeNodes } from "./kubernetes/lke-nodes";
import { lkePools } from "./kubernetes/lke-pools";
import { lkeVersions } from "./kubernetes/lke-versions";
import { nodeBalancerConfigs } from "./load-balancers/node-balancer-configs";
import { nodeBalancerNodes } from "./load-balancers/node-balancer-nodes";
import { nodeBalancers } from "./load-balancers/node-balancers";
import { managedComputeSettings } from "./managed/managed-compute-settings";
import { managedContacts } from "./managed/managed-contacts";
import { managedCredentials } from "./managed/managed-credentials";
import { managedIssues } from "./managed/managed-issues";
import { managedServices } from "./managed/managed-services";
import { firewallDevices } from "./networking/firewall-devices";
import { firewalls } from "./networking/firewalls";
import { ipv6 } from "./networking/ipv6";
import { networkingIps } from "./networking/networking-ips";
import { vlans } from "./networking/vlans";
import { objectStorage } from "./object-storage/object-storage";
import { objectStorageBuckets } from "./object-storage/object-storage-buckets";
import { objectStorageCertificates } from "./object-storage/object-storage-certificates";
import { objectStorageClusters } from "./object-storage/object-storage-clusters";
import { objectStorageKeys } from "./object-storage/object-storage-keys";
import { objectStorageObjects } from "./object-storage/object-storage-objects";
import type { Area } from "./schema/operation";
import { images } from "./storage/images";
import { volumes } from "./storage/volumes";

/** Every operation of the API. Operations on the same type of object form an area, such as `volumes`. */
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

/** Version of the API whose operations this package contains. */
export const VERSION = "4.108.1";

export type Operations = typeof operations;

export type AreaName = keyof Operations;

/** The name of an operation with its area, such as `volumes.resize`. */
export type OperationName = { [A in AreaName]: `${A}.${keyof Operations[A] & string}` }[AreaName];

export * from "./account/account";
export * from "./account/cards";
export * from "./account/entity-transfers";
export * from "./account/events";
export * from "./account/invoices";
export * from "./account/logins";
export * from "./account/maintenance";
export * from "./account/notifications";
export * from "./account/oauth-clients";
export * from "./account/payment-methods";
export * from "./account/payments";
export * from "./account/service-transfers";
export * from "./account/tags";
export * from "./compute/deployment";
export * from "./compute/instance-addresses";
export * from "./compute/instance-backups";
export * from "./compute/instance-clone";
export * from "./compute/instance-configs";
export * from "./compute/instance-disks";
export * from "./compute/instance-moves";
export * from "./compute/instance-power";
export * from "./compute/instance-record";
export * from "./compute/instance-stats";
export * from "./compute/instances";
export * from "./compute/interfaces";
export * from "./compute/kernels";
export * from "./compute/regions";
export * from "./compute/types";
export * from "./dialects";
export * from "./domains/dns";
export * from "./domains/domain-records";
export * from "./domains/domains";
export * from "./domains/record-rules";
export * from "./kubernetes/lke-clusters";
export * from "./kubernetes/lke-nodes";
export * from "./kubernetes/lke-pools";
export * from "./kubernetes/lke-versions";
export * from "./load-balancers/node-balancer-config-rules";
export * from "./load-balancers/node-balancer-configs";
export * from "./load-balancers/node-balancer-nodes";
export * from "./load-balancers/node-balancers";
export * from "./managed/managed-compute-settings";
export * from "./managed/managed-contacts";
export * from "./managed/managed-credentials";
export * from "./managed/managed-issues";
export * from "./managed/managed-services";
export * from "./networking/addresses";
export * from "./networking/firewall-devices";
export * from "./networking/firewall-rules";
export * from "./networking/firewalls";
export * from "./networking/ipv6";
export * from "./networking/networking-ips";
export * from "./networking/vlans";
export * from "./object-storage/object-storage";
export * from "./object-storage/object-storage-buckets";
export * from "./object-storage/object-storage-certificates";
export * from "./object-storage/object-storage-clusters";
export * from "./object-storage/object-storage-keys";
export * from "./object-storage/object-storage-objects";
export * from "./schema/absent";
export * from "./schema/bounds";
export * from "./schema/bytes";
export * from "./schema/catalogued";
export * from "./schema/common";
export * from "./schema/did-you-mean";
export * from "./schema/documents";
export * from "./schema/error-statuses";
export * from "./schema/errors";
export * from "./schema/event-actions";
export * from "./schema/flag-names";
export * from "./schema/layers";
export * from "./schema/lists";
export * from "./schema/meta";
export * from "./schema/named";
export * from "./schema/naming";
export * from "./schema/operation";
export * from "./schema/pem";
export * from "./schema/problems";
export * from "./schema/read-only";
export * from "./schema/redact";
export * from "./schema/rule";
export * from "./schema/schema-walk";
export * from "./schema/sound-variants";
export * from "./schema/text";
export * from "./schema/wire-names";
export * from "./storage/images";
export * from "./storage/volumes";
