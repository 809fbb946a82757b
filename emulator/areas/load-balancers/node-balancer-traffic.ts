import { type NodeBalancer, type NodeBalancerStats, reasons } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { hash } from "../../core/random";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";

/** Seconds between two samples of the traffic. Samples are available for the last 24 hours. */
const READING = 300;
const READINGS = 24 * 12;

/** Bytes that each simulated connection transfers: `REQUEST` in, `RESPONSE` out. */
const REQUEST = 1200;
const RESPONSE = 9000;

/** The samples of the last 24 hours. Rejects the request if the load balancer is too new to have a sample. */
export function statsOf(world: World, balancer: RowOf<"nodeBalancers">): NodeBalancerStats {
  const now = seconds(world);
  const readingCount = Math.floor((now - Date.parse(`${balancer.created}Z`) / 1000) / READING);
  if (readingCount < 1) throw new ErrorResponse(400, reasons.statsNotReady);
  const since = servingSince(world, balancer.id);
  const count = Math.min(readingCount, READINGS);
  const connections = Array.from({ length: count }, (_, at) => {
    const time = now - (count - at) * READING;
    return time < since ? 0 : rate(world, balancer.id, placeInDay(time));
  });
  return {
    data: {
      connections,
      traffic: { in: connections.map((one) => bits(one, REQUEST)), out: connections.map((one) => bits(one, RESPONSE)) },
    },
    title: `${balancer.label} - day (5 min avg)`,
  };
}

/** Traffic of the load balancer since the start of the month. All fields are null until there is some. */
export function transferOf(world: World, { id }: RowOf<"nodeBalancers">): NodeBalancer["transfer"] {
  const now = seconds(world);
  const month = new Date(now * 1000);
  const begin = Date.UTC(month.getUTCFullYear(), month.getUTCMonth()) / 1000;
  const from = Math.max(begin, servingSince(world, id));
  if (from >= now) return { total: null, out: null, in: null };
  const connections = connectionsUntil(world, id, now) - connectionsUntil(world, id, from);
  const [into, out] = [REQUEST, RESPONSE].map((bytes) => Math.round((connections * bytes) / 10_000) / 100) as [
    number,
    number,
  ];
  return { total: Math.round((into + out) * 100) / 100, out, in: into };
}

/**
 * Time in seconds since 1970 at which the oldest backend was added. Infinite if the load balancer has no backends.
 */
const servingSince = (world: World, balancer: number): number =>
  world.nodeBalancerNodes
    .by("nodebalancer_id", balancer)
    .reduce((first, { added }) => Math.min(first, added / 1000), Number.POSITIVE_INFINITY);

/**
 * Simulated connections per second at a time of day: more by day than by night. The same seed gives the same numbers.
 */
function rate(world: World, balancer: number, reading: number): number {
  const pattern = hash(`${world.seed}/nodebalancer/${balancer}`);
  const distance = Math.abs(((reading + (pattern % READINGS)) % READINGS) - READINGS / 2) / (READINGS / 2);
  const jitter = (Math.imul(reading + 1, 0x9e3779b1) >>> 28) / 100;
  return Math.round((1 + (pattern % 40)) * (1 + distance + jitter) * 100) / 100;
}

/** Sum of the simulated connections from 1970 to the given time. Two sums are subtracted to get those in a period. */
function connectionsUntil(world: World, balancer: number, time: number): number {
  const readings = Math.floor(time / READING);
  const last = readings % READINGS;
  let day = 0;
  let today = 0;
  for (let reading = 0; reading < READINGS; reading++) {
    if (reading === last) today = day;
    day += rate(world, balancer, reading);
  }
  const counted = READING * (day * Math.floor(readings / READINGS) + today);
  return counted + (time - readings * READING) * rate(world, balancer, last);
}

const placeInDay = (time: number): number => Math.floor(time / READING) % READINGS;
const seconds = (world: World): number => world.clock.now() / 1000;
const bits = (connections: number, bytes: number): number => Math.round(connections * bytes * 8);
