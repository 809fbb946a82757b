import { type InstanceStats, type MonthTransfer, reasons } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { hash } from "../../core/random";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaFragment } from "../../http/handlers";
import { type Run, runsOf, uptime } from "./instance-runs";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP = 5 * MINUTE;
const MONTH_HOURS = 2;

export const instanceStats = {
  handlers: {
    stats({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const now = world.clock.now();
      const subject = subjectOf(world, instance);
      const times = timesOf(instance, { from: now - DAY, to: now, step: STEP });
      const figures = figuresOf(times, (figure, at) => fiveMinutes(subject, figure, at));
      return { ...figures, title: `${titleOf(instance)} - day (5 min avg)` };
    },

    monthStats({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const { from, to, current } = monthOf(world, path);
      const now = world.clock.now();
      const span = current ? { from: now - 30 * DAY, to: now } : { from, to };
      const subject = subjectOf(world, instance);
      const times = timesOf(instance, { ...span, step: MONTH_HOURS * HOUR });
      const figures = figuresOf(times, (figure, at) => hours(subject, figure, at, MONTH_HOURS));
      const month = new Date(from).toISOString().slice(0, 7);
      return { ...figures, title: `${titleOf(instance)} - ${current ? "30 days" : month} (${MONTH_HOURS} hr avg)` };
    },

    transfer({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const now = new Date(world.clock.now());
      const month = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 };
      const { from, to } = monthOf(world, month);
      const used = trafficOf(world, instance, month).bytes_total;
      const present = to - Math.max(from, Date.parse(`${instance.created}Z`));
      const quota = Math.round((instance.specs.transfer * present) / (to - from));
      return { used, quota, billable: Math.max(0, Math.ceil(used / 1e9 - quota)) };
    },

    monthTransfer: ({ world, path }) => trafficOf(world, world.instances.get(path.computeId), path),
  },
} satisfies AreaFragment<"instances">;

function trafficOf(world: World, instance: RowOf<"instances">, month: { year: number; month: number }): MonthTransfer {
  const { from, to } = monthOf(world, month);
  const subject = subjectOf(world, instance);
  const until = Math.min(to, world.clock.now());
  const sum = (...figures: Figure[]) =>
    figures.reduce((total, figure) => total + bytes(subject, figure, from, until), 0);
  const [bytes_in, bytes_out] = [sum("v4in", "v6in"), sum("v4out", "v6out")];
  return { bytes_in, bytes_out, bytes_total: bytes_in + bytes_out };
}

/**
 * Start and end of a month. Rejects future months (API documentation, part 1 · Endpoints · Compute instances · rules 13
 * and 14).
 */
function monthOf(world: World, { year, month }: { year: number; month: number }) {
  const from = Date.UTC(year, month - 1);
  const to = Date.UTC(year, month);
  const now = world.clock.now();
  if (from > now) {
    const today = world.clock.time().slice(0, 7);
    throw new ErrorResponse(
      400,
      `Must not be after ${today}, the current month`,
      new Date(now).getUTCFullYear() < year ? "year" : "month",
    );
  }
  return { from, to, current: now < to };
}

/**
 * The start times of the samples in a time span, for example every five minutes. If the instance was created within the
 * time span, the first sample is the one during which it was created.
 */
function timesOf(
  { created }: RowOf<"instances">,
  { from, to, step }: { from: number; to: number; step: number },
): number[] {
  const createdAt = Math.floor(Date.parse(`${created}Z`) / step) * step;
  const first = Math.max(Math.ceil(from / step) * step, createdAt);
  const count = Math.max(0, Math.floor((to - first) / step));
  if (count === 0) throw new ErrorResponse(400, reasons.statsNotReady);
  return Array.from({ length: count }, (_, at) => first + at * step);
}

function figuresOf(
  times: readonly number[],
  value: (figure: Figure, at: number) => number,
): Omit<InstanceStats, "title"> {
  const series = (figure: Figure) => times.map((at) => [at, value(figure, at)]);
  const none = times.map((at) => [at, 0]);
  return {
    cpu: series("cpu"),
    io: { io: series("io"), swap: series("swap") },
    netv4: {
      in: series("v4in"),
      out: series("v4out"),
      private_in: series("v4privateIn"),
      private_out: series("v4privateOut"),
    },
    // IPv6 has no private traffic, because only IPv4 has private addresses.
    netv6: { in: series("v6in"), out: series("v6out"), private_in: none, private_out: none },
  };
}

const titleOf = ({ id, label }: RowOf<"instances">): string => `${label} (compute${id})`;

/** For each statistic, the upper limit of its generated hourly averages, for example 60 % of CPU time per vCPU. */
const maxima = {
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
type Figure = keyof typeof maxima;

/**
 * The values that determine the generated statistics of an instance: a key with the emulator's seed and the instance's
 * id, the number of vCPUs, and the periods in which the instance was running.
 */
interface Subject {
  key: string;
  vcpus: number;
  runs: readonly Run[];
}

const subjectOf = (world: World, instance: RowOf<"instances">): Subject => ({
  key: `${world.seed}/${instance.id}`,
  vcpus: instance.specs.vcpus,
  runs: runsOf(instance),
});

/** The mean of a series over the five minutes that start at the given time. */
function fiveMinutes({ key, vcpus, runs }: Subject, figure: Figure, at: number): number {
  const turn = Math.sin((2 * Math.PI * (at % HOUR)) / HOUR);
  return rounded(hourly(key, figure, vcpus, at) * (1 + turn / 5) * uptime(runs, at, at + 5 * MINUTE));
}

/** The mean of a series over the given number of hours. */
function hours(subject: Subject, figure: Figure, at: number, count: number): number {
  let sum = 0;
  for (let hour = 0; hour < count; hour++) sum += oneHour(subject, figure, at + hour * HOUR);
  return rounded(sum / count);
}

/**
 * The bytes transferred between two times. `from` is the start of an hour, because the simulated rates are hourly
 * values.
 */
function bytes(subject: Subject, figure: Figure, from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at += HOUR) {
    const part = Math.min(HOUR, to - at);
    bits += (hourly(subject.key, figure, subject.vcpus, at) * uptime(subject.runs, at, at + part) * part) / 1000;
  }
  return Math.round(bits / 8);
}

const oneHour = ({ key, vcpus, runs }: Subject, figure: Figure, at: number): number =>
  hourly(key, figure, vcpus, at) * uptime(runs, at, at + HOUR);

/** A simulated hourly value: higher by day than by night, with random variation. */
function hourly(key: string, figure: Figure, vcpus: number, at: number): number {
  const hour = Math.floor(at / HOUR);
  const baseLoad = 0.2 + 0.8 * share(`${key}/${figure}`);
  const day = 0.7 - 0.3 * Math.cos((2 * Math.PI * (hour % 24)) / 24);
  return maxima[figure] * (figure === "cpu" ? vcpus : 1) * baseLoad * day * share(`${key}/${figure}/${hour}`);
}

const share = (text: string): number => hash(text) / 2 ** 32;

const rounded = (value: number): number => Math.round(value * 100) / 100;
