import { describe, expect, test } from "vitest";
import type { Settings } from "../../provider/engine/host";
import type { ResourceProvider } from "../../testing/resource-provider";
import { expectNoDifference } from "./expectations";
import {
  attempt,
  type Call,
  callsOf,
  expectOnlyAccount,
  type FaultCase,
  leavesObject,
  stepsOf,
  tryEach,
} from "./fault-cases";
import { counts, definition, names, type Scenario, scenario } from "./scenario";

/**
 * The timeouts in the stack's configuration. After a timeout, the provider may take up to `GRACE` milliseconds longer
 * to find or read the object, for example if its create request got no response.
 */
const timeouts = { create: "2s", update: "2s", delete: "2s", read: "2s" };
const [LIMIT, GRACE] = [2000, 1000];
/** Milliseconds for which the first operation over a connection may wait for the account: half of its time limit. */
const ACCOUNT = LIMIT / 2;
const DAY = 86_400;

/** The longest duration of an operation of the provider, in virtual milliseconds. */
let longest = 0;
let now = () => 0;

const timed = (provider: ResourceProvider): ResourceProvider => {
  const calls = Object.entries(provider) as [string, (...value: unknown[]) => Promise<unknown>][];
  const measured = calls.map(([name, call]) => {
    const withTime: typeof call = async (...value) => {
      const startedAt = now();
      return call(...value).finally(() => {
        longest = Math.max(longest, now() - startedAt);
      });
    };
    return [name, withTime];
  });
  return Object.fromEntries(measured);
};

/**
 * Starts a test account in which jobs take a millisecond, so that an operation sends all its calls within the short
 * time limit. Only transfers still expire after a day.
 */
async function quick(name: (typeof names)[number]): Promise<Scenario & { anewWithMoreTime(): void }> {
  const settings: Settings = { timeouts };
  const it = await scenario(name, { settings }, timed);
  longest = 0;
  Object.assign(it.world.clock, { takes: (seconds: number) => (seconds < DAY ? 1 : seconds * 1000) });
  now = it.host.now;
  return Object.assign(it, {
    /** Starts a command with a longer time limit. */
    anewWithMoreTime() {
      settings.timeouts = { ...timeouts, delete: "10s" };
      it.anew();
    },
  });
}

/**
 * The API calls of the current Pulumi command, and its requests to upload URLs (buckets and images), which are
 * identified by path.
 */
const requestsOf = (it: Scenario): Call[] => {
  const data = it.emulator.requests.list().filter(({ operation }) => operation === null);
  const paths = new Map(data.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  const more = [...paths.values()].map(({ method, path }) => ({ method, operation: path, nth: 1 }) as Call);
  return [...callsOf(it), ...more];
};

const stalls = (calls: readonly Call[]): FaultCase[] =>
  calls.flatMap(({ method, operation, nth }): FaultCase[] => {
    const call = `${operation}${nth > 1 ? ` (${nth})` : ""}`;
    const before = { name: `${call} gets no response`, fault: { kind: "stall-before", path: operation, nth } } as const;
    const after = { kind: "stall-after", path: operation, nth } as const;
    return method === "GET" ? [before] : [before, { name: `${call} is carried out without a response`, fault: after }];
  });

const silences = (total: number): FaultCase[] =>
  Array.from({ length: total }, (_, at) => ({
    name: `no response from call ${at + 1} on`,
    fault: { kind: "stall-before", nth: at + 1, times: 1_000_000 },
  }));

const casesOf = (it: Scenario): FaultCase[] => [
  ...stalls(requestsOf(it)),
  ...silences(it.emulator.requests.list().length),
];

const isAboutAccount = ({ message }: Error): boolean =>
  message.endsWith("Nothing was changed. Run the command again once the account can be read");

/**
 * Expects that the operation succeeds, or fails in time with an error that explains how to increase the timeout, or that
 * the account could not be read before a change.
 */
async function expectEndInTime(work: () => Promise<unknown>): Promise<Error | undefined> {
  const failure = (await attempt(work)) as Error | undefined;
  expect(longest).toBeLessThanOrEqual(ACCOUNT + LIMIT + GRACE);
  if (failure && !isAboutAccount(failure)) {
    expect(failure.message).toMatch(/: (check|create|update|delete|read|preview) timed out after [23] s: /);
    expect(failure.message).toMatch(/ in the resource option customTimeouts or in cloudinfra:timeouts$/);
  }
  return failure;
}

const up = (it: Scenario, inputs = it.fixture.base) => it.managed.up(inputs);

describe.each(names)("%s ends at its deadline and keeps its id", (name) => {
  test("while it is created", async () => {
    await using clean = await quick(name);
    await up(clean);
    const things = counts(clean.created());
    await tryEach(casesOf(clean), async ({ fault }) => {
      await using it = await quick(name);
      it.emulator.faults.add(fault);
      const failure = await expectEndInTime(() => up(it));
      const unseen = failure?.message.includes("If it exists, delete it before the next update");
      // For some resource classes, sending the same create request twice does no harm. The provider can then fail
      // without the object's id ("may have been carried out"), because the next `pulumi up` sends the request again.
      const isRepeated =
        it.kind.identity.lostCreate === "repeat" && failure?.message.includes("may have been carried out");
      if (it.hasRows && !unseen && !isRepeated) expect(it.declared(), "no orphan").toEqual(it.objects());
      it.emulator.faults.clear();
      it.anew();
      if (unseen) return;
      await up(it);
      expect(counts(it.created())).toEqual(things);
      await expectNoDifference(it, it.fixture.base);
    });
  });

  test("while it is previewed and refreshed", async () => {
    await using clean = await quick(name);
    await up(clean);
    clean.anew();
    await clean.managed.preview(clean.fixture.base);
    await clean.managed.refresh();
    await tryEach(casesOf(clean), async ({ fault }) => {
      await using it = await quick(name);
      await up(it);
      const before = it.managed.state;
      it.anew();
      it.emulator.faults.add(fault);
      await expectEndInTime(() => it.managed.preview(it.fixture.base));
      await expectEndInTime(() => it.managed.refresh());
      if (it.managed.state) expect(it.managed.state.id).toBe(before?.id);
    });
  });

  test("while it is deleted", async () => {
    await using clean = await quick(name);
    await up(clean);
    clean.anew();
    await clean.managed.destroy();
    if (leavesObject(clean.kind)) return expectOnlyAccount(requestsOf(clean));
    const cases = casesOf(clean);
    await tryEach(cases, async ({ fault }) => {
      await using it = await quick(name);
      await up(it);
      it.anew();
      it.emulator.faults.add(fault);
      const failure = await expectEndInTime(() => it.managed.destroy());
      expect(it.managed.state === undefined).toBe(failure === undefined);
      it.emulator.faults.clear();
      // With a plugin, the deletion of an object that is missing waits half a second for others. For a disk, it waits
      // for the instance to boot too.
      it.anewWithMoreTime();
      await it.managed.destroy();
      expect(it.created()).toEqual({});
    });
  });
});

test.each(names.filter((name) => Object.keys(definition(name).steps ?? {}).length))(
  "%s ends at its deadline and keeps its id > while a step is run",
  async (name) => {
    await using first = await quick(name);
    for (const [way, { step, before, after }] of stepsOf(first).entries()) {
      await using clean = await quick(name);
      await up(clean, before);
      clean.anew();
      await up(clean, after);
      const changes = requestsOf(clean).filter(({ method }) => method !== "GET");
      const cases = [...stalls(changes), ...silences(clean.emulator.requests.list().length)];
      await tryEach(
        cases.map((one) => ({ ...one, name: `${step}, way ${way}: ${one.name}` })),
        async ({ fault }) => {
          await using it = await quick(name);
          const { before, after } = stepsOf(it)[way] as ReturnType<typeof stepsOf>[number];
          await up(it, before);
          const { id } = it.managed;
          it.anew();
          it.emulator.faults.add(fault);
          await expectEndInTime(() => up(it, after));
          expect(it.managed.id).toBe(id);
          it.emulator.faults.clear();
          it.anew();
          await up(it, after);
          await expectNoDifference(it, after);
        },
      );
    }
  },
);
