import fc, { type Scheduler } from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { snapshot } from "../../emulator/core/snapshot";
import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { Managed } from "../../testing/provider";
import { type Account, account } from "./behaviour/accounts";
import { numberOf } from "./behaviour/machines";

const RUNS = Number(process.env.INTERLEAVINGS ?? 1000);
/** Longer than on a real connection, which saves requests: each job is still seen under way. */
const POLL_MS = 10_000;

const web = { label: "web", region: "us-east", type: "g6-standard-1", backupsEnabled: true, resizeDisks: false };
const image = { image: "compute/debian11", rootPass: "correct horse 1" };
const other = "battery staple 2";

/** A change of one resource of a machine, and what of the machine must be so afterwards. */
interface Change {
  name: string;
  /** Changes of the same resource never run side by side. */
  resource: string;
  run(machine: Machine, host: Host): Promise<unknown>;
  holds?(machine: Machine): unknown;
  /** What the power is in the end; running unless something declares that it is off. */
  ends?: "offline";
  /** It needs the only disk of the machine, or makes another one. */
  disks?: "one" | "more";
  /** It boots the machine whatever else is declared. */
  boots?: true;
}

interface Machine {
  world: Account;
  id: number;
  resources: Map<string, Resource>;
}

interface Resource {
  kind: KindName;
  inputs: Bag;
  managed: AnyManaged;
}

type AnyManaged = Omit<Managed<KindName>, "up"> & { up(inputs: Bag): Promise<unknown> };

const manage = (kind: KindName, host: Host): AnyManaged => new Managed(kind, host) as AnyManaged;

async function make(machine: Machine, name: string, kind: KindName, inputs: Bag): Promise<AnyManaged> {
  const managed = manage(kind, machine.world.host);
  await managed.up(inputs);
  machine.resources.set(name, { kind, inputs, managed });
  return managed;
}

/** A machine that is deployed from an image. */
async function deployed(world: Account): Promise<Machine> {
  const machine: Machine = { world, id: 0, resources: new Map() };
  machine.id = Number((await make(machine, "instance", "Instance", { ...web, ...image, booted: true })).id);
  return machine;
}

/** A machine whose disk and config are resources of their own. */
async function built(world: Account): Promise<Machine> {
  const machine: Machine = { world, id: 0, resources: new Map() };
  machine.id = Number((await make(machine, "instance", "Instance", web)).id);
  const { id: computeId } = machine;
  const disk = await make(machine, "disk", "InstanceDisk", { computeId, label: "root", size: 10_240, ...image });
  const devices = { sda: { diskId: numberOf(disk) } };
  await make(machine, "config", "InstanceConfig", { computeId, label: "main", devices, booted: true });
  return machine;
}

/** Builds the machine once; each call after that copies it into an account of its own. */
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

const edit = (resource: string, change: Bag, more: Partial<Change> = {}): Change => ({
  name: `${resource} ${JSON.stringify(change)}`,
  resource,
  run({ resources }, host) {
    const { inputs, managed } = resources.get(resource) as Resource;
    managed.reconnect(host);
    return managed.up({ ...inputs, ...change });
  },
  ...more,
});

const addition = (kind: KindName, inputs: Bag, more: Partial<Change> = {}): Change => ({
  name: `${kind} ${JSON.stringify(inputs)}`,
  resource: `${kind} ${JSON.stringify(inputs)}`,
  run: ({ id: computeId }, host) => manage(kind, host).up({ computeId, ...inputs }),
  ...more,
});

const instanceOf = ({ world, id }: Machine) => world.world.instances.get(id);
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

/** Both can be declared of one machine at once, and leave no doubt about how it ends. */
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

/** A connection whose calls and waits run in the scheduler's order; every call that fails is noted. */
function scheduled({ host, emulator }: Account, scheduler: Scheduler, failed: string[]): Host {
  const turn = (label: string) => scheduler.schedule(Promise.resolve(), label);
  type Calls = Record<string, Record<string, object>>;
  const api = new Proxy(host.api as unknown as Calls, {
    get: (areas, area: string) =>
      new Proxy(areas[area] ?? {}, {
        get: (calls, key: string) => {
          const method = calls[key] as ((...given: unknown[]) => Promise<unknown>) & { all?: AllOf };
          const name = `${area}.${key}`;
          const call = async (...given: unknown[]) => {
            await turn(name);
            return method(...given).catch((error) => {
              failed.push(String(error));
              throw error;
            });
          };
          const all = async function* (...given: unknown[]) {
            await turn(name);
            yield* method.all?.(...given) ?? [];
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

type AllOf = (...given: unknown[]) => AsyncIterable<unknown>;

describe("C3: two changes of one machine at once", () => {
  test(`${RUNS} interleavings of ${pairs.length} pairs: the machine ends as declared, and no call fails`, async () => {
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
      expect(world.told().filter((text) => text.includes("still off"))).toEqual([]);
    });
    await fc.assert(one, { numRuns: RUNS, endOnFailure: true });
  }, 900_000);
});

describe("C3: a machine that a change has left off", () => {
  const boots = { kind: "job-fail", path: "instances.boot", times: 1000 } as const;

  test.each([
    ["a new root password", deployed, edit("instance", { rootPass: other })],
    ["a larger disk", built, edit("disk", { size: 20_480 })],
  ] as const)(
    "%s: the boot that failed is reported and made by the next update, even if the change is taken back",
    async (_what, build, change) => {
      await using world = await account();
      const machine = await build(world);
      const { managed, inputs } = machine.resources.get(change.resource) as Resource;
      // Without it the declared power alone would boot the machine.
      const { booted: _, ...undeclared } = inputs;
      await managed.up(undeclared);
      const back = change.resource === "disk" ? { ...undeclared, size: 20_480 } : undeclared;
      world.emulator.faults.add(boots);
      await expect(change.run(machine, world.host)).rejects.toThrow(
        `instance ${machine.id} is still off: Instance ${machine.id} did not boot: it is offline; the next update boots it`,
      );
      expect(instanceOf(machine).status).toBe("offline");
      expect(managed.outs).toMatchObject({ resumes: true });
      world.emulator.faults.clear();
      managed.reconnect(world.reconnect());
      world.calls();
      await managed.up(back);
      expect(world.calls()).toContain("instances.boot");
      expect(world.calls()).not.toContain("instances.shutdown");
      expect(instanceOf(machine).status).toBe("running");
      expect(managed.outs).not.toHaveProperty("resumes");
    },
  );

  test("an action: the boot that failed is made by the next update, and the action is not repeated", async () => {
    await using world = await account();
    const machine = await deployed(world);
    const action = manage("InstanceAction", world.host);
    const inputs = { computeId: machine.id, resetPassword: { rootPass: other }, triggers: [1] };
    world.emulator.faults.add(boots);
    await expect(action.up(inputs)).rejects.toThrow("did not boot: it is offline; the next update boots it");
    world.emulator.faults.clear();
    action.reconnect(world.reconnect());
    world.calls();
    await action.up(inputs);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(instanceOf(machine).status).toBe("running");
  });

  test("the next update does not reboot a machine that somebody has booted meanwhile", async () => {
    await using world = await account();
    const machine = await built(world);
    const { managed, inputs } = machine.resources.get("disk") as Resource;
    world.emulator.faults.add(boots);
    await expect(managed.up({ ...inputs, size: 20_480 })).rejects.toThrow("still off");
    world.emulator.faults.clear();
    await world.api.instances.boot({ path: { computeId: machine.id } });
    world.emulator.settle();
    managed.reconnect(world.reconnect());
    world.calls();
    await managed.up({ ...inputs, size: 20_480 });
    expect(world.calls()).toEqual([]);
    expect(managed.outs).not.toHaveProperty("resumes");
  });

  test("a change that takes all the time leaves the machine booting", async () => {
    await using world = await account();
    const machine = await deployed(world);
    world.emulator.faults.add({ kind: "stall-before", path: "instances.resetPassword" });
    world.calls();
    const change = edit("instance", { rootPass: other, __timeouts: { update: "60s" } });
    await expect(change.run(machine, world.host)).rejects.toThrow(
      /^Instance "web" \(\d+\): update timed out after \d+ s: /,
    );
    expect(world.calls()).toEqual(["instances.shutdown", "instances.boot"]);
    world.emulator.settle();
    expect(instanceOf(machine).status).toBe("running");
  });
});

test("C3: waiting for another change of the machine ends at the deadline", async () => {
  await using world = await account();
  const machine = await built(world);
  world.emulator.faults.add({ kind: "job-stall", path: "instanceDisks.resize" });
  const resize = edit("disk", { size: 20_480, __timeouts: { update: "24h" } }).run(machine, world.host);
  await vi.waitFor(() => expect(world.calls()).toContain("instanceDisks.resize"));
  const snapshot = manage("InstanceSnapshot", world.host);
  const inputs = { computeId: machine.id, label: "before", __timeouts: { create: "90s" } };
  await expect(snapshot.up(inputs)).rejects.toThrow(
    new RegExp(
      `^InstanceSnapshot "before": create timed out after 9\\d s: waiting for other changes of instance ${machine.id}. ` +
        "To allow more time, set create in the resource option customTimeouts or in cloudinfra:timeouts$",
    ),
  );
  world.emulator.faults.clear();
  await resize;
});
