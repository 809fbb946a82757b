import { expect, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import type { Host } from "../../provider/engine/host";
import { hostOf } from "../../provider/heads/connection";
import type { KindName } from "../../provider/resources";
import { type Inputs, Managed } from "../../testing/provider";
import { busyTime } from "../../testing/virtual-time";

/** The engine's own time per step. It writes the state after each step, one at a time, but not after a read. */
const WRITE_MS = 40;
const READ_MS = 5;

type Work = () => Promise<unknown>;

/** A stack that the engine processes with this many parallel operations, in virtual time. */
async function stackOf(parallel: number, { speed, ...options }: EmulatorOptions & { speed?: number } = {}) {
  const emulator = await startEmulator({ pace: "stepped", ...options });
  const time = busyTime(emulator, speed);
  const open: { close(): Promise<void> }[] = [];
  /** Each Pulumi command opens its own connection. */
  const command = (): Host => {
    const client = connect({ url: emulator.url, token: emulator.token, ...time });
    open.push(client);
    return hostOf(client, time, { warn: () => {}, progress: () => {} });
  };
  let written: Promise<void> = Promise.resolve();
  const write = (ms: number): Promise<void> => {
    written = written.then(() => time.sleep(ms));
    return written;
  };
  return {
    emulator,
    command,
    /** The number of latest calls that exceeded the rate limit. */
    refused: () => emulator.requests.list().filter(({ status }) => status === 429).length,
    /** Runs the work as the engine does, and returns what was called for it. */
    async run(
      all: readonly Work[],
      ms = WRITE_MS,
    ): Promise<{ calls: number; byOperation: Record<string, number>; errors: Error[] }> {
      emulator.requests.clear();
      const errors: Error[] = [];
      const left = [...all];
      const worker = async (): Promise<void> => {
        for (let work = left.shift(); work; work = left.shift()) {
          await work().catch((error) => errors.push(error));
          await write(ms);
        }
      };
      await Promise.all(Array.from({ length: parallel }, worker));
      const byOperation = emulator.requests.counts();
      return { calls: Object.values(byOperation).reduce((sum, count) => sum + count, 0), byOperation, errors };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((client) => client.close()));
      await emulator.close();
    },
  };
}

type Stack = Awaited<ReturnType<typeof stackOf>>;

/** A resource with what it is declared with. */
function resource<K extends KindName>(kind: K, name: string, host: Host, inputs: () => Inputs<K>) {
  const managed = new Managed(kind, host, name);
  return { managed, up: () => managed.up(inputs()), destroy: () => managed.destroy() };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const region = "us-east";

/** Instances, volumes and records, n of each, in one domain. */
function fleet(stack: Stack, n: number) {
  const host = stack.command();
  const zone = resource("Domain", "zone", host, () => ({
    domain: "example.com",
    type: "master",
    soaEmail: "admin@example.com",
  }));
  const instances = numbers(n).map((i) =>
    resource("Instance", `web-${i}`, host, () => ({
      region,
      type: "g6-nanode-1",
      image: "compute/debian11",
      rootPass: "correct horse 1 battery",
    })),
  );
  const volumes = numbers(n).map((i) => resource("Volume", `data-${i}`, host, () => ({ region, size: 20 })));
  const records = numbers(n).map((i) =>
    resource("DomainRecord", `a-${i}`, host, () => ({
      domainId: Number(zone.managed.id),
      type: "A",
      name: `web-${i}`,
      target: `192.0.2.${i % 250}`,
    })),
  );
  // The engine begins with what has no secrets and depends on nothing.
  const all = [...volumes, ...instances, ...records];
  return { zone, all };
}

test.each([8, 64])("301 resources, %d at a time, take few more calls than one each", async (parallel) => {
  // As quick as an emulator is by default.
  await using stack = await stackOf(parallel, { speed: 30 });
  const { zone, all } = fleet(stack, 100);
  const begun = await stack.run([zone.up]);
  const up = await stack.run(all.map(({ up }) => up));
  expect(up.errors).toEqual([]);
  expect(begun.calls + up.calls, JSON.stringify(up.byOperation)).toBeLessThanOrEqual(340);

  const reading = stack.command();
  for (const { managed } of [zone, ...all]) managed.reconnect(reading);
  const drift = await stack.run(
    [zone, ...all].map(({ managed }) => async () => {
      expect(await managed.refresh()).toBe("same");
    }),
    READ_MS,
  );
  expect(drift.errors).toEqual([]);
  expect(drift.calls, JSON.stringify(drift.byOperation)).toBeLessThanOrEqual(20);

  const ending = stack.command();
  for (const { managed } of [zone, ...all]) managed.reconnect(ending);
  const destroy = await stack.run(all.map(({ destroy }) => destroy));
  const ended = await stack.run([zone.destroy]);
  expect([...destroy.errors, ...ended.errors]).toEqual([]);
  expect(destroy.calls + ended.calls, JSON.stringify(destroy.byOperation)).toBeLessThanOrEqual(330);
  const { instances, volumes, domains } = stack.emulator.world;
  expect([instances.all(), volumes.all(), domains.all()].flat()).toEqual([]);
});

test("301 resources take few polls even if instances boot as slowly as on the real service", async () => {
  await using stack = await stackOf(8, { speed: 1 });
  const { zone, all } = fleet(stack, 100);
  await stack.run([zone.up]);
  const up = await stack.run(all.map(({ up }) => up));
  expect(up.errors).toEqual([]);
  // 26 polls are the least with 8 operations at a time; the others learn how long an instance and a volume take.
  expect(up.calls, JSON.stringify(up.byOperation)).toBeLessThanOrEqual(385);
});

const volumesOf = (stack: Stack, count: number) => {
  const host = stack.command();
  return numbers(count).map((i) => resource("Volume", `data-${i}`, host, () => ({ region, size: 20 })));
};

/** A poll can release no more creates than wait for it: 8 at a time, as the engine has by default on two cores, need 125. */
test.each([
  { parallel: 8, most: 1_140 },
  { parallel: 32, most: 1_080 },
])(
  "1,000 volumes come up with $most calls, $parallel at a time, within the service's limits",
  async ({ parallel, most }) => {
    await using stack = await stackOf(parallel, { rateLimits: true });
    const volumes = volumesOf(stack, 1_000);
    const up = await stack.run(volumes.map(({ up }) => up));
    expect(up.errors).toEqual([]);
    expect(up.calls, JSON.stringify(up.byOperation)).toBeLessThanOrEqual(most);
    expect(stack.refused()).toBeLessThan(up.calls / 100);
    const destroy = await stack.run(volumes.map(({ destroy }) => destroy));
    expect(destroy.errors).toEqual([]);
    expect(destroy.calls, JSON.stringify(destroy.byOperation)).toBeLessThanOrEqual(1_020);
    expect(stack.refused()).toBeLessThan(destroy.calls / 100);
  },
);

test("a volume that fails among many is the error of its own creation, and of no other", async () => {
  await using stack = await stackOf(8);
  const { world, faults } = stack.emulator;
  const volumes = volumesOf(stack, 60);
  const works = volumes.map(({ up }) => up);
  const fail = async () => void faults.add({ path: "volumes.create", kind: "job-fail", times: 1 });
  const up = await stack.run([...works.slice(0, 30), fail, ...works.slice(30)]);
  const failed = world.volumes.all().filter(({ status }) => status === "contact_support");
  expect(failed).toHaveLength(1);
  const [{ id, label } = { id: 0, label: "" }] = failed;
  expect(up.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(`^Volume "${label}" \\(${id}\\): failed after .* state "contact_support"`),
  ]);
  const unfinished = volumes.filter(({ managed }) => managed.state?.initErrors.length);
  expect(unfinished.map(({ managed }) => managed.id)).toEqual([String(id)]);
});

test("what others change in the middle of a drift check is found by the reads that follow", async () => {
  await using stack = await stackOf(8);
  const volumes = volumesOf(stack, 400);
  await stack.run(volumes.map(({ up }) => up));
  const reading = stack.command();
  for (const { managed } of volumes) managed.reconnect(reading);
  const { world } = stack.emulator;
  const last = volumes.at(-1)?.managed.id;
  const found = new Map<string, string>();
  const reads = volumes.map(
    ({ managed }) =>
      async () =>
        void found.set(managed.name, await managed.refresh()),
  );
  // A list is reused for five seconds; the last read is six seconds after this.
  const meddle = async () => void world.volumes.patch(Number(last), { size: 30 });
  const drift = await stack.run([...reads.slice(0, 100), meddle, ...reads.slice(100)], 20);
  expect([...found].filter(([, outcome]) => outcome !== "same")).toEqual([["data-399", "changed"]]);
  expect(drift.calls).toBeLessThanOrEqual(24);
});

test("10,000 objects are checked for drift without exceeding the rate limits", async () => {
  await using stack = await stackOf(8, { rateLimits: true });
  const { volumes } = stack.emulator.world;
  const [first] = volumesOf(stack, 1);
  await first?.up();
  const managed = first?.managed;
  const state = managed?.state;
  const row = volumes.all()[0];
  if (!managed || !state || !row) throw new Error("there is no volume to copy");
  const reading = stack.command();
  const copies = numbers(10_000).map((i) => {
    const label = `copy-${i}`;
    const { id } = volumes.insert({ ...row, id: 2_000_000 + i, label, filesystem_path: `${row.filesystem_path}-${i}` });
    const copy = new Managed("Volume", reading, label);
    copy.state = { ...state, id: String(id), inputs: { ...state.inputs, label }, outs: { ...state.outs, label } };
    return copy;
  });
  const drift = await stack.run(
    copies.map((copy) => async () => expect(await copy.refresh()).toBe("same")),
    READ_MS,
  );
  expect(drift.errors).toEqual([]);
  expect(stack.refused()).toBeLessThan(drift.calls / 100);
  expect(drift.calls).toBeLessThan(2_000);
});
