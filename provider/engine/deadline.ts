import { callsUntil } from "../client/calls-until";
import { endingOf } from "../client/ending";
import { unlessAborted } from "../client/time";
import { LateError } from "./errors";
import type { Host } from "./host";

/** After its deadline an operation has half of its limit again, but no more than this, to find out how things are. */
const GRACE_MS = 30_000;

/** The host for one operation that may take so long: no definition has to think of the deadline, and none can forget it. */
export function within(host: Host, ms: number): Host {
  const deadline = host.now() + ms;
  const later = until(host, deadline + Math.min(GRACE_MS, ms / 2));
  return { ...until(host, deadline), grace: () => later };
}

function until(host: Host, end: number): Host {
  // A part of another operation keeps that one's deadline as well.
  const deadline = Math.min(end, host.deadline);
  const bound: Host = {
    ...host,
    deadline,
    api: callsUntil(host.api, deadline),
    reads: { view: (area, path, options) => host.reads.view(area, path, { deadline, ...options }) },
    data: (request) => host.data({ deadline, ...request }),
    pollSchedule: () => {
      const nextPoll = host.pollSchedule();
      return () => nextPoll(deadline);
    },
    async inTime(work, what) {
      const { signal, clear } = endingOf(deadline, undefined, host);
      return unlessAborted(work, signal)
        .catch((error) => {
          throw error === signal.reason ? new LateError(`waiting for ${what}`) : error;
        })
        .finally(clear);
    },
    grace: () => bound,
  };
  bound.catalogues = host.catalogues.within(bound);
  return bound;
}
