import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { request } from "undici";
import { vi } from "vitest";
import { type DriftReport, detectDrift, TimeLimit } from "../../../drift";
import { DriftWatch, listen, slack, webhook } from "../../../drift/watch";
import type { FaultSpec } from "../../../emulator/core/faults";
import { Random } from "../../../emulator/core/random";
import type { Hooks } from "../../../provider/client/options";
import { type DisturbedAccount, disturbedAccount } from "./account";
import { behaviorAt, briefFault, disturbances, HOUR, MINUTE, SECOND } from "./disturbances";
import { Edits } from "./edits";
import { Expectation } from "./expectation";
import { slackReceiver, webhookReceiver } from "./receivers";
import { deployStacks, STACKS, type Stacks } from "./stacks";

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

const EVERY_MS = 5 * MINUTE;
const MAX_AGE_MS = 20 * MINUTE;
const KEY = Buffer.from("a key of exactly 32 bytes, honest");

export interface Check {
  /** Milliseconds since the beginning of the day. */
  from: number;
  to: number;
  /** Whether requests fail at its beginning: none, so few that retries are enough, or all of some operations. */
  faults: "none" | "brief" | "lasting";
  hasFailed: boolean;
  /** Number of resources that it could not read. */
  unread: number;
}

export interface Sample {
  /** Milliseconds since the beginning of the day. */
  at: number;
  /** Size of the JavaScript heap after a garbage collection. */
  heapMb: number;
  sockets: number;
  /** Number of listeners of the signal that ends the service. */
  listeners: number;
}

export interface DayOptions {
  hours: number;
  seed: number;
  /** Whether the service checks all stacks of a backend rather than named stacks. */
  allStacks: boolean;
}

/** Runs the service in virtual time, while the account is changed outside Pulumi, and the API and a receiver fail. */
export async function runDay({ hours, seed, allStacks }: DayOptions) {
  await using account = await disturbedAccount();
  const stacks = await deployStacks(account);
  const { time, traffic, emulator } = account;
  if (allStacks) {
    // The stacks set no token, so that of the environment applies.
    vi.stubEnv("CLOUDINFRA_URL", emulator.url);
    vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  }
  const expectation = new Expectation();
  for (const resource of stacks.resources) expectation.deployed(resource);
  const start = time.now();
  const [random, ofReceiver] = [new Random(seed), new Random(seed + 1)];
  await using receiver = await webhookReceiver(
    `whsec_${KEY.toString("base64")}`,
    () => behaviorAt(time.now() - start, time.now(), ofReceiver),
    account,
  );
  await using slackService = await slackReceiver();

  const checks: Check[] = [];
  const expected: string[] = [];
  /** Differences from the expectation in the course of the day. */
  const problems: string[] = [];
  let [isChecking, ended] = [false, Promise.withResolvers<void>()];
  let numbers: Map<string, number> | undefined;
  let brief: FaultSpec | undefined;
  const watch = new DriftWatch({
    async check(hooks) {
      isChecking = true;
      const faults = account.fault ? (account.fault === brief ? "brief" : "lasting") : "none";
      const check: Check = { from: time.now() - start, to: 0, faults, hasFailed: true, unread: 0 };
      numbers = undefined;
      try {
        const report = await checkOnce(account, stacks, hooks, allStacks);
        // In a check of all stacks, an account that cannot be reached is a part of the report.
        check.hasFailed = report.coverage.checked === 0;
        const unread = new Set(report.unread.flatMap(({ resources }) => resources));
        check.unread = unread.size;
        if (!check.hasFailed)
          for (const alert of expectation.checked(unread)) expected.push(`${report.checkedAt} ${alert}`);
        if (!check.hasFailed && !unread.size) numbers = numbersOf(expectation);
        return report;
      } finally {
        check.to = time.now() - start;
        checks.push(check);
        isChecking = false;
        ended.resolve();
      }
    },
    everyMs: EVERY_MS,
    maxAgeMs: MAX_AGE_MS,
    receivers: [webhook(receiver.url, KEY), slack(slackService.url)],
    log: () => {},
    time,
    traffic,
  });
  const server = await listen(watch, { host: "127.0.0.1", port: 0 });
  const get = async (path: string) => {
    traffic.started();
    const { statusCode, body } = await request(server.url + path, { reset: true });
    const text = await body.text();
    traffic.ended();
    return { status: statusCode, text };
  };
  for (const { from, to, fault } of disturbances) {
    time.timer(from, () => account.disturb(fault));
    time.timer(to, () => account.disturb(undefined));
  }
  const stop = new AbortController();
  const running = watch.run(stop.signal);

  const health: { at: number; status: number }[] = [];
  const samples: Sample[] = [];
  const edits = new Edits(account, stacks, expectation, random);
  while (time.now() < start + hours * HOUR) {
    await ended.promise;
    ended = Promise.withResolvers();
    // Time passes only while no request is pending, so Slack has all messages afterwards.
    await time.sleep(SECOND);
    const check = checks.at(-1) as Check;
    const at = time.now() - start;
    health.push({ at, status: (await get("/healthz")).status });
    if (isChecking) continue;
    if (slackService.messages !== expected.length)
      problems.push(`${clock(at)}: Slack has ${slackService.messages} of ${expected.length} alerts`);
    const metrics = metricsIn((await get("/metrics")).text);
    for (const [name, value] of numbers ?? [])
      if (metrics.get(name) !== value) problems.push(`${clock(at)}: ${name} is ${metrics.get(name)}, not ${value}`);
    emulator.requests.clear();
    if (checks.length % 12 === 0) {
      // Counts as a request, so that time does not pass.
      traffic.started();
      samples.push(await sampled(at, stop.signal));
      traffic.ended();
    }
    if (account.fault === brief) {
      brief = random.below(3) ? undefined : briefFault(random);
      account.disturb(brief);
    }
    await edits.until(start + check.from + EVERY_MS - 10 * SECOND);
  }
  stop.abort();
  const undelivered = await running;
  const metrics = metricsIn((await get("/metrics")).text);
  await server.close();
  const { counts, violations, alerts } = receiver;
  return {
    checks,
    expected,
    alerts,
    alertCounts: expectation.counts,
    problems: [...problems, ...violations],
    health,
    samples,
    metrics,
    undelivered,
    edits: edits.counts,
    responses: counts,
    messages: slackService.messages,
  };
}

export type Day = Awaited<ReturnType<typeof runDay>>;

/** A check as that of `cloudinfra drift`. */
async function checkOnce(
  { emulator: { url, token }, time, hooks }: DisturbedAccount,
  stacks: Stacks,
  ofService: Hooks,
  allStacks: boolean,
): Promise<DriftReport> {
  using limit = new TimeLimit("10m", () => {}, time);
  try {
    return await detectDrift({
      states: stacks.states(),
      ...(allStacks ? { backend: { tokenOf: async () => undefined } } : { url, token }),
      now: new Date(time.now()),
      limit,
      time,
      hooks: {
        request: hooks.request,
        response(received) {
          ofService.response?.(received);
          hooks.response(received);
        },
      },
    });
  } catch (error) {
    throw limit.explain(error as Error);
  }
}

const numbersOf = (expectation: Expectation): Map<string, number> =>
  new Map(
    STACKS.flatMap((stack) => {
      const { drifted, missing } = expectation.numbers(stack);
      return [
        [`cloudinfra_drift_drifted_objects{stack="shop/${stack}"}`, drifted],
        [`cloudinfra_drift_missing_objects{stack="shop/${stack}"}`, missing],
      ] as const;
    }),
  );

const metricsIn = (text: string): Map<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );

export const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP")).length;

async function sampled(at: number, stop: AbortSignal): Promise<Sample> {
  // The other ends of closed connections are closed in later turns of the event loop.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  collectGarbage();
  return {
    at,
    heapMb: process.memoryUsage().heapUsed / 2 ** 20,
    sockets: openSockets(),
    listeners: getEventListeners(stop, "abort").length,
  };
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
