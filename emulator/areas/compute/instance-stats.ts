import { type InstanceStats, type MonthTransfer, reasons } from "../../../api";
import { Refusal } from "../../core/refusal";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaFragment } from "../../http/handlers";
import { bytes, type Figure, fiveMinutes, HOUR, hours, MINUTE, subjectOf } from "./instance-usage";

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

/** An instance's public traffic of a month. */
export function trafficOf(
  world: World,
  instance: RowOf<"instances">,
  month: { year: number; month: number },
): MonthTransfer {
  const { from, to } = monthOf(world, month);
  const subject = subjectOf(world, instance);
  const until = Math.min(to, world.clock.now());
  const sum = (...figures: Figure[]) =>
    figures.reduce((total, figure) => total + bytes(subject, figure, from, until), 0);
  const [bytes_in, bytes_out] = [sum("v4in", "v6in"), sum("v4out", "v6out")];
  return { bytes_in, bytes_out, bytes_total: bytes_in + bytes_out };
}

/** When the month begins and ends; one that is still to come is refused (rules 13 and 14). */
function monthOf(world: World, { year, month }: { year: number; month: number }) {
  const from = Date.UTC(year, month - 1);
  const to = Date.UTC(year, month);
  const now = world.clock.now();
  if (from > now) {
    const today = world.clock.time().slice(0, 7);
    throw new Refusal(
      400,
      `Must be ${today} or a month before it`,
      new Date(now).getUTCFullYear() < year ? "year" : "month",
    );
  }
  return { from, to, current: now < to };
}

/** The beginnings of the whole steps in a time, from the one in which the instance was made. */
function timesOf(
  { created }: RowOf<"instances">,
  { from, to, step }: { from: number; to: number; step: number },
): number[] {
  const born = Math.floor(Date.parse(`${created}Z`) / step) * step;
  const first = Math.max(Math.ceil(from / step) * step, born);
  const count = Math.max(0, Math.floor((to - first) / step));
  if (count === 0) throw new Refusal(400, reasons.statsNotReady);
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
    // Private addresses are of IPv4 only.
    netv6: { in: series("v6in"), out: series("v6out"), private_in: none, private_out: none },
  };
}

const titleOf = ({ id, label }: RowOf<"instances">): string => `${label} (compute${id})`;
