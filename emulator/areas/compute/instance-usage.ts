import { hash } from "../../core/random";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import { type Run, runsOf, uptime } from "./instance-runs";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What an instance does at most in the mean of an hour, by the name of the figure. */
const most = {
  cpu: 60,
  io: 120,
  swap: 2,
  v4in: 600_000,
  v4out: 1_500_000,
  v4privateIn: 200_000,
  v4privateOut: 200_000,
  v6in: 100_000,
  v6out: 200_000,
} as const;
export type Figure = keyof typeof most;

/** Who is watched: what it does depends on the seed, on the instance and on the time, and on when it ran. */
export interface Subject {
  key: string;
  vcpus: number;
  runs: readonly Run[];
}

export const subjectOf = (world: World, instance: RowOf<"instances">): Subject => ({
  key: `${world.seed}/${instance.id}`,
  vcpus: instance.specs.vcpus,
  runs: runsOf(instance),
});

/** The mean of a figure over five minutes that begin then. */
export function fiveMinutes({ key, vcpus, runs }: Subject, figure: Figure, at: number): number {
  const turn = Math.sin((2 * Math.PI * (at % HOUR)) / HOUR);
  return rounded(hourly(key, figure, vcpus, at) * (1 + turn / 5) * uptime(runs, at, at + 5 * MINUTE));
}

/** The mean of a figure over so many hours. */
export function hours(subject: Subject, figure: Figure, at: number, count: number): number {
  let sum = 0;
  for (let hour = 0; hour < count; hour++) sum += oneHour(subject, figure, at + hour * HOUR);
  return rounded(sum / count);
}

/** The bytes of a traffic's figure between two times, which begin and end hours. */
export function bytes(subject: Subject, figure: Figure, from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at += HOUR) {
    const part = Math.min(HOUR, to - at);
    bits += (hourly(subject.key, figure, subject.vcpus, at) * uptime(subject.runs, at, at + part) * part) / 1000;
  }
  return Math.round(bits / 8);
}

const oneHour = ({ key, vcpus, runs }: Subject, figure: Figure, at: number): number =>
  hourly(key, figure, vcpus, at) * uptime(runs, at, at + HOUR);

/** More by day than by night, and never twice the same. */
function hourly(key: string, figure: Figure, vcpus: number, at: number): number {
  const hour = Math.floor(at / HOUR);
  const habit = 0.2 + 0.8 * share(`${key}/${figure}`);
  const day = 0.7 - 0.3 * Math.cos((2 * Math.PI * (hour % 24)) / 24);
  return most[figure] * (figure === "cpu" ? vcpus : 1) * habit * day * share(`${key}/${figure}/${hour}`);
}

const share = (text: string): number => hash(text) / 2 ** 32;

const rounded = (value: number): number => Math.round(value * 100) / 100;
