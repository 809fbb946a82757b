import { z } from "zod";
import { isNotFound } from "../client/errors";
import type { Kind } from "./definition";
import { ElsewhereError, MissingError } from "./errors";
import { type Context, type Host, operate } from "./host";
import { deleteAt, nameOf, ownedIds, pathOf, recordFields } from "./identity";
import { observe, type Target } from "./observe";
import type { Bag } from "./values";
import { poll } from "./wait";

export interface DeleteContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  /**
   * Returns the object; undefined if it does not exist. Sends a request, unless the engine has read the object because
   * of `blockedBy`, `pending` or `kept.when`.
   */
  observe(): Promise<Seen | undefined>;
}

/** Milliseconds before the first poll of a deletion, as long as no deletion of the kind has been measured. */
const DELETION_MS = 100;

/**
 * Deletes the object, after everything that prevents its deletion, and waits until it does not exist. Succeeds if the
 * object does not exist.
 */
export function destroy(kind: Kind, host: Host, id: string, state: Bag): Promise<void> {
  const path = pathOf(kind, id);
  const name = () => nameOf({ kind, path, want: state });
  return operate({ kind, host, operation: "delete", name }, (host) => remove(kind, host, id, state));
}

/** Deletes the object as part of another operation, within that operation's time limit. */
export async function remove(kind: Kind, host: Host, id: string, state: Bag): Promise<void> {
  const path = pathOf(kind, id);
  // The id is removed from the ids of managed objects: the service may reuse it for a new object, and another resource
  // may adopt that object.
  ownedIds(kind, host).delete(id);
  const target: Target = { kind, host, path, want: state, state, purpose: "update" };
  if (host.lastUpdateAt) throw new ElsewhereError(nameOf(target), host.lastUpdateAt, "deletion");
  const { blockedBy, run, kept, pending } = kind.delete ?? {};
  if (run === "none") return;
  const observation = () => pollUntil(target, "now", (now) => now && blockedBy?.(now));
  const isNeeded = blockedBy || pending || kept?.when;
  const seen = isNeeded ? await observation() : {};
  if (!seen) return;
  const context = { host, api: host.api, path, want: state };
  const observed = { ...context, observe: async () => (isNeeded ? seen : observation()) };
  try {
    await (run ? run(observed) : deleteAt(kind, host, path));
  } catch (error) {
    // A 404 means that another client deleted the object first, possibly with the containing object, or that an earlier
    // response to this request was lost.
    const isMissing = isNotFound(error) || error instanceof MissingError;
    if (!isMissing || (run && (await observation()))) throw error;
  }
  const isKept = (now: Bag) => kept !== undefined && (kept.when?.(now) ?? true);
  if (isKept(seen) || !isDelayed(kind)) return;
  await pollUntil(target, "deleted", (left) =>
    left && !isKept(left) ? `still exists in state "${left.status ?? "unknown"}"` : pending?.({ ...context, seen }),
  );
}

/**
 * Whether a deletion may take time, because objects of the kind have a status for it or are deleted together with other
 * objects.
 */
const isDelayed = (kind: Kind): boolean =>
  kind.delete?.pending !== undefined ||
  kind.delete?.run !== undefined ||
  z.safeParse(recordFields(kind).status ?? z.never(), "deleting").success;

/** Reads the object repeatedly until there is no reason to wait. Returns the object as last read. */
const pollUntil = (
  target: Target,
  age: "now" | "deleted",
  missing: (seen: Bag | undefined) => string | undefined | Promise<string | undefined>,
): Promise<Bag | undefined> =>
  poll({
    host: target.host,
    what: `deletion of ${nameOf(target)}`,
    get: (host) => observe({ ...target, host }, age),
    ...(age === "deleted" && { expectedMs: DELETION_MS, sort: `deletion of ${target.kind.name}` }),
    collection: target.kind.identity.area,
    missing,
  });
