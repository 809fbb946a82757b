import { z } from "zod";
import { isInvalid, isNotFound } from "../client/errors";
import type { Kind } from "./definition";
import { FoundAgainError, MissingError, UnclearManagerError } from "./errors";
import type { Host } from "./host";
import { canonicalPath, displayNameOf, ownedIds, pathOf } from "./identity";
import { confirmedDeletion } from "./missing";
import { observe, observeSurely, type Target } from "./observe";
import { declarerOf, otherManager, plannedMissing } from "./planned";
import { deleteAt, recordFields } from "./records";
import { withTimeLimit } from "./time-limits";
import type { Bag } from "./values";
import { poll } from "./wait";

/**
 * Milliseconds between a delete request and the first poll, until the duration of a deletion in the same resource class
 * is known.
 */
const DELETION_MS = 100;

/**
 * Waits until nothing prevents the deletion, deletes the object, and waits until it no longer exists. An object that
 * does not exist counts as deleted, unless it may be that of another account.
 */
export function destroy(kind: Kind, host: Host, id: string, state: Bag): Promise<void> {
  const path = pathOf(kind, id);
  const name = () => displayNameOf({ kind, path, want: state });
  return withTimeLimit({ kind, host, operation: "delete", name }, async (host) => {
    const hasObject = kind.delete?.run !== "none";
    const other = hasObject ? otherManager(kind, host, path) : undefined;
    // Either an option such as replaceOnChanges replaces a resource that an alias has renamed, or its change has failed.
    if (other?.isChanged && !other.isApplied) throw new UnclearManagerError(name());
    if (other)
      return host.warn(
        `${name()} was not deleted, because another resource of this update manages it now. If you renamed the resource in the program, add the resource option aliases before the update`,
      );
    const declares = kind.delete?.declaredBy?.({
      host,
      api: host.api,
      path: canonicalPath(kind, path),
      want: state,
      state,
    });
    const declarer = declares && (await declarerOf(host, declares));
    if (declarer) {
      ownedIds(kind, host).delete(id);
      return host.warn(`${name()} was not deleted, because ${declarer} declares it now`);
    }
    const target: Target = { kind, host, path, want: state, state, purpose: "update" };
    const unfound = plannedMissing(kind, host, path);
    for (const one of unfound) {
      const known = one.kind === kind ? state : {};
      const other: Target = { ...target, ...one, want: known, state: known };
      if (await observe(other, "now")) throw new FoundAgainError(displayNameOf(other));
    }
    if (unfound.some((one) => one.kind === kind)) {
      ownedIds(kind, host).delete(id);
      return confirmedDeletion(target, Promise.resolve(kind.delete?.retained !== undefined));
    }
    const deletion = deleteObject(kind, host, id, state);
    // Without a request, nothing shows that the account is the stack's.
    return hasObject ? confirmedDeletion(target, deletion) : void (await deletion);
  });
}

/**
 * Deletes the object as part of another operation, within that operation's time limit. Returns whether the object
 * existed; true as well if the kind has nothing to delete.
 */
export async function deleteObject(kind: Kind, host: Host, id: string, state: Bag): Promise<boolean> {
  const path = pathOf(kind, id);
  // Removes the id from the managed ids: the service may reuse it for a new object, which another resource must then be
  // able to adopt.
  ownedIds(kind, host).delete(id);
  const target: Target = { kind, host, path, want: state, state, purpose: "update" };
  const { blockedBy, run, retained, pending } = kind.delete ?? {};
  if (run === "none") return true;
  const waitUntilUnblocked = () => pollUntil(target, "now", (object) => object && blockedBy?.(object));
  const isNeeded = blockedBy || pending || retained?.when;
  const observed = isNeeded ? await waitUntilUnblocked() : {};
  if (!observed) return false;
  const context = { host, api: host.api, path, want: state, state };
  let existed = true;
  let wasFound: boolean | undefined;
  const observeNow = async () => {
    const found = isNeeded ? observed : await waitUntilUnblocked();
    wasFound ??= found !== undefined;
    return found;
  };
  try {
    const result = await (run ? run({ ...context, observe: observeNow }) : deleteAt(kind, host, path));
    if (result === "missing" || wasFound === false) return false;
    if (result === "retained") return true;
  } catch (error) {
    // A 404 means that another client deleted the object first, possibly with the containing object, or that an earlier
    // response to this request was lost. A request with the id of the containing object in its body is rejected with 400.
    const mayBeMissing = isNotFound(error) || error instanceof MissingError || (run && isInvalid(error));
    if (!mayBeMissing || (await waitUntilUnblocked())) throw error;
    existed = false;
  }
  const isRetained = (object: Bag) => retained !== undefined && (retained.when?.(object) ?? true);
  if (isRetained(observed) || !isDelayed(kind)) return existed;
  await pollUntil(target, "deleted", (remaining) =>
    remaining && !isRetained(remaining)
      ? `still exists in state "${remaining.status ?? "unknown"}"`
      : pending?.({ ...context, observed }),
  );
  return existed;
}

/**
 * Whether a deletion may take time, because the objects have the status `deleting` or because their class defines how
 * to delete them.
 */
const isDelayed = (kind: Kind): boolean =>
  kind.delete?.pending !== undefined ||
  kind.delete?.run !== undefined ||
  z.safeParse(recordFields(kind).status ?? z.never(), "deleting").success;

/** Reads the object repeatedly until there is no reason to wait. Returns the object as last read. */
const pollUntil = (
  target: Target,
  age: "now" | "deleted",
  unmet: (observed: Bag | undefined) => string | undefined | Promise<string | undefined>,
): Promise<Bag | undefined> =>
  poll({
    host: target.host,
    what: `deletion of ${displayNameOf(target)}`,
    get: (host) => (age === "now" ? observeSurely : observe)({ ...target, host }, age),
    ...(age === "deleted" && { expectedMs: DELETION_MS, wait: `deletion of ${target.kind.name}` }),
    collection: target.kind.identity.area,
    unmet,
  });
