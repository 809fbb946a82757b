import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { type ChangeResponse, withChangedResponses } from "../changed-responses";
import { machine } from "./accounts";
import { built, numberOf, web } from "./machines";
import { test } from "./tests";

describe("InstanceConfig", () => {
  test("a program creates an instance, a disk and a config, and boots it", async ({ world }) => {
    const { root, config, configInputs, computeId, status } = await built(world, { booted: true });
    // Programs pass `disk.id`, which consists of the ids of the instance and the disk, for example `12/34`.
    const devices = { sda: { diskId: root.id as never } };
    expect((await config.preview({ ...configInputs, devices })).op).toBe("same");
    expect(status()).toBe("running");
    expect(world.world.instances.get(computeId).booted_config).toBe(numberOf(config));
    expect(config.outs).toMatchObject({ booted: true, runs: true, devices: { sda: { volumeId: null } } });
    expect(await config.refresh()).toBe("same");
  });

  test("devices of other resources stay in their slots", async ({ world }) => {
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
    // Attaching the volume put it into the slot `sdb`. The config now declares it in `sdd`.
    await config.up({ ...swapped, devices: { ...swapped.devices, sdd: { volumeId: volume } } });
    expect(slots()).toMatchObject({ sdb: { volume_id: null }, sdd: { volume_id: volume } });
    await config.up({ ...swapped, devices: { ...swapped.devices, sdd: {} } });
    expect(slots()).toMatchObject({ sdd: { volume_id: null } });
  });

  test("deploys another image to a running instance, which runs again afterwards", async ({ world }) => {
    const { manage, root, rootInputs, config, configInputs, status } = await built(world, { booted: true });
    // Simulates the order of Pulumi's operations when a disk is replaced: create the new disk, update the config,
    // delete the old disk.
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

  test("the preview of a move to another instance shows that the former one shuts down", async ({ world }) => {
    const { config, configInputs } = await built(world, { booted: true });
    const other = await machine(world, "other");
    world.calls();
    expect((await config.preview({ ...configInputs, computeId: other })).op).toBe("replace");
    expect(world.messages()).toEqual([
      `InstanceConfig ${config.id}: deleting the former config shuts the instance down, if it runs with it`,
      "main: other will boot with this config, or reboot if it runs with another one",
    ]);
    expect(world.calls()).toEqual([]);
  });

  test("increases the type before the disk, and shrinks the disk before the type", async ({ world }) => {
    const { instance, root, rootInputs, status } = await built(world, { booted: true });
    const steady = { ...web, resizeDisks: false };
    await instance.up({ ...steady, type: "g6-standard-2" });
    await root.up({ ...rootInputs, size: 81_920 });
    expect(root.outs).toMatchObject({ size: 81_920 });
    await expect(instance.up({ ...steady, type: "g6-standard-1" })).rejects.toThrow(
      /its disks take 81920 MB, but the type g6-standard-1 has only 51200 MB\. Shrink or delete disks first/,
    );
    await root.up({ ...rootInputs, size: 51_200 });
    await instance.up({ ...steady, type: "g6-standard-1" });
    expect(instance.outs).toMatchObject({ type: "g6-standard-1", status: "running" });
    expect(await root.refresh()).toBe("same");
    expect(status()).toBe("running");
  });

  test("deletes all parts in the order of a destroy", async ({ world }) => {
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

  test.for([
    { declared: 0, shown: 2048 },
    { declared: 2048, shown: 0 },
  ])(
    "a memory limit of 0 and all the RAM are the same (the program sets $declared, the API returns $shown)",
    async ({ declared, shown }, { world }) => {
      const { manage, configInputs } = await built(world);
      const config = manage("InstanceConfig", "limited");
      const inputs = { ...configInputs, label: "limited", memoryLimit: declared };
      await config.up(inputs);
      world.world.instanceConfigs.patch(numberOf(config), { memory_limit: shown });
      world.emulator.advance(60_000);
      expect(await config.refresh()).toBe("same");
      expect(config.state?.inputs).toMatchObject({ memoryLimit: declared });
      expect((await config.preview({ ...inputs, memoryLimit: shown })).op).toBe("same");
      expect((await config.preview({ ...inputs, memoryLimit: 1024 })).op).toBe("update");
    },
  );

  test("a memory limit of 0 and all the RAM are the same in an instance's main config", async ({ world }) => {
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

  test("a slot that the API returns as null is empty", async ({ world }) => {
    const { config, configInputs } = await built(world);
    const declared = { ...configInputs, devices: { ...configInputs.devices, sdb: {} } };
    await config.up(declared);
    const nulls: ChangeResponse = (_, value) => {
      const devices = Object.entries(value.devices ?? {}).map(([slot, held]) => [slot, held.disk_id ? held : null]);
      return value.devices ? { ...value, devices: Object.fromEntries(devices) } : value;
    };
    config.reconnect(withChangedResponses({ ...world, host: world.reconnect() }, nulls));
    expect(await config.refresh()).toBe("same");
    expect((await config.preview(declared)).op).toBe("same");
    await config.up({ ...declared, label: "renamed" });
    expect(world.calls().at(-1)).toBe("instanceConfigs.update");
    expect(config.outs).toMatchObject({ devices: { sdb: { diskId: null, volumeId: null } } });
  });
});
