import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { killMarked } from "../../testing/processes";
import { type Sandbox, sandbox } from "./sandbox";

/** One hundred resources, most of them of kinds whose objects have no unique name. */
const program = `
for (let i = 0; i < 40; i++) new cloudinfra.Volume("data-" + i, { region: "us-east" });
for (let i = 0; i < 10; i++) {
  new cloudinfra.Instance("web-" + i, { region: "us-east", type: "g6-nanode-1" });
  new cloudinfra.Firewall("wall-" + i, { rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } });
  const zone = new cloudinfra.Domain("zone-" + i, { domain: "zone-" + i + ".example", type: "master", soaEmail: "a@example.org" });
  for (let n = 0; n < 3; n++)
    new cloudinfra.DomainRecord("host-" + i + "-" + n, { domainId: zone.id, type: "A", name: "www", target: "192.0.2." + n });
}`;
const expected = { volumes: 40, instances: 10, firewalls: 10, domains: 10, domainRecords: 30 };

const night = Boolean(process.env.NIGHTLY);
const seed = Number(process.env.SEED ?? (night ? Date.now() % 1_000_000 : 1));
const kill = fc.record({
  victim: fc.constantFrom("engine", "plugin", "both"),
  /** Create requests of this update, and milliseconds after the last of them. */
  after: fc.integer({ min: 1, max: 24 }),
  delay: fc.integer({ min: 0, max: 60 }),
});
const updates = fc.sample(fc.array(kill, { minLength: 5, maxLength: 5 }), { seed, numRuns: 10 });

const runs = (night ? updates : [updates[0]?.slice(0, 3) ?? []]).map((kills, i) => [i, kills] as const);

/** Each update is killed several times, until one runs to its end: 50 kills in the night, 3 for every change. */
test.each(runs)(
  `seed ${seed}, update %i: when it was killed, the next one leaves no orphans and no duplicates`,
  async (_, kills) => {
    await using box = await sandbox(program, { native: true, emulator: { pace: "instant", latency: 30 } });
    const { stack, emulator } = box;
    for (const one of kills) {
      await killed(box, one);
      await cancel(box);
    }
    await stack.up();
    expect(box.holds()).toMatchObject(expected);
    const { resources = [] } = (await stack.export()).deployment;
    for (const [table, kind] of [
      ["volumes", "Volume"],
      ["instances", "Instance"],
      ["firewalls", "Firewall"],
      ["domains", "Domain"],
    ] as const) {
      const inState = resources.filter(({ type }) => type.endsWith(`:${kind}`)).map(({ id }) => id);
      expect(inState.sort()).toEqual(
        emulator.world[table]
          .all()
          .map(({ id }) => String(id))
          .sort(),
      );
    }
    await stack.preview(["--expect-no-changes"]);
    await stack.destroy();
    expect(box.holds()).toEqual({});
  },
);

/** A killed engine can leave the file empty in which Pulumi keeps the attributes of its state. It can do without that file. */
async function cancel({ stack }: Sandbox): Promise<void> {
  await rm(join(stack.home, "state/.pulumi/stacks/test/test.json.attrs"), { force: true });
  await stack.run(["cancel", "--yes"]);
}

type Kill = (typeof updates)[number][number];

/** Runs an update and kills it; one that has less to create than that ends by itself. */
async function killed({ stack, emulator }: Sandbox, { victim, after, delay }: Kill): Promise<void> {
  emulator.requests.clear();
  const up = stack.start(["up", "--yes", "--skip-preview"]);
  let ended = false;
  void up.done.then(() => {
    ended = true;
  });
  const creates = () => emulator.requests.list().filter(({ method }) => method === "POST").length;
  await vi.waitUntil(() => ended || creates() >= after, { timeout: 120_000, interval: 5 });
  await new Promise((resolve) => setTimeout(resolve, delay));
  const mark = `PULUMI_TEST_STACK=${stack.home}`;
  if (victim === "engine") up.kill("SIGKILL");
  else await killMarked(mark, victim === "plugin" ? "pulumi-resource-cloudinfra" : "");
  await up.done;
}
