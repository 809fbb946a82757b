import { LateError } from "./errors";
import type { Host } from "./host";

/** How often a long wait says that it goes on. */
const QUIET_MS = 15_000;

interface Waiting<T> {
  host: Host;
  /** What is waited for, as messages call it. */
  what: string;
  look(host: Host): Promise<T>;
  /** Nothing is to be expected at once: the first look comes together with those of others. */
  isSlow?: boolean;
  /** Why the wait goes on, e.g. `state "booting"`; undefined ends it. */
  missing(seen: T): string | undefined | Promise<string | undefined>;
}

/**
 * The one wait for all that takes time at the service: looks at the object itself until nothing is missing. The last look
 * is at the deadline, and decides.
 */
export async function wait<T>({ host, what, look, missing, isSlow = false }: Waiting<T>): Promise<T> {
  const began = host.now();
  const nextPoll = host.pollSchedule();
  if (isSlow) await nextPoll();
  for (let said = began; ; ) {
    const isLast = host.now() >= host.deadline;
    const seen = await look(isLast ? host.grace() : host);
    const state = await missing(seen);
    if (state === undefined) return seen;
    if (isLast) throw new LateError(state);
    if (host.now() - said >= QUIET_MS) {
      said = host.now();
      host.progress(`${what}: waiting: ${state}, ${Math.round((said - began) / 1000)} s`);
    }
    await nextPoll();
  }
}
