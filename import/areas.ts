import type { KindName } from "../provider/resources";

/**
 * The files of an imported project, with the kinds that each file declares. A file refers only to itself and to earlier
 * files, so there are no import cycles.
 */
export const areas = {
  compute: ["Image", "Instance", "InstanceDisk", "Volume", "VolumeAttachment", "InstanceConfig", "InstanceSnapshot"],
  networking: ["InstanceIp", "Ipv6Range", "IpAssignment", "IpSharing", "ReverseDns", "Firewall", "FirewallDevice"],
  "load-balancers": ["NodeBalancer", "NodeBalancerConfig", "NodeBalancerNode"],
  dns: ["Domain", "DomainRecord"],
  kubernetes: ["LkeCluster", "LkeNodePool"],
  "object-storage": ["ObjectStorageBucket", "ObjectStorageObject", "ObjectStorageKey"],
  managed: ["ManagedContact", "ManagedCredential", "ManagedService", "ManagedComputeSettings"],
  account: ["AccountContact", "PaymentMethod", "OAuthClient", "Tag", "ServiceTransfer"],
} as const satisfies Record<string, readonly KindName[]>;

export type AreaFile = keyof typeof areas;

export type ImportableName = (typeof areas)[AreaFile][number];

export const areaFiles = Object.keys(areas) as AreaFile[];

export const fileNameOf = (area: AreaFile): string => `${area}.ts`;

/** The names of the files of an imported project. */
export const fileNames: readonly string[] = areaFiles.map(fileNameOf);

/** The path by which other files import a file: `./dns` for `dns.ts`. */
export const moduleOf = (file: string): string => `./${file.replace(/\.ts$/, "")}`;

/** The kinds that can be imported, in the order of the files that declare them. */
export const importable: readonly KindName[] = areaFiles.flatMap((file) => [...areas[file]]);

export const areaOf = (kind: KindName): AreaFile =>
  areaFiles.find((file) => (areas[file] as readonly KindName[]).includes(kind)) ?? "account";
