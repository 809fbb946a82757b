import { expect, test } from "vitest";
import type { ProviderType } from "../../stack/migration";
import { Managed } from "../../testing/provider";
import { forEveryChange } from "../nightly";
import { fleet, numbers, READ_MS, stackOf, volumesOf, type Work } from "./virtual-stack";

/** One request of each command reads the account, to compare it with that of the state. */
const few = { up: 81, preview: 1, drift: 17, destroy: 76 };
const many = { up: 341, preview: 1, drift: 21, destroy: 331 };

/** For every change, each provider with one of the two numbers, and the dynamic provider with the higher parallelism. */
const fleets: { provider: ProviderType; n: number; parallel: number; max: typeof few; often?: boolean }[] = [
  { provider: "dynamic", n: 20, parallel: 8, max: few },
  { provider: "native", n: 20, parallel: 8, max: few, often: true },
  { provider: "dynamic", n: 100, parallel: 8, max: many, often: true },
  { provider: "native", n: 100, parallel: 8, max: many },
  { provider: "dynamic", n: 100, parallel: 64, max: many, often: true },
];

test.each(forEveryChange(fleets, ({ often }) => often === true))(
  "$n instances, volumes and records, $parallel in parallel, take only a few more calls than one each ($provider)",
  async ({ provider, n, parallel, max }) => {
    // The emulator runs jobs 30 times faster than the real service, as it does by default.
    await using stack = await stackOf(parallel, { speed: 30, provider });
    const { zone, all } = fleet(stack, n);
    /**
     * Simulates a Pulumi command: calls the provider for the resources of each group in `works`, one group after the
     * other, over a new connection with empty caches.
     */
    async function step(name: keyof typeof max, works: readonly (readonly Work[])[], ms?: number): Promise<void> {
      const host = stack.command();
      for (const { managed } of [zone, ...all]) managed.reconnect(host);
      const found: Record<string, number>[] = [];
      let total = 0;
      for (const work of works) {
        const { calls, byOperation, errors } = await stack.run(work, ms);
        expect(errors).toEqual([]);
        found.push(byOperation);
        total += calls;
      }
      expect(total, `${name}: ${JSON.stringify(found)}`).toBeLessThanOrEqual(max[name]);
    }
    await step("up", [[zone.up], all.map(({ up }) => up)]);
    await step("preview", [[zone.preview], all.map(({ preview }) => preview)], READ_MS);
    const reads = [zone, ...all].map(
      ({ managed }) =>
        async () =>
          expect(await managed.refresh()).toBe("same"),
    );
    await step("drift", [reads], READ_MS);
    await step("destroy", [all.map(({ destroy }) => destroy), [zone.destroy]]);
    const { instances, volumes, domains } = stack.emulator.world;
    expect([instances.all(), volumes.all(), domains.all()].flat()).toEqual([]);
  },
);

test.each<{ provider: ProviderType }>([{ provider: "dynamic" }, { provider: "native" }])(
  "an update of 100 instances and 100 volumes takes one request each, and lists ($provider)",
  async ({ provider }) => {
    await using stack = await stackOf(8, { speed: 30, provider });
    let tags: string[] | undefined;
    const { zone, all, labelled } = fleet(stack, 100, () => tags);
    for (const works of [[zone], all]) expect((await stack.run(works.map(({ up }) => up))).errors).toEqual([]);
    const changed = async (resources: typeof labelled, value: string[]) => {
      tags = value;
      const host = stack.command();
      for (const { managed } of resources) managed.reconnect(host);
      return stack.run(resources.map(({ up }) => up));
    };
    const update = await changed(labelled, ["web"]);
    expect(update.errors).toEqual([]);
    expect(update.byOperation).toMatchObject({ "instances.update": 100, "volumes.update": 100 });
    expect(update.calls, JSON.stringify(update.byOperation)).toBeLessThanOrEqual(215);
    const one = await changed(labelled.slice(0, 1), ["web", "database"]);
    expect(one.errors).toEqual([]);
    expect(one.byOperation).toMatchObject({ "volumes.update": 1 });
    // One request reads the account, to compare it with that of the state.
    expect(one.calls, JSON.stringify(one.byOperation)).toBeLessThanOrEqual(3);
    expect(stack.emulator.world.volumes.all().filter(({ tags }) => tags.includes("web"))).toHaveLength(100);
  },
);

test("301 resources take few polls even if instances boot as slowly as on the real service", async () => {
  await using stack = await stackOf(8, { speed: 1 });
  const { zone, all } = fleet(stack, 100);
  await stack.run([zone.up]);
  const up = await stack.run(all.map(({ up }) => up));
  expect(up.errors).toEqual([]);
  // With 8 parallel operations, one poll can complete at most 8 creates of a kind, so 100 instances and 100 volumes
  // need at least 26 polls. The provider polls a few more times to learn how long an instance and a volume take.
  expect(up.calls, JSON.stringify(up.byOperation)).toBeLessThanOrEqual(385);
});

/**
 * With 8 parallel operations, which is Pulumi's default on two cores, one poll can complete at most 8 creates. So 1,000
 * creates need at least 125 polls.
 */
const largest: { provider: ProviderType; parallel: number; max: number }[] = [
  { provider: "dynamic", parallel: 8, max: 1_140 },
  { provider: "dynamic", parallel: 16, max: 1_080 },
  { provider: "native", parallel: 16, max: 1_080 },
];

// The two rows for every change have both providers and both numbers of parallel operations.
test.each(forEveryChange(largest, ({ provider, parallel }) => provider === "native" || parallel === 8))(
  "1,000 volumes are created with at most $max calls, $parallel in parallel, within the service's limits ($provider)",
  async ({ provider, parallel, max }) => {
    await using stack = await stackOf(parallel, { rateLimits: true, provider });
    const volumes = volumesOf(stack, 1_000);
    const up = await stack.run(volumes.map(({ up }) => up));
    expect(up.errors).toEqual([]);
    expect(up.calls, JSON.stringify(up.byOperation)).toBeLessThanOrEqual(max);
    expect(stack.rejected()).toBeLessThan(up.calls / 100);
    const host = stack.command();
    for (const { managed } of volumes) managed.reconnect(host);
    const reads = volumes.map(
      ({ managed }) =>
        async () =>
          expect(await managed.refresh()).toBe("same"),
    );
    const refresh = await stack.run(reads, READ_MS);
    expect(refresh.errors).toEqual([]);
    // The provider does not know how many pages the list has. So it sends at most as many requests again for one page,
    // and for single objects.
    expect(refresh.calls, JSON.stringify(refresh.byOperation)).toBeLessThanOrEqual(20);
    const destroy = await stack.run(volumes.map(({ destroy }) => destroy));
    expect(destroy.errors).toEqual([]);
    expect(destroy.calls, JSON.stringify(destroy.byOperation)).toBeLessThanOrEqual(1_020);
    expect(stack.rejected()).toBeLessThan(destroy.calls / 100);
  },
);

test("one volume of many that fails causes only its own error", async () => {
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
    expect.stringMatching(
      `^Volume "${label}" \\(${id}\\) did not become ready: it was in state "contact_support" after `,
    ),
  ]);
  const unfinished = volumes.filter(({ managed }) => managed.state?.initErrors.length);
  expect(unfinished.map(({ managed }) => managed.id)).toEqual([String(id)]);
});

test("reads that follow find what others change during a drift check", async () => {
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
  // Changes the last volume outside Pulumi, after the list with it was read. A list is cached for five seconds, and the
  // volume is read a second after the cache has expired.
  const meddle = async () => void world.volumes.patch(Number(last), { size: 30 });
  const drift = await stack.run([...reads.slice(0, 100), meddle, ...reads.slice(100)], 20);
  expect([...found].filter(([, outcome]) => outcome !== "same")).toEqual([["data-399", "changed"]]);
  expect(drift.calls).toBeLessThanOrEqual(24);
});

test("updates leave what others have changed since the objects were listed", async () => {
  await using stack = await stackOf(8);
  let size = 20;
  const inputs = () => ({ region: "us-east", size, tags: ["declared"] });
  const volumes = numbers(10).map((i) => stack.resource("Volume", `data-${i}`, inputs));
  await stack.run(volumes.map(({ up }) => up));
  const host = stack.command();
  for (const { managed } of volumes) managed.reconnect(host);
  await stack.run(
    volumes.map(
      ({ managed }) =>
        () =>
          managed.refresh(),
    ),
    READ_MS,
  );
  const { world } = stack.emulator;
  const changed = Number(volumes[3]?.managed.id);
  world.volumes.patch(changed, { tags: ["by-hand"] });
  size = 30;
  const update = await stack.run(volumes.map(({ up }) => up));
  expect(update.errors).toEqual([]);
  // The objects were listed less than five seconds ago, so no update reads its object before the request.
  expect(update.byOperation).toMatchObject({ "volumes.resize": 10 });
  expect(update.byOperation).not.toHaveProperty("volumes.update");
  expect(world.volumes.get(changed)).toMatchObject({ size: 30, tags: ["by-hand"] });
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
  expect(stack.rejected()).toBeLessThan(drift.calls / 100);
  expect(drift.calls).toBeLessThan(2_000);
});
