import { entryOf, fieldsOf, isObject, type Operation, operations, pathNames } from "../api";
import { isNotFound } from "../provider/client/errors";
import type { Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import { idOf, list, nameOf, recordPath } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { alphabet } from "../provider/heads/order";
import { type KindName, kinds } from "../provider/resources";
import { readEach } from "./account";
import type { UnmanagedObject, Unread } from "./model";
import { regionIn, relatedTo } from "./objects";
import type { StackState, StateResource } from "./state";

/** An object that a list operation has returned. */
export interface FoundObject {
  kind: Kind;
  path: Bag;
  row: Bag;
}

/** The objects in the lists of an account, by kind. */
export interface Inventory {
  objects: FoundObject[];
  unread: Unread[];
}

/** Kinds that the API can list, each with the kind of the containing objects. */
const listed = {
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

const names = Object.keys(listed) as ListedName[];

/** The order of the lists: parts after the containing objects, and parts of instances after the nodes of clusters. */
const levels = [0, 1, 2].map((level) => names.filter((name) => levelOf(name) === level));

function levelOf(name: ListedName): number {
  const parent = listed[name];
  return parent === undefined ? 0 : parent === "Instance" ? 2 : levelOf(parent) + 1;
}

/** The inputs of the containing object that declare its parts. */
const declarations: { readonly [K in ListedName]?: readonly string[] } = {
  FirewallDevice: ["devices"],
  InstanceConfig: ["image", "clone_from", "backup_id", "config", "interfaces"],
  InstanceDisk: ["image", "clone_from", "backup_id"],
};

/**
 * Reads all lists of an account: first the lists of top-level objects, then the lists of the objects nested in them.
 * Nested objects are read for managed objects only, or for all objects if `managed` is `all`. Node pools are always
 * read, because they show which instances are Kubernetes nodes.
 */
export async function inventoryOf(host: Host, managed: readonly StateResource[] | "all"): Promise<Inventory> {
  const found: Inventory = { objects: [], unread: [] };
  for (const level of levels) {
    const sources = level.flatMap((name) => sourcesOf(name, managed, found));
    const { done, unread } = await readEach(sources, (source) => rowsIn(host, source));
    found.objects.push(...done.flatMap(({ result }) => result));
    found.unread.push(...unread.map(({ kind, reason }) => ({ kind, reason, resources: [] })));
  }
  return found;
}

interface Source {
  address: string;
  kind: Kind;
  /** Path parameters of the list operation. */
  parents: Bag;
}

function sourcesOf(
  name: ListedName,
  managed: readonly StateResource[] | "all",
  { objects }: Pick<Inventory, "objects">,
): Source[] {
  const [kind, parent]: [Kind, KindName | undefined] = [kinds[name], listed[name]];
  if (parent === undefined) return [{ address: name, kind, parents: {} }];
  const wholes = withoutNodes(objects).filter((whole) => whole.kind.name === parent && !isDeployed(whole));
  const declaring =
    managed !== "all" && name !== "LkeNodePool"
      ? new Set(managed.filter((resource) => !isInline(name, resource)).map(({ kind, id }) => `${kind.name} ${id}`))
      : undefined;
  return wholes
    .filter((whole) => declaring?.has(heldKey(whole.kind, whole.path)) ?? true)
    .map(({ path }) => ({ address: name, kind, parents: path }));
}

/**
 * Whether the program declares the nested objects as an input of the containing resource, such as `devices` of a
 * firewall. Additional objects are then reported as a difference of that resource, not as unmanaged objects.
 */
function isInline(part: ListedName, { declared }: StateResource): boolean {
  const inputs = new Set(declared.map((path) => path.split(".")[0]));
  return declarations[part]?.some((input) => inputs.has(input)) ?? false;
}

/** Whether the object is an instance whose disks and configs were created from an image. */
const isDeployed = ({ kind, row }: FoundObject): boolean => kind.name === "Instance" && Boolean(row.image);

async function rowsIn(host: Host, { kind, parents }: Source): Promise<FoundObject[]> {
  const objects: FoundObject[] = [];
  try {
    for await (const row of list(kind, host, parents, {}))
      if (!isOfTheService(kind, row)) objects.push({ kind, path: pathFor(kind, parents, row), row });
  } catch (error) {
    // If the containing object was deleted, its nested objects were deleted with it. The comparison of the containing
    // object reports that.
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

/**
 * The objects that no stack manages. Parts of unmanaged objects, and the instances of Kubernetes nodes, are omitted.
 */
export function unmanagedIn(
  { objects }: Inventory,
  stacks: readonly StackState[],
): { unmanaged: UnmanagedObject[]; managed: number } {
  const held = heldBy(stacks);
  const isHeld = ({ kind, path }: FoundObject): boolean => held.has(heldKey(kind, path));
  const isListed = ({ kind, path }: FoundObject): boolean =>
    kind.name !== "LkeNodePool" || held.has(`LkeCluster ${path.clusterId}`);
  const unmanaged = withoutNodes(objects)
    .filter((object) => !isHeld(object) && isListed(object))
    .map(({ kind, path, row }) => {
      const id = idOf(kind, path);
      const title = nameOf({ kind, path, want: { ...parentInputs(kind, path), fqdn: row.name, ...row } });
      const on = relatedTo(kind, id, row);
      return {
        kind: kind.name,
        id,
        title,
        ...regionIn(row),
        ...(on.length && { on }),
        adopt: adoptLine(kind, id, row),
      };
    });
  return { unmanaged: unmanaged.sort(byKindAndTitle), managed: objects.filter(isHeld).length };
}

/** Removes the instances of Kubernetes nodes, because their clusters manage them. */
export function withoutNodes(objects: readonly FoundObject[]): FoundObject[] {
  const nodes = new Set(objects.flatMap(({ row }) => (Array.isArray(row.nodes) ? row.nodes.map(instanceOf) : [])));
  return objects.filter(({ kind, row }) => kind.name !== "Instance" || !nodes.has(row.id));
}

const instanceOf = (node: Bag): unknown => node.instance_id;

/** The objects that the stacks manage, as texts with kind and id. */
export const heldBy = (stacks: readonly StackState[]): Set<string> =>
  new Set(stacks.flatMap((stack) => stack.resources.flatMap(holds)));

/** The lists of parts that resources declare, as texts with the kind of the parts and the id of the containing object. */
export const inlineIn = (stacks: readonly StackState[]): Set<string> =>
  new Set(
    stacks.flatMap(({ resources }) =>
      resources.flatMap((resource) =>
        names
          .filter((name) => listed[name] === resource.kind.name && isInline(name, resource))
          .map((name) => `${name} ${resource.id}`),
      ),
    ),
  );

/** The text with kind and id that represents an object in a set. */
export const heldKey = (kind: Kind, path: Bag): string => `${kind.name} ${idOf(kind, path)}`;

/** The objects that a resource manages: its own object and, for a cluster, the declared node pools. */
function holds({ kind, id, state }: StateResource): string[] {
  const pools = kind.name === "LkeCluster" && isObject(state.pool_ids) ? Object.values(state.pool_ids) : [];
  return [`${kind.name} ${id}`, ...pools.map((pool) => `LkeNodePool ${id}/${pool}`)];
}

const parentInputs = ({ identity: { parents } }: Kind, path: Bag): Bag =>
  Object.fromEntries(Object.entries(parents ?? {}).map(([input, part]) => [input, path[part as string]]));

/**
 * The command that adopts an object. Parts often have the same names, so the suggested name of a part ends with the id.
 */
function adoptLine({ name: kind, identity }: Kind, id: string, { label, domain, name }: Bag): string {
  const called = [label, domain, name].find((text) => typeof text === "string" && /[a-z]/i.test(text)) ?? kind;
  const words = identity.parents || called === kind ? [called, id.split("/").at(-1)] : [called];
  const plain = words
    .join("-")
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "");
  return `npx cloudinfra adopt ${kind} ${plain} ${/^[\w./:-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`}`;
}

const byKindAndTitle = (a: UnmanagedObject, b: UnmanagedObject): number =>
  alphabet.compare(a.kind, b.kind) || alphabet.compare(a.title, b.title);

/** A connection that returns the objects of an inventory without reading them again. */
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

/** Whether the list operation returns all fields that the view operation returns. */
function isComplete({ identity: { area } }: Kind): boolean {
  const { view, list } = operations[area as keyof typeof operations] as Partial<Record<string, Operation>>;
  if (!view || !list) return false;
  const [parts, parents] = [view, list].map(({ path }) => pathNames(path)) as [string[], string[]];
  if (parents.some((name, i) => name !== parts[i])) return false;
  const entry = entryOf(list);
  return entry !== undefined && Object.keys(fieldsOf(view.result)).every((name) => name in fieldsOf(entry));
}
