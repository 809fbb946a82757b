import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { built, newCommand, numberOf } from "./machines";
import { test } from "./tests";

/** Creates an instance with backups enabled. */
async function backed(world: Account) {
  const { computeId } = await built(world, { booted: true });
  await world.api.instanceBackups.enable({ path: { computeId } });
  const snapshots = () => world.world.instanceBackups.by("compute_id", computeId).map(({ label }) => label);
  world.calls();
  return { computeId, snapshots, it: new Managed("InstanceSnapshot", world.host) };
}

describe("InstanceSnapshot", () => {
  test("waits until a snapshot can be restored, and the preview announces which one it replaces", async ({ world }) => {
    const { computeId, it } = await backed(world);
    await it.preview({ computeId, label: "first" });
    expect(world.messages()).toEqual([
      `thing: a snapshot of web will be taken; its current snapshot, if it has one, will be deleted`,
    ]);
    await it.up({ computeId, label: "first" });
    expect(it.outs).toMatchObject({ status: "successful", type: "snapshot", disks: [{ label: "root", size: 10_240 }] });
    expect(it.outs.finished).toBeDefined();
    world.messages();
    await it.preview({ computeId, label: "first" });
    expect(world.messages()).toEqual([]);
  });

  test("another label or trigger takes another snapshot, which replaces the first one", async ({ world }) => {
    const { computeId, snapshots, it } = await backed(world);
    await it.up({ computeId, label: "first", triggers: ["v1", { release: 1 }] });
    expect((await it.preview({ computeId, label: "first", triggers: ["v1", { release: 1 }] })).op).toBe("same");
    world.calls();
    expect(await it.up({ computeId, label: "first", triggers: ["v1", { release: 2 }] })).toMatchObject({
      op: "replace",
      replaces: ["triggers"],
    });
    await it.up({ computeId, label: "second", triggers: ["v1", { release: 2 }] });
    expect(world.calls()).toEqual(["instanceBackups.snapshot", "instanceBackups.snapshot"]);
    expect(snapshots()).toEqual(["second"]);
  });

  test("deleting the resource keeps the snapshot, because only the next one replaces it", async ({ world }) => {
    const { computeId, snapshots, it } = await backed(world);
    await it.up({ computeId, label: "first" });
    world.calls();
    await it.destroy();
    expect(world.calls()).toEqual([]);
    expect(snapshots()).toEqual(["first"]);
  });

  test("a snapshot taken outside Pulumi replaces that of the resource, which counts as deleted", async ({ world }) => {
    const { computeId, snapshots, it } = await backed(world);
    await it.up({ computeId, label: "first" });
    await world.api.instanceBackups.snapshot({ path: { computeId }, body: { label: "theirs" } });
    expect(await it.refresh()).toBe("same");
    world.emulator.settle();
    newCommand(world, it);
    expect(await it.refresh()).toBe("gone");
    expect((await it.up({ computeId, label: "first" })).op).toBe("create");
    expect(snapshots()).toEqual(["first"]);
  });

  test("waits until a snapshot in progress is complete", async ({ world }) => {
    const { computeId, snapshots, it } = await backed(world);
    await world.api.instanceBackups.snapshot({ path: { computeId }, body: { label: "theirs" } });
    await it.up({ computeId, label: "ours" });
    expect(snapshots()).toEqual(["ours"]);
  });

  test("explains that the backup service is required", async ({ world }) => {
    const { computeId } = await built(world);
    const it = new Managed("InstanceSnapshot", world.host);
    await expect(it.up({ computeId, label: "first" })).rejects.toThrow(
      `Instance ${computeId} cannot take snapshots because its backup service is disabled. Set backupsEnabled to true on the instance`,
    );
    expect(world.calls()).toEqual([]);
  });

  test("a failed snapshot keeps the previous one, and nothing is in state", async ({ world }) => {
    const { computeId, snapshots, it } = await backed(world);
    await world.api.instanceBackups.snapshot({ path: { computeId }, body: { label: "theirs" } });
    world.emulator.settle();
    world.emulator.faults.add({ kind: "job-fail", path: "instanceBackups.snapshot" });
    await expect(it.up({ computeId, label: "ours" })).rejects.toThrow("disappeared before it became ready");
    expect(it.state).toBeUndefined();
    expect(snapshots()).toEqual(["theirs"]);
    world.emulator.faults.clear();
    await it.up({ computeId, label: "ours" });
    expect(snapshots()).toEqual(["ours"]);
  });

  test("a snapshot with a failed status is an error, and is in state", async ({ world }) => {
    const { computeId, it } = await backed(world);
    world.emulator.faults.add({ kind: "job-stall", path: "instanceBackups.snapshot" });
    const up = it.up({ computeId, label: "ours" });
    const failed = world.world.instanceBackups;
    await expect(up).rejects.toThrow(/timed out after 3600 s: state "(pending|running)"/);
    failed.patch(numberOf(it), { status: "failed" });
    newCommand(world, it);
    await expect(it.up({ computeId, label: "ours" })).rejects.toThrow(
      /did not become ready: it was in state "failed" after 0 s/,
    );
  });
});
