import type { FaultSpec } from "../../../emulator/core/faults";
import type { Random } from "../../../emulator/core/random";
import type { Behavior } from "./receivers";

export const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** A fault of the API between two times of the day. */
interface Disturbance {
  from: number;
  to: number;
  fault: FaultSpec;
}

const every = { times: 1_000_000 };
const at = (hours: number, minutes = 0, seconds = 0): number => hours * HOUR + minutes * MINUTE + seconds * SECOND;

/**
 * The faults of the API in the course of the day. A fault of all operations is an outage; both outages take an hour.
 * Checks begin at multiples of five minutes, so some faults end while a check retries.
 */
export const disturbances: readonly Disturbance[] = [
  { from: at(1, 2), to: at(2, 0, 9), fault: { kind: "status", status: 503, ...every } },
  { from: at(2, 31), to: at(2, 41), fault: { path: "volumes.*", kind: "status", ...every } },
  { from: at(3, 3), to: at(3, 15, 2), fault: { path: "domain*.*", kind: "html", status: 502, ...every } },
  { from: at(3, 31), to: at(3, 41), fault: { path: "firewalls.view", kind: "status", status: 403, ...every } },
  { from: at(12, 2), to: at(12, 27), fault: { kind: "cut-before", ...every } },
  { from: at(12, 27), to: at(13, 2), fault: { kind: "stall-before", ...every } },
  { from: at(17, 4), to: at(17, 20, 4), fault: { path: "*.list", kind: "cut-mid", ...every } },
];

/** A fault that hits few requests of a check, so that retries are enough. */
export const briefFault = (random: Random): FaultSpec => ({
  ...random.pick<FaultSpec>([
    { kind: "status", status: 503, times: 2 },
    { kind: "status", status: 429, retryAfter: 2, times: 3 },
    { kind: "html", status: 502 },
    { kind: "cut-before" },
    { kind: "cut-mid" },
    { kind: "cut-after", times: 2 },
    { kind: "stall-after" },
  ]),
  nth: 1 + random.below(15),
});

/** The behavior of the webhook at a time of the day. Its first outage begins during that of the API. */
export function behaviorAt(time: number, now: number, random: Random): Behavior {
  const isIn = (from: number, to: number): boolean => time >= from && time < to;
  if (isIn(at(1, 30), at(2, 30))) return random.pick([{ status: 503 }, { status: 408 }, "reset"]);
  if (isIn(at(2, 30), at(3))) return random.pick(["accept", "lose"]);
  if (isIn(at(3), at(3, 30)))
    return random.pick([
      "accept",
      { status: 429, seconds: 30 + random.below(600) },
      { status: 503, until: Math.ceil((now + random.below(900_000)) / SECOND) * SECOND },
    ]);
  if (isIn(at(3, 30), at(4))) return random.pick(["accept", "hang"]);
  if (isIn(at(14), at(16))) return "reset";
  return random.below(20) ? "accept" : "lose";
}
