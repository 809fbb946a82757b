import { expect, test, vi } from "vitest";
import { killMarked } from "../../testing/processes";
import { mutations, type Sandbox, sandbox } from "./sandbox";

const data = `new cloudinfra.Volume("data", { region: "us-east" });`;

const creating = ({ emulator }: Sandbox) =>
  vi.waitUntil(() => emulator.requests.counts()["volumes.create"] === 1, { timeout: 120_000 });

/**
 * Expects that the next update adopts the object of the interrupted create request instead of creating a second one.
 */
async function expectTakenUp({ stack, emulator }: Sandbox): Promise<void> {
  await vi.waitUntil(() => emulator.world.volumes.size === 1, { timeout: 60_000 });
  const [{ id } = {}] = emulator.world.volumes.all();
  await stack.run(["cancel", "--yes"]);
  await stack.up();
  expect(mutations(emulator).filter((operation) => operation === "volumes.create")).toHaveLength(1);
  const resources = (await stack.export()).deployment.resources ?? [];
  expect(resources.find(({ type }) => type.endsWith(":Volume"))).toMatchObject({ id: String(id) });
  await stack.preview(["--expect-no-changes"]);
  await stack.destroy();
  expect(emulator.world.volumes.size).toBe(0);
}

test("Ctrl-C ends a wait immediately and keeps the id, and the next update finishes the object", async () => {
  await using box = await sandbox(data, { native: true, emulator: { pace: "stepped" } });
  const { stack, emulator } = box;
  const up = stack.start(["up", "--yes"]);
  await creating(box);
  const startedAt = performance.now();
  up.kill("SIGINT");
  const run = await up.done;
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(run.stdout + run.stderr).toContain(
    "the update was interrupted: the next update continues where this one stopped",
  );
  const { resources = [], pending_operations } = (await stack.export()).deployment;
  expect(pending_operations).toBeUndefined();
  const { id } = emulator.world.volumes.all()[0] ?? {};
  expect(resources.find(({ type }) => type.endsWith(":Volume"))).toMatchObject({ id: String(id) });
  emulator.settle();
  await stack.up();
  expect(mutations(emulator)).toEqual(["volumes.create"]);
});

test.each<[killed: string, kill: (box: Sandbox, up: { kill(signal: "SIGKILL"): void }) => unknown]>([
  ["engine (the plugin records created objects and exits)", (_, up) => up.kill("SIGKILL")],
  ["engine with its plugin", ({ stack }) => killMarked(`PULUMI_TEST_STACK=${stack.home}`)],
])("a killed %s leaves no duplicate", async (_, kill) => {
  await using box = await sandbox(data, { native: true });
  const { stack, emulator } = box;
  emulator.faults.add({ path: "volumes.create", kind: "delay", delay: 3_000 });
  const up = stack.start(["up", "--yes"]);
  await creating(box);
  await kill(box, up);
  await expectTakenUp(box);
});
