import type { ListedName } from "../account/inventory";
import type { FurtherName } from "../account/objects";
import type { KindName } from "../provider/resources";

/**
 * The files of an imported project. A file refers only to itself and to earlier files, so there are no import cycles.
 */
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
 * The file that declares the objects of a resource class, and the reason why an import of a whole account omits them.
 * They are imported only on request, for example with the argument `payment-method/123`.
 */
interface Single {
  readonly file: AreaFile;
  readonly leftOut: string;
}

/**
 * For each resource class, the file that declares its objects, and the reason if an import of a whole account omits
 * them. Undefined for actions such as `InstanceAction`, because they do not create objects.
 */
type Files = { readonly [K in KindName]: K extends ListedName | FurtherName ? AreaFile : Single | undefined };

/** The program that the import writes declares the resources in the order of these entries. */
const files: Files = {
  Image: "compute",
  Instance: "compute",
  InstanceDisk: "compute",
  Volume: "compute",
  VolumeAttachment: { file: "compute", leftOut: "`computeId` of the volume declares it" },
  InstanceConfig: "compute",
  InstanceSnapshot: { file: "compute", leftOut: "finding snapshots takes a request for each instance" },
  InstanceIp: { file: "networking", leftOut: "the API does not return which addresses of an instance are additional" },
  Ipv6Range: { file: "networking", leftOut: "only support changes ranges" },
  IpAssignment: { file: "networking", leftOut: "the API returns where addresses are, but not which were moved there" },
  IpSharing: { file: "networking", leftOut: "finding shared addresses takes a request for each instance" },
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
  ObjectStorageObject: {
    file: "object-storage",
    leftOut: "a bucket can have millions of objects, and their content would have to be downloaded",
  },
  ObjectStorageKey: "object-storage",
  ManagedContact: "managed",
  ManagedCredential: "managed",
  ManagedService: "managed",
  ManagedComputeSettings: {
    file: "managed",
    leftOut: "every instance has them, whether or not a program manages them",
  },
  AccountContact: { file: "account", leftOut: "every account has one, whether or not a program manages it" },
  PaymentMethod: { file: "account", leftOut: "the API does not return the number of a card" },
  OAuthClient: "account",
  Tag: "account",
  ServiceTransfer: { file: "account", leftOut: "a transfer is an offer that ends when it is accepted or expires" },
  InstanceAction: undefined,
  LkeNodeRecycle: undefined,
};

const entries = Object.entries(files) as [KindName, AreaFile | Single | undefined][];

/** The resource classes that an import of a whole account omits, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = Object.fromEntries(
  entries
    .flatMap(([kind, file]) => (typeof file === "object" ? [[kind, file.leftOut] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

export const fileNameOf = (area: AreaFile): string => `${area}.ts`;

export const fileNames: readonly string[] = areaFiles.map(fileNameOf);

/** The path by which other files import a file: `./dns` for `dns.ts`. */
export const moduleOf = (file: string): string => `./${file.replace(/\.ts$/, "")}`;

/** The resource classes that can be imported, in the order in which a program declares their objects. */
export const importable: readonly KindName[] = entries.flatMap(([kind, file]) => (file ? [kind] : []));

export function areaOf(kind: KindName): AreaFile {
  const file = files[kind];
  return (typeof file === "object" ? file.file : file) ?? "account";
}
