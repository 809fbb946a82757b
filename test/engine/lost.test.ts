import { expect, test } from "vitest";
import { allKindsConfig, firstKinds, holdings } from "./all-kinds";
import { idsOf, sandbox } from "./sandbox";

const creations = [
  "instances.create",
  "volumes.create",
  "firewalls.create",
  "firewallDevices.create",
  "domains.create",
  "domainRecords.create",
  "lkeClusters.create",
  "lkePools.create",
];

test("lost create responses leave no orphans or duplicates, and deleting missing objects succeeds", async () => {
  // To find an object whose create response was lost, the provider compares creation times, so emulated time must pass
  // between the requests.
  await using box = await sandbox(firstKinds(), { config: await allKindsConfig(), emulator: { pace: "fast" } });
  const { stack, emulator } = box;
  for (const [i, path] of creations.entries()) emulator.faults.add({ path, kind: i % 2 ? "cut-mid" : "cut-after" });
  const up = await stack.up();
  expect(up.changes).toEqual({ create: 9 });
  expect(emulator.faults.list().map(({ hits }) => hits)).toEqual(creations.map(() => 1));
  expect(box.holds()).toMatchObject(holdings);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  await emulator.reset();
  const destroyed = await stack.destroy();
  expect(destroyed.changes).toEqual({ delete: 9 });
  // The provider does not read before it deletes, because a 404 shows that the object does not exist.
  const deletes = emulator.requests.list().filter(({ method }) => method !== "GET");
  expect(deletes.map(({ status }) => status)).toEqual(deletes.map(() => 404));
});

test("after a single Ctrl-C during a create, the object is completed, kept in state and not created again", async () => {
  await using box = await sandbox(`new cloudinfra.Volume("data", { region: "us-east" });`);
  const { stack, emulator } = box;
  emulator.faults.add({ path: "volumes.create", kind: "delay", delay: 3000 });
  const running = stack.start(["up", "--yes"]);
  await running.until("Volume data creating");
  running.kill("SIGINT");
  const interrupted = await running.done;
  expect(interrupted.code).not.toBe(0);
  expect(interrupted.stdout + interrupted.stderr).toContain("update canceled");
  const { resources = [], pending_operations: pending = [] } = (await stack.export()).deployment;
  expect(pending).toEqual([]);
  const [volume] = emulator.world.volumes.all();
  expect(resources.at(-1)?.id).toBe(String(volume?.id));

  const again = await stack.up();
  expect(again.ops).toEqual({});
  expect(idsOf(again)).toMatchObject({ "Volume data": String(volume?.id) });
  expect(box.holds()).toEqual({ volumes: 1 });
});
