import { describe, expect } from "vitest";
import { testsOf } from "./tests";

const test = testsOf("Instance");

const web = {
  label: "web",
  region: "us-east",
  type: "g6-standard-1",
  image: "compute/debian11",
  rootPass: "correct horse",
};
const empty = { label: "web", region: "us-east", type: "g6-standard-1" };

describe("Instance", () => {
  test("an instance with an image is ready when it is running", async ({ world, it }) => {
    await it.up(web);
    expect(it.outs).toMatchObject({ status: "running", image: "compute/debian11" });
    expect(world.calls()).toEqual(["instances.create"]);
  });

  test("an instance without an image is ready immediately, and off", async ({ world, it }) => {
    const started = world.world.clock.now();
    await it.up(empty);
    expect(it.outs).toMatchObject({ status: "offline", image: null });
    expect(world.world.clock.now()).toBe(started);
  });

  test("an instance with booted false is ready when its disks are, and off", async ({ world, it }) => {
    await it.up({ ...web, booted: false });
    expect(it.outs).toMatchObject({ status: "offline", booted: false });
    expect(world.world.disks.by("compute_id", Number(it.id)).map(({ status }) => status)).toEqual(["ready", "ready"]);
    expect(world.calls()).toEqual(["instances.create"]);
  });

  test("an omitted power state is not managed", async ({ world, it }) => {
    await it.up(web);
    await world.api.instances.shutdown({ path: { computeId: Number(it.id) } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ status: "offline" });
    expect((await it.preview(web)).op).toBe("same");
    expect((await it.up({ ...web, label: "web-2" })).op).toBe("update");
    expect(it.outs).toMatchObject({ label: "web-2", status: "offline" });
  });

  test("a power state other than the declared one is drift, and is corrected", async ({ world, it }) => {
    const running = { ...web, booted: true };
    await it.up(running);
    await world.api.instances.shutdown({ path: { computeId: Number(it.id) } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("changed");
    world.messages();
    expect((await it.preview(running)).op).toBe("update");
    expect(world.messages()).toEqual(["web: will boot"]);
    world.calls();
    await it.up(running);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(it.outs).toMatchObject({ status: "running", booted: true });
  });

  test("a change that shuts the instance down is announced", async ({ world, it }) => {
    await it.up(web);
    await it.preview({ ...web, type: "g6-standard-2" });
    expect(world.messages()).toEqual([
      "web: will shut down and boot to change its type from g6-standard-1 to g6-standard-2",
    ]);
    await it.preview({ ...web, rootPass: "battery staple" });
    expect(world.messages()).toEqual(["web: will shut down and boot to change its root password"]);
    await it.preview({ ...web, config: { kernel: "compute/grub2" } });
    expect(world.messages()).toEqual(["web: will shut down and boot to change its config"]);
    await it.preview({ ...web, interfaces: [{ purpose: "public" }] });
    expect(world.messages()).toEqual(["web: will shut down and boot to change its config or interfaces"]);
    await it.preview({ ...web, label: "web-2", tags: ["web"], watchdogEnabled: false });
    expect(world.messages()).toEqual([]);
  });

  test("resizes an offline instance without a warning, and keeps it off", async ({ world, it }) => {
    await it.up({ ...web, booted: false });
    world.messages();
    await it.up({ ...web, booted: false, type: "g6-standard-2", allowReboot: false });
    expect(world.messages()).toEqual([]);
    expect(it.outs).toMatchObject({ status: "offline", type: "g6-standard-2" });
  });

  test("the preview rejects changes that shut the instance down if reboots are not allowed", async ({ world, it }) => {
    const steady = { ...web, allowReboot: false };
    await it.up(steady);
    world.calls();
    expect(await it.failures({ ...steady, type: "g6-standard-2", rootPass: "battery staple" })).toEqual([
      {
        property: "allowReboot",
        reason:
          "must be true for this change: type and rootPass cannot change without a shutdown and a boot (given false)",
      },
    ]);
    expect(await it.failures({ ...steady, label: "web-2", privateIp: true })).toEqual([]);
    expect((await it.preview({ ...steady, image: "compute/debian10" })).op).toBe("replace");
    expect(world.calls()).toEqual([]);
  });

  test("deployment inputs never replace the instance, and the preview explains how to", async ({ world, it }) => {
    await it.up({ ...web, stackscriptId: 1, stackscriptData: { name: "old" }, authorizedKeys: ["ssh-rsa old"] });
    const edited = {
      ...web,
      stackscriptId: 1,
      stackscriptData: { name: "planted" },
      authorizedKeys: ["ssh-rsa planted"],
    };
    expect((await it.preview(edited)).op).toBe("same");
    const [data, keys] = world.messages();
    expect(data).toMatch(/^web: stackscriptData changed: .*--target-replace/);
    expect(keys).toMatch(/^web: authorizedKeys changed: .*--target-replace/);
    expect(`${data}${keys}`).not.toContain("planted");
  });

  test("enables backups with a schedule, and disables them with a warning", async ({ world, it }) => {
    const backups = { schedule: { day: "Sunday", window: "W4" } } as const;
    await it.up(web);
    world.calls();
    await it.up({ ...web, backupsEnabled: true, backups });
    expect(it.outs).toMatchObject({ backups: { enabled: true, ...backups } });
    world.messages();
    await it.up({ ...web, backupsEnabled: false });
    expect(world.messages()).toEqual(["web: the backup service is cancelled and its backups are deleted"]);
    expect(it.outs).toMatchObject({ backups: { enabled: false } });
  });

  const stays =
    "must be true or omitted: private addresses cannot be removed. To remove the address, replace the instance: run " +
    '"pulumi up --target-replace" with the URN of the instance; if the program sets its label, first add the resource option deleteBeforeReplace';

  test("adds a private address as an output, and the preview rejects removing it", async ({ it }) => {
    await it.up(web);
    const [first] = it.outs.ipv4 as string[];
    await it.up({ ...web, privateIp: true });
    expect(it.outs.ipv4).toEqual([first, expect.stringMatching(/^192\.168\./)]);
    expect(it.outs.privateIpv4).toBe((it.outs.ipv4 as string[])[1]);
    expect(await it.failures({ ...web, privateIp: false })).toEqual([
      { property: "privateIp", reason: `${stays} (given false)` },
    ]);
    expect((await it.preview(web)).op).toBe("same");
    // Removing only the private address of an existing instance is rejected. The change of the image replaces the
    // instance, and the new instance can be created without a private address.
    await it.up({ ...web, image: "compute/debian10", privateIp: false });
    expect(it.outs.ipv4).toHaveLength(1);
  });

  test("a resize that the service could not complete fails at once, and the next update repeats it", async ({
    world,
    it,
  }) => {
    await it.up(web);
    world.emulator.faults.add({ path: "instances.resize", kind: "job-fail" });
    const larger = { ...web, type: "g6-standard-2" };
    const start = world.host.now();
    await expect(it.up(larger)).rejects.toThrow(
      /^Instance \d+ was not resized: compute_resize failed.*\. Run the update again$/,
    );
    expect(world.host.now() - start).toBeLessThan(600_000);
    await it.up(larger);
    expect(it.outs).toMatchObject({ type: "g6-standard-2" });
  });

  test("a migration that the service could not complete fails at once, and the next update repeats it", async ({
    world,
    it,
  }) => {
    const here = { ...web, regionChange: "migrate" as const };
    await it.up(here);
    world.emulator.faults.add({ path: "instances.migrate", kind: "job-fail" });
    const moved = { ...here, region: "us-west" };
    await expect(it.up(moved)).rejects.toThrow(
      /^Instance \d+ was not migrated: compute_migrate_datacenter failed.*\. Run the update again$/,
    );
    await it.up(moved);
    expect(it.outs).toMatchObject({ region: "us-west" });
  });

  test("disks that are not resized must fit the new type", async ({ world, it }) => {
    const big = { ...web, type: "g6-standard-2", resizeDisks: false };
    await it.up(big);
    world.calls();
    await expect(it.up({ ...big, type: "g6-standard-1" })).rejects.toThrow(
      /its disks take 81920 MB, but the type g6-standard-1 has only 51200 MB\. Shrink or delete disks first, or set resizeDisks to true/,
    );
    expect(world.calls()).toEqual([]);
    await it.up({ ...big, type: "g6-standard-1", resizeDisks: true });
    expect(it.outs).toMatchObject({ type: "g6-standard-1", status: "running" });
  });

  test("the next update repeats a failed reboot", async ({ world, it }) => {
    await it.up(web);
    const changed = { ...web, config: { kernel: "compute/grub2" } };
    world.emulator.faults.add({ kind: "status", status: 500, path: "instances.reboot", times: 1_000 });
    await expect(it.up(changed)).rejects.toThrow("500");
    expect(it.outs).toMatchObject({ stale: true });
    world.emulator.faults.clear();
    it.reconnect(world.reconnect());
    expect(await it.refresh()).toBe("changed");
    world.messages();
    expect((await it.preview(changed)).op).toBe("update");
    expect(world.messages()).toEqual(["web: will reboot, because the reboot after an earlier change has failed"]);
    world.calls();
    await it.up(changed);
    expect(world.calls()).toEqual(["instances.reboot"]);
    expect(it.outs).not.toHaveProperty("stale");
    expect(await it.refresh()).toBe("same");
    expect((await it.preview(changed)).op).toBe("same");
  });

  test("a disk moves to another device slot of the boot config", async ({ world, it }) => {
    const empty = { label: "web", region: "us-east", type: "g6-nanode-1" };
    await it.up(empty);
    const path = { computeId: Number(it.id) };
    const { id: diskId } = await world.api.instanceDisks.create({ path, body: { label: "data", size: 4096 } });
    world.emulator.settle();
    await it.up({ ...empty, config: { devices: { sda: { diskId } } } });
    const moved = { ...empty, config: { devices: { sdb: { diskId } } } };
    await it.up(moved);
    const [config] = await Array.fromAsync(world.api.instanceConfigs.list.all({ path }));
    expect(config?.devices).toMatchObject({ sda: { disk_id: null }, sdb: { disk_id: diskId } });
    expect(await it.refresh()).toBe("same");
    expect((await it.up(moved)).op).toBe("same");
  });

  test("a config update that the API rejects causes no reboot", async ({ world, it }) => {
    await it.up(web);
    world.emulator.faults.add({ kind: "status", status: 400, path: "instanceConfigs.update" });
    await expect(it.up({ ...web, config: { kernel: "compute/grub2" } })).rejects.toThrow("400");
    world.calls();
    await it.up(web);
    expect(world.calls()).toEqual([]);
  });
});
