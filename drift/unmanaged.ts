import { entryOf, fieldsOf, type Operation, operations, pathNames } from "../api";
import { isNotFound } from "../provider/client/errors";
import type { Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import { idOf, idProblem, nameOf, pathOf } from "../provider/engine/identity";
import { list, recordPath } from "../provider/engine/records";
import type { Bag } from "../provider/engine/values";
import { alphabet } from "../provider/pulumi/order";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { type KindName, kinds } from "../provider/resources";
import { type Holder, holdersOf, objectKeys, pathsIn } from "../stack/holders";
import type { StackState, StateResource } from "../stack/state";
import { failureIn, readEach } from "./account";
import type { UnmanagedObject, Unread } from "./model";
import { regionIn, relatedTo } from "./objects";

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

/**
 * The kinds in the order in which they are listed: parents first. Disks and configs of instances come last, because the
 * node pools that are listed before show which instances are Kubernetes nodes.
 */
const levels = [0, 1, 2].map((level) => names.filter((name) => levelOf(name) === level));

function levelOf(name: ListedName): number {
  const parent = listed[name];
  return parent === undefined ? 0 : parent === "Instance" ? 2 : levelOf(parent) + 1;
}

/** The inputs in which a resource can declare its nested objects, as a firewall declares its devices in `devices`. */
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
export async function inventoryOf(
  host: Host,
  managed: readonly StateResource[] | "all",
  limit?: TimeLimit,
): Promise<Inventory> {
  const found: Inventory = { objects: [], unread: [] };
  for (const level of levels) {
    const sources = level.flatMap((name) => sourcesOf(name, managed, found));
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
      ? new Set(managed.filter((resource) => !isInline(name, resource)).flatMap(keysOf))
      : undefined;
  return wholes
    .filter(({ kind, path }) => !declaring || objectKeys(kind, path).some((key) => declaring.has(key)))
    .map(({ path }) => ({ address: name, kind, parents: path }));
}

/**
 * Whether the resource declares its nested objects in an input, as a firewall does with `devices`. The drift check then
 * reports an additional nested object as a difference of the resource, not as an unmanaged object.
 */
function isInline(part: ListedName, { declared }: StateResource): boolean {
  const inputs = new Set(declared.map((path) => path.split(".")[0]));
  return declarations[part]?.some((input) => inputs.has(input)) ?? false;
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

/** The objects that no stack manages, except Kubernetes nodes and objects that are nested in an unmanaged object. */
export function unmanagedIn(
  { objects }: Pick<Inventory, "objects">,
  holders: readonly Holder[],
): { unmanaged: UnmanagedObject[]; managed: number } {
  const holderOf = holdersOf(holders);
  const isHeld = ({ kind, path }: FoundObject): boolean => holderOf(kind, path) !== undefined;
  const isListed = ({ kind, path }: FoundObject): boolean =>
    kind.name !== "LkeNodePool" || holderOf(kinds.LkeCluster, path)?.relation === "managed";
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

/** Removes the instances that are Kubernetes nodes, because clusters create and delete them. */
export function withoutNodes(objects: readonly FoundObject[]): FoundObject[] {
  const nodes = new Set(objects.flatMap(({ row }) => (Array.isArray(row.nodes) ? row.nodes.map(instanceOf) : [])));
  return objects.filter(({ kind, row }) => kind.name !== "Instance" || !nodes.has(row.id));
}

const instanceOf = (node: Bag): unknown => node.instance_id;

/** Keys of the lists that resources declare in an input, such as `FirewallDevice 12` for the devices of firewall 12. */
export const inlineIn = (stacks: readonly StackState[]): Set<string> =>
  new Set(
    stacks.flatMap(({ resources }) =>
      resources.flatMap((resource) =>
        names.filter((name) => isInline(name, resource)).flatMap((name) => partsOf(name, resource)),
      ),
    ),
  );

function partsOf(name: ListedName, { kind, id, state }: StateResource): string[] {
  const parent: KindName | undefined = listed[name];
  if (parent === undefined) return [];
  return pathsIn(kinds[parent].identity.area, kind, pathOf(kind, id), state).map(
    (path) => `${name} ${Object.values(path).join("/")}`,
  );
}

const keysOf = ({ kind, id, state }: StateResource): string[] => objectKeys(kind, pathOf(kind, id), state);

const parentInputs = ({ identity: { parents } }: Kind, path: Bag): Bag =>
  Object.fromEntries(Object.entries(parents ?? {}).map(([input, part]) => [input, path[part as string]]));

/**
 * The command that brings an unmanaged object into a stack, such as `npx cloudinfra adopt Volume data 640144`. Nested
 * objects, such as disks, often share a label, so their suggested names end with the id.
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
