import { z } from "zod";
import { ApiError } from "../client/errors";
import { deleteAt, recordOf } from "./collection";
import { creationsOf } from "./creations";
import { ElsewhereError } from "./errors";
import type { Host } from "./host";
import { pathOf } from "./id";
import { operate } from "./operation";
import type { Bag, Kind } from "./resource";
import { look, nameOf, type Target } from "./settle";
import { wait } from "./wait";

/** Deletes the object and whatever would block that, and waits until it is gone; what is gone already is done. */
export function destroy(kind: Kind, host: Host, id: string, was: Bag): Promise<void> {
  const path = pathOf(kind, id);
  const name = () => nameOf({ kind, path, want: was });
  return operate({ kind, host, operation: "delete", name }, (host) => remove(kind, host, id, was));
}

/** The deletion as a part of another operation, whose deadline it keeps. */
export async function remove(kind: Kind, host: Host, id: string, was: Bag): Promise<void> {
  const path = pathOf(kind, id);
  creationsOf(kind, host).disown(id);
  const target: Target = { kind, host, path, want: was, was, purpose: "update" };
  if (host.lastUpdateAt) throw new ElsewhereError(nameOf(target), host.lastUpdateAt, "deletion");
  const isAsked = kind.keeps || kind.delete || kind.remains || typeof kind.outlives === "function";
  const seen = isAsked ? await until(target, "now", (there) => there && kind.keeps?.(there)) : {};
  if (!seen) return;
  const context = { host, api: host.api, path, want: was, seen };
  const stays = typeof kind.outlives === "function" ? kind.outlives(seen) : kind.outlives;
  if (kind.delete) await goneIsDone(kind.delete(context));
  else if (!stays) await goneIsDone(deleteAt(kind, host, path));
  if (stays || !isDelayed(kind)) return;
  await until(target, "deleted", (left) =>
    left ? `still there in state "${left.status ?? "unknown"}"` : kind.remains?.(context),
  );
}

/** Whether the service may take its time: it has a status for an object that is being deleted, or more goes than the object. */
const isDelayed = (kind: Kind): boolean =>
  kind.remains !== undefined ||
  kind.delete !== undefined ||
  z.safeParse(recordOf(kind).status ?? z.never(), "deleting").success;

/** Someone else may have deleted it first, or the answer to our own deletion was lost. */
async function goneIsDone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/** Looks until nothing is in the way any more, and answers what was seen then. */
const until = (
  target: Target,
  age: "now" | "deleted",
  missing: (seen: Bag | undefined) => string | undefined | Promise<string | undefined>,
): Promise<Bag | undefined> =>
  wait({
    host: target.host,
    what: `deletion of ${nameOf(target)}`,
    look: (host) => look({ ...target, host }, age),
    isSlow: age === "deleted",
    missing,
  });
