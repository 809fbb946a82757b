import fc, { type Scheduler } from "fast-check";
import { describe, expect, test } from "vitest";
import { snapshot } from "../../emulator/core/snapshot";
import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { isNightly } from "../nightly";
import { type Account, account } from "./behaviour/accounts";
import { built, type Change, deployed, edit, instanceOf, type Machine, manage, other } from "./machine-changes";

/** `make nightly` tests more interleavings. These are still several for each pair of changes. */
const RUNS = Number(process.env.INTERLEAVINGS ?? (isNightly ? 1000 : 400));
/**
 * Virtual milliseconds between polls: longer than the default, which saves requests, but short enough that each job is
 * observed while it runs.
 */
const POLL_MS = 10_000;

/**
 * Prepares an account with an instance only once, because this is slow. Each call of the returned function loads a copy
 * of the account.
 */
function copier(build: (world: Account) => Promise<Machine>): () => Promise<Machine> {
  const prepare = async () => {
    await using world = await account();
    const machine = await build(world);
    world.emulator.settle();
    return { machine, load: snapshot(world.world) };
  };
  let prepared: ReturnType<typeof prepare> | undefined;
  return async () => {
    prepared ??= prepare();
    const { machine, load } = await prepared;
    const world = await account({ load });
    const copied = [...machine.resources].map(([name, { managed, ...resource }]) => {
      const copy = manage(resource.kind, world.host);
      copy.state = managed.state;
      return [name, { ...resource, managed: copy }] as const;
    });
    return { ...machine, world, resources: new Map(copied) };
  };
}

const addition = (kind: KindName, inputs: Bag, more: Partial<Change> = {}): Change => ({
  name: `${kind} ${JSON.stringify(inputs)}`,
  resource: `${kind} ${JSON.stringify(inputs)}`,
  run: ({ id: computeId }, host) => manage(kind, host).up({ computeId, ...inputs }),
  ...more,
});

const diskOf = ({ world, id }: Machine) => world.world.disks.by("compute_id", id)[0];
const configOf = ({ world, id }: Machine) => world.world.instanceConfigs.by("compute_id", id)[0];

const hasData = ({ world, id }: Machine) =>
  world.world.disks.by("compute_id", id).some(({ label }) => label === "data");

const type = edit("instance", { type: "g6-standard-2" }, { holds: (it) => instanceOf(it).type === "g6-standard-2" });

const additions: Change[] = [
  addition("InstanceAction", { reboot: {}, triggers: [1] }, { boots: true }),
  addition("InstanceAction", { rescue: {}, triggers: [1] }, { boots: true }),
  addition("InstanceAction", { resetPassword: { rootPass: other }, triggers: [1] }, { disks: "one" }),
  addition("InstanceSnapshot", { label: "before" }),
];

const kernel = { kernel: "compute/grub2" };
const hasKernel = (it: Machine) => configOf(it)?.kernel === kernel.kernel;

const changes: Record<string, { copy: () => Promise<Machine>; changes: Change[] }> = {
  deployed: {
    copy: copier(deployed),
    changes: [
      type,
      edit("instance", { rootPass: other }, { disks: "one" }),
      edit("instance", { config: kernel }, { holds: hasKernel }),
      edit("instance", { booted: false }, { ends: "offline" }),
      edit("instance", { rescue: {} }, { boots: true }),
      edit("instance", { rootPass: other, type: "g6-standard-2", config: kernel }, { disks: "one", holds: hasKernel }),
      ...additions,
    ],
  },
  built: {
    copy: copier(built),
    changes: [
      type,
      edit("disk", { size: 20_480 }, { holds: (it) => diskOf(it)?.size === 20_480 }),
      edit("disk", { rootPass: other }),
      edit("config", kernel, { holds: hasKernel }),
      edit("config", { booted: false }, { ends: "offline" }),
      addition("InstanceDisk", { label: "data", size: 1024 }, { disks: "more", holds: hasData }),
      ...additions,
    ],
  },
};

/**
 * Whether two changes can run at the same time with a defined result: not if they change the same resource or require
 * different numbers of disks, or if one boots the instance that the other one shuts down.
 */
const areCompatible = (one: Change, two: Change): boolean =>
  one.resource !== two.resource &&
  !(one.disks && two.disks && one.disks !== two.disks) &&
  !(one.ends && two.boots) &&
  !(two.ends && one.boots);

const pairs = Object.entries(changes).flatMap(([name, { copy, changes: all }]) =>
  all.flatMap((one, i) =>
    all.slice(i + 1).flatMap((two) => (areCompatible(one, two) ? [{ name, copy, one, two }] : [])),
  ),
);

/**
 * A connection whose API calls and waits run in the random order that the scheduler of fast-check chooses. Adds failed
 * calls to `failed`.
 */
function scheduled({ host, emulator }: Account, scheduler: Scheduler, failed: string[]): Host {
  const turn = (label: string) => scheduler.schedule(Promise.resolve(), label);
  type Calls = Record<string, Record<string, object>>;
  const api = new Proxy(host.api as unknown as Calls, {
    get: (areas, area: string) =>
      new Proxy(areas[area] ?? {}, {
        get: (calls, key: string) => {
          const method = calls[key] as ((...value: unknown[]) => Promise<unknown>) & { all?: AllOf };
          const name = `${area}.${key}`;
          const call = async (...value: unknown[]) => {
            await turn(name);
            return method(...value).catch((error) => {
              failed.push(String(error));
              throw error;
            });
          };
          const all = async function* (...value: unknown[]) {
            await turn(name);
            yield* method.all?.(...value) ?? [];
          };
          return method.all ? Object.assign(call, { all }) : call;
        },
      }),
  }) as unknown as Host["api"];
  return {
    ...host,
    api,
    reads: {
      async view(area, path, options) {
        await turn(`${String(area)}.view`);
        return host.reads.view(area, path, options);
      },
    },
    pollSchedule: () => async () => {
      await turn("wait");
      emulator.advance(POLL_MS);
    },
  };
}

type AllOf = (...value: unknown[]) => AsyncIterable<unknown>;

describe("two simultaneous changes of one instance", () => {
  test(`${RUNS} interleavings of ${pairs.length} pairs: the instance ends as declared, and no call fails`, async () => {
    const one = fc.asyncProperty(fc.constantFrom(...pairs), fc.scheduler(), async (pair, scheduler) => {
      const machine = await pair.copy();
      await using world = machine.world;
      const failed: string[] = [];
      const about = `${pair.name}: ${pair.one.name}, ${pair.two.name}`;
      const host = scheduled(world, scheduler, failed);
      const changes = [pair.one, pair.two];
      const ends = await scheduler.waitFor(Promise.allSettled(changes.map((change) => change.run(machine, host))));
      world.emulator.settle();
      const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
      expect([...failed, ...reasons], about).toEqual([]);
      const isOff = changes.some(({ ends }) => ends === "offline");
      expect(instanceOf(machine).status, about).toBe(isOff ? "offline" : "running");
      for (const { holds } of changes) if (holds) expect(holds(machine), about).toBe(true);
      expect(world.messages().filter((text) => text.includes("still off"))).toEqual([]);
    });
    await fc.assert(one, { numRuns: RUNS, endOnFailure: true });
  }, 900_000);
});
