import { ApiError } from "../client/errors";
import type { Bag, Kind } from "../resource";
import { remove } from "./collection";
import { creationsOf } from "./creations";
import { WaitError } from "./errors";
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
  const seen = await free(target);
  if (!seen) return;
  const context = { host, api: host.api, path, want: was, seen };
  if (kind.delete) await goneIsDone(kind.delete(context));
  else if (!kind.outlives) await goneIsDone(remove(kind, host, path));
  if (kind.outlives) return;
  await untilGone(target, async () => {
    const left = await look(target, true);
    return left ? `still there in state "${left.status ?? "unknown"}"` : kind.remains?.(context);
  });
}

/** The object once nothing keeps it any more; undefined when it is gone. */
async function free(target: Target): Promise<Bag | undefined> {
  const { kind, host } = target;
  const started = host.now();
  const tick = host.ticks();
  for (;;) {
    const seen = await look(target, true);
    const keeps = seen && kind.keeps?.(seen);
    if (!keeps) return seen;
    const waited = host.now() - started;
    if (host.now() >= target.deadline) throw new WaitError(`deletion of ${nameOf(target)}`, keeps, "timed out", waited);
    await tick(kind.area);
  }
}

/** Someone else may have deleted it first, or the answer to our own deletion was lost. */
async function goneIsDone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

async function untilGone(target: Target, remains: () => Promise<string | undefined>): Promise<void> {
  const { host } = target;
  const started = host.now();
  const tick = host.ticks();
  for (;;) {
    const left = await remains();
    if (!left) return;
    const waited = host.now() - started;
    if (host.now() >= target.deadline) throw new WaitError(`deletion of ${nameOf(target)}`, left, "timed out", waited);
    await tick(target.kind.area);
  }
}
