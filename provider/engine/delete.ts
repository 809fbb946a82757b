import { ApiError } from "../client/errors";
import type { Bag, Kind } from "../resource";
import { remove } from "./collection";
import { creationsOf } from "./creations";
import { ElsewhereError, WaitError } from "./errors";
import type { Host } from "./host";
import { pathOf } from "./id";
import { look, nameOf, type Target } from "./settle";
import { timeoutOf } from "./timeouts";

/** Deletes the object and whatever would block that, and waits until it is gone; what is gone already is done. */
export async function destroy(kind: Kind, host: Host, id: string, was: Bag): Promise<void> {
  const path = pathOf(kind, id);
  creationsOf(kind, host).disown(id);
  const deadline = host.now() + timeoutOf(kind, host, "delete");
  const target: Target = { kind, host, path, want: was, was, purpose: "update", deadline };
  if (host.lastUpdateAt) throw new ElsewhereError(nameOf(target), host.lastUpdateAt, "deletion");
  const see = () => look(target, true);
  const seen = await until(target, see, (there) => there && kind.keeps?.(there));
  if (!seen) return;
  const context = { host, api: host.api, path, want: was, seen };
  const stays = typeof kind.outlives === "function" ? kind.outlives(seen) : kind.outlives;
  if (kind.delete) await goneIsDone(kind.delete(context));
  else if (!stays) await goneIsDone(remove(kind, host, path));
  if (stays) return;
  await until(target, see, (left) =>
    left ? `still there in state "${left.status ?? "unknown"}"` : kind.remains?.(context),
  );
}

/** Someone else may have deleted it first, or the answer to our own deletion was lost. */
async function goneIsDone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/** Looks until nothing is in the way any more, and answers what was seen then. */
async function until<T>(
  target: Target,
  see: () => Promise<T>,
  inTheWay: (seen: T) => string | undefined | Promise<string | undefined>,
): Promise<T> {
  const { host, kind } = target;
  const started = host.now();
  const tick = host.ticks();
  for (;;) {
    const seen = await see();
    const left = await inTheWay(seen);
    if (!left) return seen;
    const waited = host.now() - started;
    if (host.now() >= target.deadline) throw new WaitError(`deletion of ${nameOf(target)}`, left, "timed out", waited);
    await tick(kind.area);
  }
}
