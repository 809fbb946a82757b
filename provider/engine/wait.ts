import { differences } from "./comparison";
import { LateError, MissingError, WaitError } from "./errors";
import { type Host, perConnection } from "./host";
import { nameOf } from "./identity";
import { observe, observedInputs, type Target } from "./observe";
import type { Bag } from "./values";

/** Milliseconds between two progress messages of a long wait. */
const QUIET_MS = 15_000;

interface Poll<T> {
  host: Host;
  /** Name of the object that is waited for, such as `Instance 12`, for messages. */
  what: string;
  get(host: Host): Promise<T>;
  /**
   * Expected duration of the wait in milliseconds, as long as no wait with the same `sort` has been measured. If set,
   * the first poll is sent only at that time.
   */
  expectedMs?: number;
  /**
   * Name of the API collection that is polled, such as `instances`. Waits for objects of the same collection poll at
   * the same time, so that one list request serves them all.
   */
  collection?: string;
  /**
   * Kind of wait, such as `create of Volume`. The durations of earlier waits of the same kind determine when the first
   * poll is sent.
   */
  sort?: string;
  /** The condition that is not met yet, such as `state "booting"`. Undefined ends the wait. */
  missing(seen: T): string | undefined | Promise<string | undefined>;
}

/** Polls until a condition is met or the deadline passes. The last poll is at the deadline. */
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
      host.progress(`${what}: still waiting after ${Math.round((reported - began) / 1000)} s: ${state}`);
    }
    await nextPoll();
  }
}

/**
 * The duration of one kind of wait, as far as polls have shown it. `#most` is the shortest time after which a wait was
 * over, and `#least` the longest time after which a wait was not over.
 */
class Span {
  #least = 0;
  #most: number | undefined;

  /** The time at which the first poll is likely to succeed, in milliseconds since the start of the wait. */
  expected(): number | undefined {
    const [least, most] = [this.#least, this.#most];
    if (most === undefined) return undefined;
    // As long as no poll was too early, the real duration may be much shorter than the measured one, so the next wait
    // sends its first poll much earlier.
    const part = least ? 1 / 4 : 1 / 2;
    return most - least > most / 10 ? most - (most - least) * part : most;
  }

  /** Records the result of a poll, and its time in milliseconds since the start of the wait. */
  learn(age: number, isOver: boolean): void {
    const most = this.#most ?? Number.POSITIVE_INFINITY;
    // If an object is ready at the start of the wait, its time says little about other waits, so it is not recorded.
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

/** The reason why the object is not ready, and whether it can still become ready. Undefined if it is ready. */
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
