import { entryOf, fieldsOf, type Operation, operations, pathNames } from "../api";
import { isNotFound } from "../provider/client/errors";
import type { Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import { idOf, idProblem } from "../provider/engine/identity";
import { list, recordPath } from "../provider/engine/records";
import type { Bag } from "../provider/engine/values";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { type KindName, kinds } from "../provider/resources";
import { failureIn, readEach, type Unread } from "./reading";

/** An object that a list operation has returned. */
export interface FoundObject {
  kind: Kind;
  path: Bag;
  row: Bag;
}

/** The objects that the API's list operations returned for an account, and the lists that could not be read. */
export interface Inventory {
  objects: FoundObject[];
  unread: Unread[];
  /** The first error that shows that the service could not be reached. */
  failure?: Error | undefined;
}

/** The kinds that the API can list, each with the kind that contains it, as `Domain` contains `DomainRecord`. */
export const listed = {
  Domain: undefined,
  DomainRecord: "Domain",
  Firewall: undefined,
  FirewallDevice: "Firewall",
  Image: undefined,
  Instance: undefined,
  InstanceConfig: "Instance",
  InstanceDisk: "Instance",
  LkeCluster: undefined,
  LkeNodePool: "LkeCluster",
  ManagedContact: undefined,
  ManagedCredential: undefined,
  ManagedService: undefined,
  NodeBalancer: undefined,
  NodeBalancerConfig: "NodeBalancer",
  NodeBalancerNode: "NodeBalancerConfig",
  OAuthClient: undefined,
  ObjectStorageBucket: undefined,
  ObjectStorageKey: undefined,
  Volume: undefined,
} as const satisfies { [K in KindName]?: KindName | undefined };

export type ListedName = keyof typeof listed;

export const names = Object.keys(listed) as ListedName[];

/**
 * The kinds in the order in which they are listed: parents first. Disks and configs of instances come last, because the
 * node pools that are listed before show which instances are Kubernetes nodes.
 */
const levels = [0, 1, 2].map((level) => names.filter((name) => levelOf(name) === level));

function levelOf(name: ListedName): number {
  const parent = listed[name];
  return parent === undefined ? 0 : parent === "Instance" ? 2 : levelOf(parent) + 1;
}

/**
 * Which nested objects to read: all, or those of a kind for which the function returns true for the object that contains
 * them.
 */
export type Wanted = "all" | ((part: ListedName, whole: FoundObject) => boolean);

/**
 * Reads all lists of an account: first the lists of top-level objects, then the lists of the objects nested in them.
 * Node pools are always read, because they show which instances are Kubernetes nodes.
 */
export async function inventoryOf(host: Host, wanted: Wanted, limit?: TimeLimit): Promise<Inventory> {
  const found: Inventory = { objects: [], unread: [] };
  for (const level of levels) {
    const sources = level.flatMap((name) => sourcesOf(name, wanted, found));
    const { done, unread, failure } = await readEach(sources, (source) => rowsIn(host, source), limit);
    found.failure = failureIn([found.failure, failure]);
    for (const object of done.flatMap(({ result }) => result)) {
      const reason = idProblem(object.kind, idOf(object.kind, object.path));
      if (reason === undefined) found.objects.push(object);
      else
        found.unread.push({
          kind: object.kind.name,
          reason: `the API lists an object that cannot be read: ${reason}`,
          resources: [],
        });
    }
    found.unread.push(...unread.map(({ kind, reason }) => ({ kind, reason, resources: [] })));
  }
  return found;
}

interface Source {
  address: string;
  kind: Kind;
  /** Path parameters of the list request, such as `{ domainId: 12 }`. */
  parents: Bag;
}

function sourcesOf(name: ListedName, wanted: Wanted, { objects }: Pick<Inventory, "objects">): Source[] {
  const [kind, parent]: [Kind, KindName | undefined] = [kinds[name], listed[name]];
  if (parent === undefined) return [{ address: name, kind, parents: {} }];
  const isWanted = (whole: FoundObject): boolean => wanted === "all" || name === "LkeNodePool" || wanted(name, whole);
  return withoutNodes(objects)
    .filter((whole) => whole.kind.name === parent && !isDeployed(whole) && isWanted(whole))
    .map(({ path }) => ({ address: name, kind, parents: path }));
}

/**
 * Whether the object is an instance that was created from an image. Its disks and configs were created with it, so they
 * are not reported as unmanaged.
 */
const isDeployed = ({ kind, row }: FoundObject): boolean => kind.name === "Instance" && Boolean(row.image);

async function rowsIn(host: Host, { kind, parents }: Source): Promise<FoundObject[]> {
  const objects: FoundObject[] = [];
  try {
    for await (const row of list(kind, host, parents, {}))
      if (!isOfTheService(kind, row)) objects.push({ kind, path: pathFor(kind, parents, row), row });
  } catch (error) {
    // The parent was deleted after it was listed, so it has no nested objects to report.
    if (!isNotFound(error)) throw error;
  }
  return objects;
}

/** Whether the service provides the object in every account, as it does with public images. */
const isOfTheService = ({ name }: Kind, row: Bag): boolean => name === "Image" && row.is_public === true;

function pathFor(kind: Kind, parents: Bag, row: Bag): Bag {
  if (kind.name === "ObjectStorageBucket") return { clusterId: row.cluster, bucket: row.label };
  return recordPath(kind, parents, row);
}

/** Removes the instances that are Kubernetes nodes, because clusters create and delete them. */
export function withoutNodes(objects: readonly FoundObject[]): FoundObject[] {
  const nodes = new Set(objects.flatMap(({ row }) => (Array.isArray(row.nodes) ? row.nodes.map(instanceOf) : [])));
  return objects.filter(({ kind, row }) => kind.name !== "Instance" || !nodes.has(row.id));
}

const instanceOf = (node: Bag): unknown => node.instance_id;

/** Wraps the API connection, so that it returns objects that were already listed without requesting them again. */
export function withInventory(host: Host, { objects }: Pick<Inventory, "objects">): Host {
  const rows = new Map<string, Bag>();
  for (const { kind, path, row } of objects)
    if (isComplete(kind)) rows.set(JSON.stringify([kind.identity.area, ...Object.values(path)]), row);
  const { reads } = host;
  const view: typeof reads.view = async (area, path, options) => {
    const row = rows.get(JSON.stringify([area, ...Object.values(path)]));
    return (row ?? (await reads.view(area, path, options))) as never;
  };
  return { ...host, reads: { ...reads, view } };
}

/** Whether the list operation returns all fields of an object, so that it does not have to be requested again. */
function isComplete({ identity: { area } }: Kind): boolean {
  const { view, list } = operations[area as keyof typeof operations] as Partial<Record<string, Operation>>;
  if (!view || !list) return false;
  const [parts, parents] = [view, list].map(({ path }) => pathNames(path)) as [string[], string[]];
  if (parents.some((name, i) => name !== parts[i])) return false;
  const entry = entryOf(list);
  return entry !== undefined && Object.keys(fieldsOf(view.result)).every((name) => name in fieldsOf(entry));
}
