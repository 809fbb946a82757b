import { LateError, MissingError, WaitError } from "./errors";
import { type Host, perConnection } from "./host";
import { nameOf } from "./identity";
import { observe, observedInputs, type Target } from "./observe";
import { type Bag, differences } from "./values";

/** Interval at which a long wait reports its progress. */
const QUIET_MS = 15_000;

interface Poll<T> {
  host: Host;
  /** The purpose of the wait, as messages name it. */
  what: string;
  get(host: Host): Promise<T>;
  /** Expected duration in milliseconds until one is known. If set, the first poll comes only then. */
  expectedMs?: number;
  /** Waits for the same collection poll together; by default a wait polls alone. */
  collection?: string;
  /** Key of waits that share a schedule: the first poll comes when the shortest of them so far has ended. */
  sort?: string;
  /** Why the wait continues, e.g. `state "booting"`; undefined ends it. */
  missing(seen: T): string | undefined | Promise<string | undefined>;
}

/**
 * Waits for anything that takes time on the service. It polls once more at the deadline, and the result of that poll
 * counts.
 */
export async function poll<T>({ host, what, get, missing, expectedMs, collection = what, sort }: Poll<T>): Promise<T> {
  const began = host.now();
  const span = sort === undefined ? undefined : spanOf(host, sort);
  const nextPoll = host.pollSchedule(collection, () => span?.expected() ?? expectedMs);
  if (expectedMs !== undefined) await nextPoll();
  for (let reported = began; ; ) {
    const isLast = host.now() >= host.deadline;
    const age = host.now() - began;
    const seen = await get(isLast ? host.grace() : host);
    const state = await missing(seen);
    span?.learn(age, state === undefined);
    if (state === undefined) return seen;
    if (isLast) throw new LateError(state);
    if (host.now() - reported >= QUIET_MS) {
      reported = host.now();
      host.progress(`${what}: waiting: ${state}, ${Math.round((reported - began) / 1000)} s`);
    }
    await nextPoll();
  }
}

/**
 * How long waits with the same key take: the shortest that has ended, and the longest time after which one had not
 * ended.
 */
class Span {
  #least = 0;
  #most: number | undefined;

  /** When the first poll is likely to return a result. */
  expected(): number | undefined {
    const [least, most] = [this.#least, this.#most];
    if (most === undefined) return undefined;
    return most - least > most / 10 ? most - (most - least) / 4 : most;
  }

  /** The result of a poll, and its time in milliseconds since the beginning. */
  learn(age: number, isOver: boolean): void {
    const most = this.#most ?? Number.POSITIVE_INFINITY;
    // An object that is ready at once does not show how long a wait takes.
    if (isOver && age) this.#most = Math.min(most, age);
    if (!isOver && age < most) this.#least = Math.max(this.#least, age);
    if (this.#most !== undefined) this.#least = Math.min(this.#least, this.#most);
  }
}

const spans = perConnection(() => new Map<string, Span>());

function spanOf(host: Host, sort: string): Span {
  const known = spans(host);
  const span = known.get(sort) ?? new Span();
  known.set(sort, span);
  return span;
}

/** Waits until the object is ready and the API returns the given inputs as declared. */
export function ready(target: Target, inputs: readonly string[] = []): Promise<Bag> {
  const { host } = target;
  const began = host.now();
  return poll({
    host,
    what: nameOf(target),
    collection: target.kind.identity.area,
    sort: `${target.purpose} of ${target.kind.name}`,
    async get(host) {
      const seen = await observe({ ...target, host }, "changed");
      if (!seen) throw new MissingError(nameOf(target));
      return seen;
    },
    missing(seen) {
      const { state, failed = false } = unreadiness(target, seen, inputs) ?? {};
      if (failed) throw new WaitError(nameOf(target), String(state), host.now() - began);
      return state;
    },
  });
}

/** Why the object is not ready; undefined when it is. */
function unreadiness(
  { kind, path, want, purpose }: Target,
  seen: Bag,
  inputs: readonly string[],
): { state: string; failed: boolean } | undefined {
  const { byStatus, pending } = kind.readiness ?? {};
  const status = String(seen.status);
  const given = byStatus?.[status];
  const meaning = typeof given === "function" ? given(want, purpose) : (given ?? (byStatus ? "wait" : "ready"));
  if (meaning !== "ready") return { state: `state "${status}"`, failed: meaning === "failed" };
  const missing = pending?.(seen, want);
  if (missing) return { state: missing, failed: false };
  const found = differences(kind, observedInputs(kind, path, seen, want), want, { ...seen, ...want });
  const behind = inputs.filter((key) => found.has(key));
  return behind.length ? { state: `${behind.join(", ")} not changed yet`, failed: false } : undefined;
}
