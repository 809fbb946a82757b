import type { KindName } from "../provider/resources";

/** The files of an imported project. A file refers only to itself and to earlier files, so there are no import cycles. */
export const areaFiles = [
  "compute",
  "networking",
  "load-balancers",
  "dns",
  "kubernetes",
  "object-storage",
  "managed",
  "account",
] as const;

export type AreaFile = (typeof areaFiles)[number];

/**
 * The file that declares the objects of each kind, in the order of the declarations. Undefined for actions, because
 * they do not create objects that could be imported.
 */
const files = {
  Image: "compute",
  Instance: "compute",
  InstanceDisk: "compute",
  Volume: "compute",
  VolumeAttachment: "compute",
  InstanceConfig: "compute",
  InstanceSnapshot: "compute",
  InstanceIp: "networking",
  Ipv6Range: "networking",
  IpAssignment: "networking",
  IpSharing: "networking",
  ReverseDns: "networking",
  Firewall: "networking",
  FirewallDevice: "networking",
  NodeBalancer: "load-balancers",
  NodeBalancerConfig: "load-balancers",
  NodeBalancerNode: "load-balancers",
  Domain: "dns",
  DomainRecord: "dns",
  LkeCluster: "kubernetes",
  LkeNodePool: "kubernetes",
  ObjectStorageBucket: "object-storage",
  ObjectStorageObject: "object-storage",
  ObjectStorageKey: "object-storage",
  ManagedContact: "managed",
  ManagedCredential: "managed",
  ManagedService: "managed",
  ManagedComputeSettings: "managed",
  AccountContact: "account",
  PaymentMethod: "account",
  OAuthClient: "account",
  Tag: "account",
  ServiceTransfer: "account",
  InstanceAction: undefined,
  LkeNodeRecycle: undefined,
} as const satisfies Record<KindName, AreaFile | undefined>;

export type ImportableName = {
  [K in KindName]: (typeof files)[K] extends undefined ? never : K;
}[KindName];

export const fileNameOf = (area: AreaFile): string => `${area}.ts`;

/** The names of the files of an imported project. */
export const fileNames: readonly string[] = areaFiles.map(fileNameOf);

/** The path by which other files import a file: `./dns` for `dns.ts`. */
export const moduleOf = (file: string): string => `./${file.replace(/\.ts$/, "")}`;

/** The kinds that can be imported, in the order of the files that declare them. */
export const importable: readonly KindName[] = (Object.keys(files) as KindName[]).filter((kind) => files[kind]);

export const areaOf = (kind: KindName): AreaFile => files[kind] ?? "account";
