import { describe, expect, test } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Bend, hearing } from "../hearing";
import { account } from "./accounts";
import { built, newCommand, numberOf, web } from "./machines";

describe("InstanceConfig", () => {
  test("a program makes an instance, its disk and its config, and boots it", async () => {
    await using world = await account();
    const { root, config, configInputs, computeId, status } = await built(world, { booted: true });
    // A program states the disk's id, which names the instance as well.
    const devices = { sda: { diskId: root.id as never } };
    expect((await config.preview({ ...configInputs, devices })).op).toBe("same");
    expect(status()).toBe("running");
    expect(world.world.instances.get(computeId).booted_config).toBe(numberOf(config));
    expect(config.outs).toMatchObject({ booted: true, runs: true, devices: { sda: { volumeId: null } } });
    expect(await config.refresh()).toBe("same");
  });

  test("power that is not stated is nobody's business, and a change waits for the next boot", async () => {
    await using world = await account();
    const { config, configInputs, computeId, status } = await built(world);
    expect(status()).toBe("offline");
    await world.api.instances.boot({ path: { computeId } });
    world.emulator.settle();
    world.calls();
    expect(await config.refresh()).toBe("same");
    await config.up({ ...configInputs, kernel: "compute/grub2" });
    expect(world.told()).toEqual([`InstanceConfig ${config.id}: takes effect at the next boot of web`]);
    expect(world.calls()).toEqual(["instanceConfigs.update"]);
  });

  test("a change of what the machine has booted reboots it, which is announced; a name does not", async () => {
    await using world = await account();
    const { config, configInputs, status } = await built(world, { booted: true });
    const changed = { ...configInputs, kernel: "compute/grub2", helpers: { network: false }, label: "grub" };
    await config.preview(changed);
    expect(world.told()).toEqual([`InstanceConfig ${config.id}: web will reboot: kernel and helpers`]);
    await config.up(changed);
    expect(world.calls()).toEqual(["instanceConfigs.update", "instanceConfigs.update", "instances.reboot"]);
    expect(status()).toBe("running");
    world.told();
    await config.up({ ...changed, label: "again", comments: "of GRUB" });
    expect(world.calls()).toEqual(["instanceConfigs.update"]);
    expect(world.told()).toEqual([]);
  });

  test("a machine that must not go down refuses at the preview what would take it down", async () => {
    await using world = await account();
    const { config, configInputs } = await built(world, { booted: true });
    const steady = { ...configInputs, allowReboot: false };
    expect(await config.failures({ ...steady, kernel: "compute/grub2", runLevel: "single" })).toEqual([
      {
        property: "allowReboot",
        reason: "must be true for this change: kernel and runLevel can't change without a reboot (given false)",
      },
    ]);
    expect(await config.failures({ ...steady, label: "other" })).toEqual([]);
    expect(world.calls()).toEqual([]);
  });

  test("a machine that must not go down does not change from one config to another", async () => {
    await using world = await account();
    const { configInputs, manage, computeId } = await built(world, { booted: true });
    const other = manage("InstanceConfig", "other");
    await expect(other.up({ ...configInputs, label: "other", allowReboot: false })).rejects.toThrow(
      new RegExp(`config \\d+ is booted: instance ${computeId} must be off for that, and allowReboot is false`),
    );
    expect(world.calls()).toEqual(["instanceConfigs.create"]);
  });

  test("what others plug in stays where it is", async () => {
    await using world = await account();
    const { config, configInputs, computeId, root } = await built(world);
    const { id: volume } = await world.api.volumes.create({ body: { label: "data", compute_id: computeId } });
    const slots = () => world.world.instanceConfigs.get(numberOf(config)).devices;
    expect(slots().sdb).toEqual({ disk_id: null, volume_id: volume });
    expect(await config.refresh()).toBe("same");
    expect((await config.preview(configInputs)).op).toBe("same");
    const swapped = { ...configInputs, devices: { sda: {}, sdc: { diskId: numberOf(root) } }, rootDevice: "/dev/sdc" };
    await config.up(swapped);
    expect(slots()).toMatchObject({
      sda: { disk_id: null, volume_id: null },
      sdb: { disk_id: null, volume_id: volume },
      sdc: { disk_id: numberOf(root), volume_id: null },
    });
    // What is stated leaves the slot that the attachment has put it in.
    await config.up({ ...swapped, devices: { ...swapped.devices, sdd: { volumeId: volume } } });
    expect(slots()).toMatchObject({ sdb: { volume_id: null }, sdd: { volume_id: volume } });
    await config.up({ ...swapped, devices: { ...swapped.devices, sdd: {} } });
    expect(slots()).toMatchObject({ sdd: { volume_id: null } });
  });

  test.each([
    ["one after the other", false],
    ["the other way round", true],
  ])("the machine changes from one config to another: %s", async (_, turned) => {
    await using world = await account();
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

  test("a reboot that failed is done by the next update", async () => {
    await using world = await account();
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

  test("a machine that somebody has shut down is drift where the program states that it runs", async () => {
    await using world = await account();
    const { config, configInputs, computeId, status } = await built(world, { booted: true });
    await world.api.instances.shutdown({ path: { computeId } });
    world.emulator.settle();
    expect(await config.refresh()).toBe("changed");
    world.told();
    await config.preview(configInputs);
    expect(world.told()).toEqual([
      `InstanceConfig ${config.id}: web will boot with it, or reboot if it runs with another config`,
    ]);
    world.calls();
    await config.up(configInputs);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(status()).toBe("running");
  });

  test("a creation that boots the machine says so at the preview", async () => {
    await using world = await account();
    const { manage, configInputs } = await built(world);
    const other = manage("InstanceConfig", "other");
    await other.preview({ ...configInputs, label: "other", booted: true });
    expect(world.told()).toEqual([`other: web will boot with it, or reboot if it runs with another config`]);
    await other.preview({ ...configInputs, label: "other" });
    expect(world.told()).toEqual([]);
  });

  test("a machine does not go on running with a config that is deleted", async () => {
    await using world = await account();
    const { config, computeId, status } = await built(world, { booted: true });
    await config.destroy();
    expect(world.calls()).toEqual(["instances.shutdown", "instanceConfigs.delete"]);
    expect(world.told()).toEqual([`instance ${computeId} shuts down: the config that it runs with is deleted`]);
    expect(status()).toBe("offline");
  });

  test("a machine whose power is nobody's business goes on running without its config", async () => {
    await using world = await account();
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

  test("a config with nothing to boot from boots nothing", async () => {
    await using world = await account();
    const { manage, computeId, status } = await built(world);
    const empty = manage("InstanceConfig", "empty");
    await expect(empty.up({ computeId, label: "empty", devices: {}, booted: true })).rejects.toThrow(
      /config_id: Config \d+ has no disk and no volume to boot from/,
    );
    expect(status()).toBe("offline");
  });

  test("another image comes onto a machine that runs, which runs again", async () => {
    await using world = await account();
    const { manage, root, rootInputs, config, configInputs, status } = await built(world, { booted: true });
    // As the engine does it: the new disk, then the config, then the old disk goes.
    const fresh = manage("InstanceDisk", "root");
    await fresh.up({ ...rootInputs, image: "compute/ubuntu22.04" });
    await config.up({ ...configInputs, devices: { sda: { diskId: numberOf(fresh) } } });
    await root.destroy();
    expect(world.calls()).toEqual([
      "instanceDisks.create",
      "instanceConfigs.update",
      "instances.reboot",
      "instances.shutdown",
      "instanceDisks.delete",
      "instances.boot",
    ]);
    expect(status()).toBe("running");
    expect(config.outs).toMatchObject({ booted: true });
  });

  test("the type grows before the disk, and the disk shrinks before the type", async () => {
    await using world = await account();
    const { instance, root, rootInputs, status } = await built(world, { booted: true });
    const steady = { ...web, resizeDisks: false };
    await instance.up({ ...steady, type: "g6-standard-2" });
    await root.up({ ...rootInputs, size: 81_920 });
    expect(root.outs).toMatchObject({ size: 81_920 });
    await expect(instance.up({ ...steady, type: "g6-standard-1" })).rejects.toThrow(
      /its disks take 81920 MB and g6-standard-1 has 51200 MB: shrink or delete disks first/,
    );
    await root.up({ ...rootInputs, size: 51_200 });
    await instance.up({ ...steady, type: "g6-standard-1" });
    expect(instance.outs).toMatchObject({ type: "g6-standard-1", status: "running" });
    expect(await root.refresh()).toBe("same");
    expect(status()).toBe("running");
  });

  test("everything goes in the order of a destroy", async () => {
    await using world = await account();
    const { instance, root, config } = await built(world, { booted: true });
    for (const it of [config, root, instance]) await it.destroy();
    expect(world.calls()).toEqual([
      "instances.shutdown",
      "instanceConfigs.delete",
      "instanceDisks.delete",
      "instances.delete",
    ]);
    expect(world.world.disks.all()).toEqual([]);
  });

  test.each([
    { stated: 0, shown: 2048 },
    { stated: 2048, shown: 0 },
  ])(
    "E20: a memory limit of 0 and all the RAM are the same (the program sets $stated, the API returns $shown)",
    async ({ stated, shown }) => {
      await using world = await account();
      const { manage, configInputs } = await built(world);
      const config = manage("InstanceConfig", "limited");
      const inputs = { ...configInputs, label: "limited", memoryLimit: stated };
      await config.up(inputs);
      world.world.instanceConfigs.patch(numberOf(config), { memory_limit: shown });
      world.emulator.advance(60_000);
      expect(await config.refresh()).toBe("same");
      expect(config.state?.inputs).toMatchObject({ memoryLimit: stated });
      expect((await config.preview({ ...inputs, memoryLimit: shown })).op).toBe("same");
      expect((await config.preview({ ...inputs, memoryLimit: 1024 })).op).toBe("update");
    },
  );

  test("E20: a memory limit of 0 and all the RAM are the same in an instance's main config", async () => {
    await using world = await account();
    const it = new Managed("Instance", world.host, "web");
    const inputs = { ...web, config: { memoryLimit: 0 } };
    await it.up(inputs);
    const [config] = world.world.instanceConfigs.all();
    world.world.instanceConfigs.patch(config?.id ?? 0, { memory_limit: 2048 });
    world.emulator.advance(60_000);
    expect(await it.refresh()).toBe("same");
    expect((await it.preview({ ...web, config: { memoryLimit: 2048 } })).op).toBe("same");
    expect((await it.preview({ ...web, config: { memoryLimit: 1024 } })).op).toBe("update");
  });

  test("E19: a slot that the API returns as null is an empty one", async () => {
    await using world = await account();
    const { config, configInputs } = await built(world);
    const stated = { ...configInputs, devices: { ...configInputs.devices, sdb: {} } };
    await config.up(stated);
    const nulls: Bend = (_, value) => {
      const devices = Object.entries(value.devices ?? {}).map(([slot, held]) => [slot, held.disk_id ? held : null]);
      return value.devices ? { ...value, devices: Object.fromEntries(devices) } : value;
    };
    config.reconnect(hearing({ ...world, host: world.reconnect() }, nulls));
    expect(await config.refresh()).toBe("same");
    expect((await config.preview(stated)).op).toBe("same");
    await config.up({ ...stated, label: "renamed" });
    expect(world.calls().at(-1)).toBe("instanceConfigs.update");
    expect(config.outs).toMatchObject({ devices: { sdb: { diskId: null, volumeId: null } } });
  });
});
