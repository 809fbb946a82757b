import { entryOf, fieldsOf, type Operation, operations, pathNames } from "../api";
import { isNotFound } from "../provider/client/errors";
import { factsOf, type Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import { idOf, idProblem } from "../provider/engine/identity";
import { observeSurely } from "../provider/engine/observe";
import { list, recordPath } from "../provider/engine/records";
import type { Bag } from "../provider/engine/values";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { allKinds, containerKindOf, kindAt } from "./kinds";
import { failureIn, readEach, type Unread } from "./reading";

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

const listedKinds = allKinds.filter((kind) => factsOf(kind).list === "operation");

/**
 * The kinds in the order in which they are listed: parents first. Disks and configs of instances come last, because the
 * node pools that are listed before show which instances are Kubernetes nodes.
 */
const levels = [...Map.groupBy(listedKinds, levelOf)].sort(([a], [b]) => a - b).map(([, kindsOfLevel]) => kindsOfLevel);

function levelOf(kind: Kind): number {
  const container = containerKindOf(kind);
  if (!container) return 0;
  const creators = listedKinds.filter((one) => factsOf(one).creates?.area === container.identity.area);
  return Math.max(...[container, ...creators].map(levelOf)) + 1;
}

/**
 * Which nested objects to read: all, or those of a kind for which the function returns true for the object that contains
 * them.
 */
export type NestedSelection = "all" | ((part: Kind, container: FoundObject) => boolean);

/**
 * Reads the lists of an account: first all lists of top-level objects, then the selected lists of the objects nested in
 * them. Node pools are always read, because they show which instances are Kubernetes nodes. Only the lists of kinds for
 * which `covers` returns false, and of the objects nested in theirs, are not read. Without the lists of clusters and node
 * pools, nodes look like other instances.
 */
export async function inventoryOf(
  host: Host,
  selection: NestedSelection,
  limit?: TimeLimit,
  covers: (kind: string) => boolean = () => true,
): Promise<Inventory> {
  const found: Inventory = { objects: [], unread: [] };
  for (const level of levels) {
    const sources = level.filter(({ name }) => covers(name)).flatMap((kind) => sourcesOf(kind, selection, found));
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

function sourcesOf(kind: Kind, selection: NestedSelection, inventory: Inventory): Source[] {
  const [address, parent] = [kind.name, containerKindOf(kind)];
  if (!parent) return [{ address, kind, parents: {} }];
  const isSelected = (container: FoundObject): boolean =>
    selection === "all" || factsOf(kind).creates !== undefined || selection(kind, container);
  return withoutCreated(inventory)
    .filter(
      (container) =>
        container.kind === parent && !factsOf(parent).createsNested?.(container.row) && isSelected(container),
    )
    .map(({ path }) => ({ address, kind, parents: path }));
}

async function rowsIn(host: Host, { kind, parents }: Source): Promise<FoundObject[]> {
  const objects: FoundObject[] = [];
  try {
    for await (const row of list(kind, host, parents, {}))
      if (!factsOf(kind).isProvided?.(row)) objects.push({ kind, path: recordPath(kind, parents, row), row });
  } catch (error) {
    // The parent was deleted after it was listed, so it has no nested objects to report.
    const container = containerKindOf(kind);
    if (!isNotFound(error) || !container || (await exists(host, container, parents))) throw error;
  }
  return objects;
}

const exists = (host: Host, kind: Kind, path: Bag): Promise<boolean> =>
  observeSurely({ kind, host, path, want: {}, state: {}, purpose: "update" }, "now").then(Boolean);

/**
 * Removes the objects that other objects create and delete, such as instances that are Kubernetes nodes. If those others
 * could not be read, all objects of the kind are removed, because any of them can be such an object.
 */
export function withoutCreated(inventory: Pick<Inventory, "objects" | "unread">): FoundObject[] {
  const { objects } = inventory;
  const unclear = new Set(unclearIn(inventory).map((one) => one.created));
  const created = new Set(
    objects.flatMap(({ kind, row }) => {
      const { creates } = factsOf(kind);
      return creates?.ids(row).map((id) => `${creates.area} ${id}`) ?? [];
    }),
  );
  return objects.filter(
    ({ kind, path }) => !unclear.has(kind.name) && !created.has(`${kind.identity.area} ${idOf(kind, path)}`),
  );
}

const unclearIn = ({ unread }: Pick<Inventory, "unread">): ReturnType<typeof unrecognizable> =>
  unrecognizable((name) => !unread.some(({ kind }) => kind === name));

/** The kinds that {@link withoutCreated} removes completely, with `what` was not done with their objects. */
export const leftOut = (inventory: Pick<Inventory, "unread">, what: string): Unread[] =>
  unclearIn(inventory).map(({ created, creator, unread }) => ({
    kind: created,
    reason: `${what}, because ${unread} could not be read: objects that a ${creator} creates cannot be distinguished from others`,
    resources: [],
  }));

/**
 * The kinds of objects that others create, such as instances that are Kubernetes nodes, and that cannot be
 * distinguished from others, because the kind of those others or of the objects that contain them is not read.
 */
export const unrecognizable = (
  isRead: (kind: string) => boolean,
): { created: string; creator: string; unread: string }[] =>
  listedKinds.flatMap((kind) => {
    const area = factsOf(kind).creates?.area;
    const [created, unread] = [area && kindAt(area)?.name, unreadAt(kind, isRead)];
    if (!created || !unread || !isRead(created)) return [];
    return [{ created, creator: kind.name, unread }];
  });

/** The kinds whose objects are not listed, because the kind of the objects that contain them is not read. */
export const unlisted = (isRead: (kind: string) => boolean): { kinds: string[]; unread: string }[] => {
  const found = listedKinds.flatMap((kind) => {
    const unread = isRead(kind.name) ? unreadAt(kind, isRead) : undefined;
    return unread ? [{ kind: kind.name, unread }] : [];
  });
  return [...Map.groupBy(found, ({ unread }) => unread)].map(([unread, all]) => ({
    unread,
    kinds: all.map(({ kind }) => kind),
  }));
};

/** The kind itself or the first one around it that is not read. */
function unreadAt(kind: Kind, isRead: (kind: string) => boolean): string | undefined {
  const container = containerKindOf(kind);
  if (!isRead(kind.name)) return kind.name;
  return container && unreadAt(container, isRead);
}

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
