import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { boot, locked } from "../../../provider/resources/machine";
import { built, newCommand, numberOf, web } from "./machines";
import { test } from "./tests";

describe("InstanceConfig", () => {
  test("an omitted power state is not managed, and changes take effect at the next boot", async ({ world }) => {
    const { config, configInputs, computeId, status } = await built(world);
    expect(status()).toBe("offline");
    await world.api.instances.boot({ path: { computeId } });
    world.emulator.settle();
    world.calls();
    expect(await config.refresh()).toBe("same");
    await config.up({ ...configInputs, kernel: "compute/grub2" });
    expect(world.messages()).toEqual([`InstanceConfig ${config.id}: the change takes effect at the next boot of web`]);
    expect(world.calls()).toEqual(["instanceConfigs.update"]);
  });

  test("a change of the booted config, except its label, reboots with a warning", async ({ world }) => {
    const { config, configInputs, status } = await built(world, { booted: true });
    const changed = { ...configInputs, kernel: "compute/grub2", helpers: { network: false }, label: "grub" };
    await config.preview(changed);
    expect(world.messages()).toEqual([`InstanceConfig ${config.id}: web will reboot to apply kernel and helpers`]);
    await config.up(changed);
    expect(world.calls()).toEqual(["instanceConfigs.update", "instanceConfigs.update", "instances.reboot"]);
    expect(status()).toBe("running");
    world.messages();
    await config.up({ ...changed, label: "again", comments: "of GRUB" });
    expect(world.calls()).toEqual(["instanceConfigs.update"]);
    expect(world.messages()).toEqual([]);
  });

  test("an instance that runs with another config since an earlier command is not shut down", async ({ world }) => {
    const { config, configInputs, manage, status } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    const otherInputs = { ...configInputs, label: "other", booted: true };
    // The command that has created the other config failed before it deleted this one.
    await other.up(otherInputs);
    newCommand(world, config, other);
    expect((await other.preview(otherInputs)).op).toBe("same");
    world.calls();
    await config.remove();
    expect(world.calls()).toEqual(["instanceConfigs.delete"]);
    expect(status()).toBe("running");
  });

  test("a change of the booted config reboots also after another config was created", async ({ world }) => {
    const { config, configInputs, manage } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    newCommand(world, config, other);
    const { booted: _, ...unmanaged } = configInputs;
    await other.up({ ...unmanaged, label: "other" });
    world.calls();
    await config.up({ ...configInputs, kernel: "compute/grub2" });
    expect(world.calls()).toEqual(["instanceConfigs.update", "instances.reboot"]);
  });

  test("a config that waits until another one was booted does not shut the instance down", async ({ world }) => {
    const { config, configInputs, manage, computeId, status } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    const otherInputs = { ...configInputs, label: "other", booted: false };
    await other.up(otherInputs);
    const host = world.reconnect();
    config.reconnect(host);
    const off = await config.preview({ ...configInputs, booted: false });
    const waits = Promise.withResolvers<void>();
    const booting = locked(host, computeId, async (_, machine) => {
      await waits.promise;
      await boot(host, computeId, numberOf(other));
      machine.config = numberOf(other);
    });
    const update = config.apply(off);
    await sleep(100);
    waits.resolve();
    await Promise.all([booting, update]);
    expect(status()).toBe("running");
    expect(world.world.instances.get(computeId).booted_config).toBe(numberOf(other));
  });

  test("a reboot whose response was lost is not repeated", async ({ world }) => {
    const { config, configInputs, status } = await built(world, { booted: true });
    world.emulator.faults.add({ path: "instances.reboot", kind: "cut-after" });
    await config.up({ ...configInputs, kernel: "compute/grub2" });
    expect(world.calls()).toEqual(["instanceConfigs.update", "instances.reboot"]);
    expect(status()).toBe("running");
  });

  test("the preview rejects changes that shut the instance down if reboots are not allowed", async ({ world }) => {
    const { config, configInputs } = await built(world, { booted: true });
    const steady = { ...configInputs, allowReboot: false };
    expect(await config.failures({ ...steady, kernel: "compute/grub2", runLevel: "single" })).toEqual([
      {
        property: "allowReboot",
        reason: "must be true for this change: kernel and runLevel cannot change without a reboot (given false)",
      },
    ]);
    expect(await config.failures({ ...steady, label: "other" })).toEqual([]);
    expect(world.calls()).toEqual([]);
  });

  test("an instance that must not be shut down keeps running with its config", async ({ world }) => {
    const { configInputs, manage, computeId } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    await expect(other.up({ ...configInputs, label: "other", allowReboot: false })).rejects.toThrow(
      new RegExp(`instance ${computeId} must be off before config \\d+ is booted, but allowReboot is false`),
    );
    expect(world.calls()).toEqual(["instanceConfigs.create"]);
  });

  test.for([
    ["one after the other", false],
    ["the other way round", true],
  ])("the instance boots the other config: %s", async ([_, turned], { world }) => {
    const { config, configInputs, manage, computeId, status } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    const otherInputs = { ...configInputs, label: "other", booted: false };
    await other.up(otherInputs);
    expect(config.outs).toMatchObject({ booted: true });
    expect(other.outs).toMatchObject({ booted: false });
    newCommand(world, config, other);
    const ups = [() => config.up({ ...configInputs, booted: false }), () => other.up({ ...otherInputs, booted: true })];
    for (const up of turned ? ups.reverse() : ups) await up();
    expect(status()).toBe("running");
    expect(world.world.instances.get(computeId).booted_config).toBe(numberOf(other));
    newCommand(world, config, other);
    expect([await config.refresh(), await other.refresh()]).toEqual(["same", "same"]);
    expect((await config.preview({ ...configInputs, booted: false })).op).toBe("same");
    expect((await other.preview({ ...otherInputs, booted: true })).op).toBe("same");
  });

  test("the next update repeats a failed reboot", async ({ world }) => {
    const { config, configInputs } = await built(world, { booted: true });
    const changed = { ...configInputs, kernel: "compute/grub2" };
    world.emulator.faults.add({ kind: "status", status: 500, path: "instances.reboot", times: 1_000 });
    await expect(config.up(changed)).rejects.toThrow("500");
    world.emulator.faults.clear();
    newCommand(world, config);
    world.calls();
    await config.up(changed);
    expect(world.calls()).toEqual(["instances.reboot"]);
    expect(config.outs).not.toHaveProperty("stale");
  });

  test("an instance shut down outside Pulumi is drift if the program declares that it is booted", async ({ world }) => {
    const { config, configInputs, computeId, status } = await built(world, { booted: true });
    await world.api.instances.shutdown({ path: { computeId } });
    world.emulator.settle();
    expect(await config.refresh()).toBe("changed");
    world.messages();
    await config.preview(configInputs);
    expect(world.messages()).toEqual([
      `InstanceConfig ${config.id}: web will boot with this config, or reboot if it runs with another one`,
    ]);
    world.calls();
    await config.up(configInputs);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(status()).toBe("running");
  });

  test("the preview announces a create that boots the instance", async ({ world }) => {
    const { manage, configInputs } = await built(world);
    const other = manage("InstanceConfig", "other");
    await other.preview({ ...configInputs, label: "other", booted: true });
    expect(world.messages()).toEqual([`other: web will boot with this config, or reboot if it runs with another one`]);
    await other.preview({ ...configInputs, label: "other" });
    expect(world.messages()).toEqual([]);
  });

  test("an instance does not keep running with a deleted config", async ({ world }) => {
    const { config, computeId, status } = await built(world, { booted: true });
    await config.destroy();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceConfigs.delete"]);
    expect(world.messages()).toEqual([
      `instance ${computeId} shuts down, because the config that it runs with is deleted`,
    ]);
    expect(status()).toBe("offline");
  });

  test("a booted config of another instance does not keep an instance running whose config is deleted", async ({
    world,
  }) => {
    const { config, configInputs, manage, rootInputs, status } = await built(world, { booted: true });
    const [instance, root, other] = [
      manage("Instance", "sql"),
      manage("InstanceDisk", "root"),
      manage("InstanceConfig", "main"),
    ];
    await instance.up({ ...web, label: "sql" });
    const computeId = Number(instance.id);
    await root.up({ ...rootInputs, computeId });
    const otherInputs = { ...configInputs, computeId, devices: { sda: { diskId: numberOf(root) } } };
    await other.up(otherInputs);
    newCommand(world, config, other);
    expect((await other.preview(otherInputs)).op).toBe("same");
    world.calls();
    await config.remove();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceConfigs.delete"]);
    expect([status(), world.world.instances.get(computeId).status]).toEqual(["offline", "running"]);
  });

  test("an instance with an unmanaged power state keeps running without its config", async ({ world }) => {
    const { config, computeId, status } = await built(world);
    await world.api.instances.boot({ path: { computeId } });
    world.emulator.settle();
    world.calls();
    newCommand(world, config);
    expect(await config.refresh()).toBe("same");
    expect(config.outs).toMatchObject({ runs: true });
    await config.destroy();
    expect(world.calls()).toEqual(["instanceConfigs.delete"]);
    expect(status()).toBe("running");
  });

  test("a config without a root device boots nothing", async ({ world }) => {
    const { manage, computeId, status } = await built(world);
    const empty = manage("InstanceConfig", "empty");
    await expect(empty.up({ computeId, label: "empty", devices: {}, booted: true })).rejects.toThrow(
      /config_id: Config \d+ has no disk and no volume to boot from/,
    );
    expect(status()).toBe("offline");
  });
});
