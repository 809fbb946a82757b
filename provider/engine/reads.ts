import { placeOf } from "./collection";
import type { Host } from "./host";
import type { Bag, Kind } from "./resource";

/** The reads of a command by the object: whether it is gone. */
const reads = new WeakMap<Host["connection"], Map<string, Promise<boolean>>>();

const of = ({ connection }: Pick<Host, "connection">): Map<string, Promise<boolean>> => {
  const known = reads.get(connection) ?? new Map<string, Promise<boolean>>();
  reads.set(connection, known);
  return known;
};

const keyOf = (path: Bag): string => JSON.stringify(path);

/** Whether a kind's path ends at the object itself and not, as for what is set on another object, at its parent. */
const isOwn = (kind: Kind): boolean => {
  const last = Object.keys(placeOf(kind)).at(-1);
  return !Object.values(kind.parent ?? {}).includes(last);
};

/** Notes that an object of the stack is being read. */
export function noteRead(kind: Kind, host: Host, path: Bag, found: Promise<unknown>): void {
  const isGone = found.then(
    (seen) => seen === undefined,
    () => false,
  );
  if (isOwn(kind)) of(host).set(keyOf(path), isGone);
}

/** Whether the stack has the object at a path, as far as this command has come. */
export const isRead = (host: Host, path: Bag): boolean => of(host).has(keyOf(path));

/** Whether the stack has an object that this one is part of and that is gone as well: its own read reports it. */
export async function isGoneWithParent(kind: Kind, host: Host, path: Bag): Promise<boolean> {
  const names = Object.keys(path);
  const parents = names.slice(0, isOwn(kind) ? -1 : names.length);
  const above = parents.map((_, i) =>
    keyOf(Object.fromEntries(parents.slice(0, i + 1).map((name) => [name, path[name]]))),
  );
  const gone = await Promise.all(above.map((key) => of(host).get(key) ?? false));
  return gone.includes(true);
}
