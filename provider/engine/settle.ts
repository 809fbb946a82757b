import { z } from "zod";
import type { Age } from "../client/observations";
import { pick } from "./bag";
import { recordOf } from "./collection";
import { differences } from "./diff";
import { GoneError, WaitError } from "./errors";
import type { Host } from "./host";
import { idOf } from "./id";
import { observed } from "./observe";
import type { Bag, Kind, Purpose } from "./resource";
import { wait } from "./wait";

export interface Target {
  kind: Kind;
  host: Host;
  path: Bag;
  want: Bag;
  /** The outputs in state, as of the last operation. */
  was: Bag;
  purpose: Purpose;
}

/** How a resource is called in messages. */
export const nameOf = ({
  kind,
  path,
  want,
  was,
}: Pick<Target, "kind" | "want"> & { path?: Bag; was?: Bag }): string => {
  const known = { ...was, ...want };
  const called = kind.called?.(known) ?? (typeof known.label === "string" && `${kind.kind} "${known.label}"`);
  if (!path) return called || kind.kind;
  return called ? `${called} (${idOf(kind, path)})` : `${kind.kind} ${idOf(kind, path)}`;
};

/** The object as it is now, with what the definition adds to the API's record; undefined when it is gone. */
export async function look(target: Target, age: Age): Promise<Bag | undefined> {
  const { kind, host, path, want, was } = target;
  const context = { host, api: host.api, path, want, was, fresh: age !== "young" };
  if (kind.look) return kind.look(context);
  const record = await host.reads.view(kind.area as Parameters<typeof host.reads.view>[0], path as never, { age });
  if (record === undefined) return undefined;
  const whole = completed(kind, record, was);
  return kind.read ? await kind.read(context, whole) : whole;
}

/** What the contract promises and an answer lacks is as it was: a field that is not told says nothing of the object. */
function completed(kind: Kind, record: Bag, was: Bag): Bag {
  const lost = Object.entries(recordOf(kind)).flatMap(([key, field]) =>
    record[key] === undefined && !(field instanceof z.core.$ZodOptional) ? [key] : [],
  );
  return lost.length ? { ...record, ...pick(was, lost) } : record;
}

/** Waits until the object is ready and the given inputs are observed as wanted; looks at the object, never at the event log. */
export function settle(target: Target, inputs: readonly string[] = []): Promise<Bag> {
  const { host } = target;
  const began = host.now();
  return wait({
    host,
    what: nameOf(target),
    async look(host) {
      const seen = await look({ ...target, host }, "changed");
      if (!seen) throw new GoneError(nameOf(target));
      return seen;
    },
    missing(seen) {
      const { state, failed = false } = verdict(target, seen, inputs) ?? {};
      if (failed) throw new WaitError(nameOf(target), String(state), host.now() - began);
      return state;
    },
  });
}

/** What keeps the object from being ready; undefined when nothing does. */
function verdict(target: Target, seen: Bag, inputs: readonly string[]): { state: string; failed: boolean } | undefined {
  const { kind, path, want, purpose } = target;
  const status = String(seen.status);
  const stated = kind.states?.[status];
  const fate = typeof stated === "function" ? stated(want, purpose) : (stated ?? (kind.states ? "wait" : "ready"));
  if (fate !== "ready") return { state: `state "${status}"`, failed: fate === "failed" };
  const pending = kind.pending?.(seen, want);
  if (pending) return { state: pending, failed: false };
  const behind = inputs.filter((key) =>
    differences(kind, observed(kind, path, seen, want), want, { ...seen, ...want }).has(key),
  );
  return behind.length ? { state: `${behind.join(", ")} not changed yet`, failed: false } : undefined;
}
