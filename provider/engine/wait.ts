import { differences } from "./comparison";
import { LateError, MissingError, WaitError } from "./errors";
import { type Host, perConnection } from "./host";
import { displayNameOf } from "./identity";
import { observe, observedInputs, type Target } from "./observe";
import type { Bag } from "./values";

/** Milliseconds between two progress messages of a long wait. */
const PROGRESS_INTERVAL_MS = 15_000;

interface Poll<T> {
  host: Host;
  /** Name of the object that is waited for, such as `Instance 12`, for messages. */
  what: string;
  get(host: Host): Promise<T>;
  /**
   * Expected duration of the wait in milliseconds, as long as no wait with the same `wait` has been measured. If set,
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
  wait?: string;
  /** The condition that is not met yet, such as `state "booting"`. Undefined ends the wait. */
  unmet(observed: T): string | undefined | Promise<string | undefined>;
}

/** Polls until a condition is met or the deadline passes. The last poll is at the deadline. */
export async function poll<T>({ host, what, get, unmet, expectedMs, collection = what, wait }: Poll<T>): Promise<T> {
  const startedAt = host.now();
  const duration = wait === undefined ? undefined : durationOf(host, wait);
  const nextPoll = host.pollSchedule(collection, () => duration?.expected() ?? expectedMs);
  if (expectedMs !== undefined) await nextPoll();
  for (let reportedAt = startedAt; ; ) {
    const isLast = host.now() >= host.deadline;
    const age = host.now() - startedAt;
    const observed = await get(isLast ? host.grace() : host);
    const state = await unmet(observed);
    duration?.record(age, state === undefined);
    if (state === undefined) return observed;
    if (isLast) throw new LateError(state);
    if (host.now() - reportedAt >= PROGRESS_INTERVAL_MS) {
      reportedAt = host.now();
      host.progress(`${what}: still waiting after ${Math.round((reportedAt - startedAt) / 1000)} s: ${state}`);
    }
    await nextPoll();
  }
}

/**
 * The duration of one kind of wait, as far as polls have shown it. `#shortestDone` is the shortest time after which a
 * wait was over, and `#longestPending` the longest time after which a wait was not over.
 */
class WaitDuration {
  #longestPending = 0;
  #shortestDone: number | undefined;

  /** The time at which the first poll is likely to succeed, in milliseconds since the start of the wait. */
  expected(): number | undefined {
    const [longest, shortest] = [this.#longestPending, this.#shortestDone];
    if (shortest === undefined) return undefined;
    // As long as no poll was too early, the real duration may be much shorter than the measured one, so the next wait
    // sends its first poll much earlier.
    const fraction = longest ? 1 / 4 : 1 / 2;
    return shortest - longest > shortest / 10 ? shortest - (shortest - longest) * fraction : shortest;
  }

  /** Records the result of a poll, and its time in milliseconds since the start of the wait. */
  record(age: number, isOver: boolean): void {
    const shortest = this.#shortestDone ?? Number.POSITIVE_INFINITY;
    // If an object is ready at the start of the wait, its time says little about other waits, so it is not recorded.
    if (isOver && age) this.#shortestDone = Math.min(shortest, age);
    if (!isOver && age < shortest) this.#longestPending = Math.max(this.#longestPending, age);
    if (this.#shortestDone !== undefined) this.#longestPending = Math.min(this.#longestPending, this.#shortestDone);
  }
}

const durationsByWait = perConnection(() => new Map<string, WaitDuration>());

function durationOf(host: Host, wait: string): WaitDuration {
  const durations = durationsByWait(host);
  const duration = durations.get(wait) ?? new WaitDuration();
  durations.set(wait, duration);
  return duration;
}

/** Milliseconds for which a new object that the API does not find counts as not visible yet, and not as deleted. */
const APPEARANCE_MS = 10_000;

/** Waits until the object is ready and the API returns the given inputs as declared. */
export async function waitForReady(target: Target, inputs: readonly string[] = []): Promise<Bag> {
  const { host } = target;
  const startedAt = host.now();
  let missingSince: number | undefined;
  // A service with several copies of its data can respond with 404 for a new object at first.
  const mayAppear = (since: number): boolean => target.purpose === "create" && host.now() - since < APPEARANCE_MS;
  const observed = await poll<Bag | undefined>({
    host,
    what: displayNameOf(target),
    collection: target.kind.identity.area,
    wait: `${target.purpose} of ${target.kind.name}`,
    async get(host) {
      const observed = await observe({ ...target, host }, "changed");
      missingSince = observed ? undefined : (missingSince ?? host.now());
      if (missingSince !== undefined && !mayAppear(missingSince)) throw new MissingError(displayNameOf(target));
      return observed;
    },
    unmet(observed) {
      if (!observed) return "not listed yet";
      const { state, failed = false } = unreadiness(target, observed, inputs) ?? {};
      if (failed) throw new WaitError(displayNameOf(target), String(state), host.now() - startedAt);
      return state;
    },
  });
  // `unmet` has a reason to wait as long as the object is undefined.
  return observed as Bag;
}

/** The object, if it is ready. It may have been read a few seconds ago, in a list or to plan the update. */
export async function plannedIfReady(target: Target): Promise<Bag | undefined> {
  const observed = await observe(target, "planned");
  return observed && !unreadiness(target, observed, []) ? observed : undefined;
}

/** The reason why the object is not ready, and whether it can still become ready. Undefined if it is ready. */
function unreadiness(
  { kind, path, want, purpose, isResumed }: Target,
  observed: Bag,
  inputs: readonly string[],
): { state: string; failed: boolean } | undefined {
  const { byStatus, pending } = kind.readiness ?? {};
  const status = String(observed.status);
  const readiness = byStatus?.[status];
  const outcome =
    typeof readiness === "function"
      ? readiness(want, isResumed ? "update" : purpose)
      : (readiness ?? (byStatus ? "wait" : "ready"));
  if (outcome !== "ready") return { state: `state "${status}"`, failed: outcome === "failed" };
  const unmet = pending?.(observed, want);
  if (unmet) return { state: unmet, failed: false };
  const found = differences(kind, observedInputs(kind, path, observed, want), want, { ...observed, ...want });
  const pendingInputs = inputs.filter((key) => found.has(key));
  return pendingInputs.length ? { state: `${pendingInputs.join(", ")} not changed yet`, failed: false } : undefined;
}
