import { domainRecords } from "./domain-records";
import { domains } from "./domains";
import { events } from "./events";
import { firewallDevices } from "./firewall-devices";
import { firewalls } from "./firewalls";
import { images } from "./images";
import { instanceAddresses } from "./instance-addresses";
import { instanceBackups } from "./instance-backups";
import { instanceConfigs } from "./instance-configs";
import { instanceDisks } from "./instance-disks";
import { instances } from "./instances";
import { kernels } from "./kernels";
import { lkeClusters } from "./lke-clusters";
import { lkeNodes } from "./lke-nodes";
import { lkePools } from "./lke-pools";
import { lkeVersions } from "./lke-versions";
import type { Area } from "./operation";
import { regions } from "./regions";
import { types } from "./types";
import { volumes } from "./volumes";

/** Every operation of the service, by area. */
export const operations = {
  domainRecords,
  domains,
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
  regions,
  types,
  volumes,
} satisfies Record<string, Area>;

export type Operations = typeof operations;

export * from "./addresses";
export * from "./bounds";
export * from "./common";
export * from "./deployment";
export * from "./dns";
export * from "./domain-records";
export * from "./domains";
export * from "./errors";
export * from "./events";
export * from "./firewall-devices";
export * from "./firewall-rules";
export * from "./firewalls";
export * from "./images";
export * from "./instance-addresses";
export * from "./instance-backups";
export * from "./instance-configs";
export * from "./instance-disks";
export * from "./instances";
export * from "./interfaces";
export * from "./kernels";
export * from "./lke-clusters";
export * from "./lke-nodes";
export * from "./lke-pools";
export * from "./lke-versions";
export * from "./meta";
export * from "./operation";
export * from "./problems";
export * from "./record-rules";
export * from "./regions";
export * from "./rule";
export * from "./types";
export * from "./volumes";
