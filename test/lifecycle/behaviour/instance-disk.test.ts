import { describe, expect } from "vitest";
import { built, numberOf } from "./machines";
import { test } from "./tests";

describe("InstanceDisk", () => {
  test("shuts a running instance down to resize a disk, with a warning", async ({ world }) => {
    const { root, rootInputs, status } = await built(world, { booted: true });
    const larger = { ...rootInputs, size: 20_480 };
    expect((await root.preview(larger)).op).toBe("update");
    expect(world.messages()).toEqual([
      `InstanceDisk ${root.id}: web will shut down and boot, if it is running, to change the size of the disk from 10240 to 20480 MB`,
    ]);
    expect(world.calls()).toEqual([]);
    await root.up(larger);
    expect(world.calls()).toEqual(["instances.shutdown", "instanceDisks.resize", "instances.boot"]);
    expect(root.outs).toMatchObject({ size: 20_480, status: "ready" });
    expect(status()).toBe("running");
  });

  test("an offline instance stays offline", async ({ world }) => {
    const { root, rootInputs, status } = await built(world);
    await root.up({ ...rootInputs, size: 20_480, rootPass: "battery staple", allowReboot: false });
    expect(world.calls()).toEqual(["instanceDisks.resize", "instanceDisks.resetPassword"]);
    expect(status()).toBe("offline");
  });

  test("an instance that must not reboot is not shut down", async ({ world }) => {
    const { root, rootInputs, computeId } = await built(world, { booted: true });
    const larger = { ...rootInputs, size: 20_480, allowReboot: false };
    await root.preview({ ...larger, rootPass: "planted horse" });
    expect(world.messages()).toEqual([
      `InstanceDisk ${root.id}: web must be off to change the size of the disk from 10240 to 20480 MB and the root password, because allowReboot is false`,
    ]);
    await root.preview(larger);
    expect(world.messages()).toEqual([
      `InstanceDisk ${root.id}: web must be off to change the size of the disk from 10240 to 20480 MB, because allowReboot is false`,
    ]);
    await expect(root.up(larger)).rejects.toThrow(
      `instance ${computeId} must be off before disk ${numberOf(root)} is changed, but allowReboot is false: shut it down first, or set allowReboot to true`,
    );
    await root.up({ ...rootInputs, label: "system", allowReboot: false });
    expect(world.calls()).toEqual(["instanceDisks.update"]);
  });

  test("shuts the instance down once for several disks that change at the same time", async ({ world }) => {
    const { root, rootInputs, manage, computeId, status } = await built(world, { booted: true });
    const data = manage("InstanceDisk", "data");
    await data.up({ computeId, label: "data", size: 1024 });
    world.calls();
    await Promise.all([
      root.up({ ...rootInputs, size: 20_480, rootPass: "battery staple" }),
      data.up({ computeId, label: "data", size: 2048 }),
    ]);
    expect(world.calls().sort()).toEqual([
      "instanceDisks.resetPassword",
      "instanceDisks.resize",
      "instanceDisks.resize",
      "instances.boot",
      "instances.shutdown",
    ]);
    expect(status()).toBe("running");
  });

  test("shows the API's error for a disk smaller than its data, and boots the instance", async ({ world }) => {
    const { root, rootInputs, status } = await built(world, { booted: true });
    await expect(root.up({ ...rootInputs, size: 100 })).rejects.toThrow(/size: Must be at least \d+/);
    expect(status()).toBe("running");
    await root.up(rootInputs);
    expect(root.outs).toMatchObject({ size: 10_240 });
  });

  test("deletes an unused disk while the instance is off, and boots the instance again", async ({ world }) => {
    const { manage, computeId, status } = await built(world, { booted: true });
    const data = manage("InstanceDisk", "data");
    await data.up({ computeId, label: "data", size: 1024 });
    const diskId = numberOf(data);
    world.calls();
    await data.destroy();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceDisks.delete", "instances.boot"]);
    expect(world.messages()).toEqual([
      `instance ${computeId} shuts down and boots again, because disk ${diskId} is deleted`,
    ]);
    expect(status()).toBe("running");
  });

  test("waits for the deletion of a disk before it changes another one of the instance", async ({ world }) => {
    const { root, rootInputs, manage, computeId } = await built(world);
    const [old, other, data] = [
      manage("InstanceDisk", "old"),
      manage("InstanceDisk", "other"),
      manage("InstanceDisk", "data"),
    ];
    await old.up({ computeId, label: "old", size: 1024 });
    await other.up({ computeId, label: "other", size: 1024 });
    world.emulator.requests.clear();
    await Promise.all([
      old.destroy(),
      other.destroy(),
      data.up({ computeId, label: "data", size: 2048 }),
      root.up({ ...rootInputs, size: 20_480 }),
    ]);
    expect(world.world.disks.by("compute_id", computeId).map(({ label, size }) => [label, size])).toEqual([
      ["root", 20_480],
      ["data", 2048],
    ]);
    const busy = world.emulator.requests.list().filter(({ status }) => status === 400);
    expect(busy.length).toBeGreaterThan(0);
    expect(world.calls().sort()).toEqual([
      "instanceDisks.create",
      "instanceDisks.delete",
      "instanceDisks.delete",
      "instanceDisks.resize",
    ]);
  });

  test("deletes a disk whose instance was deleted outside Pulumi", async ({ world }) => {
    const { root, computeId } = await built(world);
    await world.api.instances.delete({ path: { computeId } });
    world.emulator.settle();
    await root.destroy();
    expect(world.calls()).toEqual(["instances.delete"]);
    expect(root.state).toBeUndefined();
  });

  test("does not boot an instance without a root disk", async ({ world }) => {
    const { root, computeId, status } = await built(world, { booted: true });
    await root.destroy();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceDisks.delete"]);
    expect(world.messages().at(-1)).toBe(`instance ${computeId} stays off: it has no disk left to boot from`);
    expect(status()).toBe("offline");
  });

  test("does not boot an instance without a config", async ({ world }) => {
    const { manage, computeId, status } = await built(world, { booted: true });
    const data = manage("InstanceDisk", "data");
    await data.up({ computeId, label: "data", size: 1024 });
    for (const { id: configId } of world.world.instanceConfigs.by("compute_id", computeId))
      await world.api.instanceConfigs.delete({ path: { computeId, configId } });
    expect(status()).toBe("running");
    world.calls();
    await data.destroy();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceDisks.delete"]);
    expect(world.messages().at(-1)).toBe(`instance ${computeId} stays off: it has no disk left to boot from`);
    expect(status()).toBe("offline");
  });

  test("the error about a lack of space suggests the resource option that frees it", async ({ world }) => {
    const { manage, computeId } = await built(world);
    const data = manage("InstanceDisk", "data");
    await expect(data.up({ computeId, label: "data", size: 50_000 })).rejects.toThrow(
      "instanceDisks.create: 400 size: Requires 50000 MB more, but only 40960 of the 51200 MB of the instance are free " +
        "(if this disk replaces another, set the resource option deleteBeforeReplace to free its space first)",
    );
    expect(data.state).toBeUndefined();
  });

  test("other errors about a new disk do not suggest it", async ({ world }) => {
    const { manage, computeId } = await built(world);
    const data = manage("InstanceDisk", "data");
    const error = await data
      .up({
        computeId,
        label: "root",
        size: 2048,
        authorizedUsers: ["nobody"],
        image: "compute/debian11",
        rootPass: "Correct-Horse-42",
      })
      .catch(String);
    expect(error).toContain("instanceDisks.create: 400 authorized_users");
    expect(error).not.toContain("deleteBeforeReplace");
  });

  test("boots an instance that a failed change has left offline also if the disk is replaced then", async ({
    world,
  }) => {
    const { manage, root, rootInputs, config, configInputs, status } = await built(world, { booted: true });
    world.emulator.faults.add({ path: "instances.boot", kind: "status", status: 400, times: 9 });
    await expect(root.up({ ...rootInputs, size: 20_480 })).rejects.toThrow(
      /is still off: .*; the next update boots it$/,
    );
    world.emulator.faults.clear();
    expect(status()).toBe("offline");
    // The order of Pulumi's operations: the new disk, the config that uses it, and then the former disk.
    const fresh = manage("InstanceDisk", "root");
    await fresh.up({ ...rootInputs, image: "compute/ubuntu22.04" });
    await config.up({ ...configInputs, devices: { sda: { diskId: numberOf(fresh) } } });
    await root.destroy();
    expect(status()).toBe("running");
  });

  test("the preview of a replacement shows that the instance shuts down", async ({ world }) => {
    const { root, rootInputs } = await built(world, { booted: true });
    expect((await root.preview({ ...rootInputs, image: "compute/ubuntu22.04" })).op).toBe("replace");
    expect(world.messages()).toEqual([
      `InstanceDisk ${root.id}: deleting the former disk shuts the instance down, if it is running, and boots it again if it has a disk left to boot from`,
    ]);
    expect(world.calls()).toEqual([]);
  });

  test("another image creates another disk before the old one is deleted", async ({ world }) => {
    const { root, rootInputs } = await built(world);
    const { id } = root;
    const plan = await root.up({ ...rootInputs, image: "compute/ubuntu22.04", authorizedKeys: ["ssh-ed25519 AAAA"] });
    expect(plan).toMatchObject({ op: "replace", replaces: ["image"], deleteBeforeReplace: false });
    expect(world.calls()).toEqual(["instanceDisks.create", "instanceDisks.delete"]);
    expect(root.id).not.toBe(id);
  });

  test("a disk whose create response was lost is not confused with an older namesake", async ({ world }) => {
    const { manage, computeId } = await built(world);
    const path = { computeId };
    const theirs = await world.api.instanceDisks.create({ path, body: { label: "data", size: 1024 } });
    world.emulator.advance(60_000);
    world.emulator.settle();
    world.emulator.faults.add({ kind: "cut-after", path: "instanceDisks.create" });
    const data = manage("InstanceDisk", "data");
    await data.up({ computeId, label: "data", size: 1024 });
    expect(numberOf(data)).not.toBe(theirs.id);
    expect(world.world.disks.by("compute_id", computeId).filter(({ label }) => label === "data")).toHaveLength(2);
  });

  test("a replacement whose response was lost is not confused with the disk it replaces", async ({ world }) => {
    const { manage, computeId } = await built(world);
    const inputs = { computeId, label: "data", size: 5120 };
    const { id } = await world.api.instanceDisks.create({ path: { computeId }, body: { label: "data", size: 5120 } });
    const data = manage("InstanceDisk", "data");
    await data.adopt(`${computeId}/${id}`);
    world.emulator.faults.add({ kind: "cut-after", path: "instanceDisks.create" });
    await data.up({ ...inputs, image: "compute/debian11", rootPass: "Correct-Horse-42" });
    const disks = world.world.disks.by("compute_id", computeId).filter(({ label }) => label === "data");
    expect(disks.map((disk) => disk.id)).toEqual([numberOf(data)]);
    expect(numberOf(data)).not.toBe(id);
  });

  test("a disk that could not be written exists neither in the account nor in state", async ({ world }) => {
    const { manage, computeId } = await built(world);
    world.emulator.faults.add({ kind: "job-fail", path: "instanceDisks.create" });
    const data = manage("InstanceDisk", "data");
    await expect(data.up({ computeId, label: "data", size: 1024 })).rejects.toThrow(
      /disappeared before it became ready: creation failed, or it was deleted. Run the update again/,
    );
    expect(data.state).toBeUndefined();
    world.emulator.faults.clear();
    await data.up({ computeId, label: "data", size: 1024 });
    expect(data.outs).toMatchObject({ status: "ready" });
  });

  test("disks of an instance are created one after the other", async ({ world }) => {
    const { manage, computeId, status } = await built(world, { booted: true });
    const started = world.host.now();
    world.emulator.requests.clear();
    // Simulates that another client creates a disk: the instance is busy for the first two create requests.
    world.emulator.faults.add({ kind: "busy", path: "instanceDisks.create", times: 2 });
    const labels = ["data", "logs", "cache"];
    await Promise.all(labels.map((label) => manage("InstanceDisk", label).up({ computeId, label, size: 1024 })));
    const sent = world.emulator.requests.list().filter(({ operation }) => operation === "instanceDisks.create");
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(sent.filter(({ status }) => status === 400)).toHaveLength(2);
    expect(world.world.disks.by("compute_id", computeId).map((disk) => [disk.label, disk.status])).toEqual(
      ["root", ...labels].map((label) => [label, "ready"]),
    );
    expect(status()).toBe("running");
    // The service creates the three disks one after the other, in about ten seconds each, so the limit of 60 s is twice
    // the expected duration.
    expect(world.host.now() - started).toBeLessThan(60_000);
  });
});
