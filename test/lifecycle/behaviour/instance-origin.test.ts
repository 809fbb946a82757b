import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { test } from "./tests";

const place = { region: "us-east", type: "g6-standard-1" };
const rootPass = "Correct-Horse-42";

async function source({ api, emulator }: Account, tags: string[] = []): Promise<number> {
  const body = { ...place, label: "source", image: "compute/debian11", root_pass: rootPass, tags };
  const { id } = await api.instances.create({ body });
  emulator.settle();
  return id;
}

describe("Instance", () => {
  test("a clone gets the declared values, and boots if booted is declared", async ({ world }) => {
    const cloneFrom = await source(world, ["old"]);
    const it = new Managed("Instance", world.host, "copy");
    const inputs = { ...place, label: "copy", cloneFrom, tags: ["new"], booted: true, watchdogEnabled: false };
    world.calls();
    await it.up(inputs);
    expect(world.calls()).toEqual(["instances.clone", "instances.update", "instances.boot"]);
    expect(it.outs).toMatchObject({ status: "running", tags: ["new"], watchdogEnabled: false });
    expect((await it.preview(inputs)).op).toBe("same");
    expect(await it.refresh()).toBe("same");
    expect((await world.api.instanceDisks.list({ path: { computeId: Number(it.id) } })).data).toHaveLength(2);
  });

  test("a clone gets its disks in a second attempt if the service has failed to copy them", async ({ world }) => {
    const cloneFrom = await source(world);
    world.emulator.faults.add({ path: "instances.clone", kind: "job-fail" });
    const it = new Managed("Instance", world.host, "copy");
    world.calls();
    await it.up({ ...place, label: "copy", cloneFrom, booted: true });
    expect(world.calls()).toEqual(["instances.clone", "instances.clone", "instances.boot"]);
    expect(world.world.disks.by("compute_id", Number(it.id))).toHaveLength(2);
    expect(it.outs).toMatchObject({ status: "running" });
    expect(it.outs).not.toHaveProperty("copying");
  });

  test("a clone without disks is not complete, and the next update copies them", async ({ world }) => {
    const cloneFrom = await source(world);
    world.emulator.faults.add({ path: "instances.clone", kind: "job-fail", times: 2 });
    const it = new Managed("Instance", world.host, "copy");
    const inputs = { ...place, label: "copy", cloneFrom };
    await expect(it.up(inputs)).rejects.toThrow(
      `the service has failed to copy the disks and boot configs of its source, instance ${cloneFrom}, twice; run "pulumi up" again`,
    );
    expect(it.outs).toMatchObject({ copying: true });
    world.calls();
    await it.up({ ...place, label: "copy" });
    expect(world.calls()).toEqual(["instances.clone"]);
    expect(world.world.disks.by("compute_id", Number(it.id))).toHaveLength(2);
    expect((await it.preview(inputs)).op).toBe("same");
  });

  test("a clone without disks says how to go on if its source does not exist any more", async ({ world }) => {
    const cloneFrom = await source(world);
    world.emulator.faults.add({ path: "instances.clone", kind: "job-fail", times: 2 });
    const it = new Managed("Instance", world.host, "copy");
    const inputs = { ...place, label: "copy", cloneFrom };
    await expect(it.up(inputs)).rejects.toThrow("twice");
    await world.api.instances.delete({ path: { computeId: cloneFrom } });
    await expect(it.up(inputs)).rejects.toThrow(
      `instance ${cloneFrom}, which does not exist any more; add disks, or replace the instance: run "pulumi up --target-replace" with its URN`,
    );
  });

  test("a source that does not exist is an error of the clone", async ({ world }) => {
    const it = new Managed("Instance", world.host, "copy");
    await expect(it.up({ ...place, label: "copy", cloneFrom: 999 })).rejects.toThrow(/instances\.clone: 404/);
  });

  test("a clone of an empty instance has no disks to copy", async ({ world }) => {
    const { id: cloneFrom } = await world.api.instances.create({ body: { ...place, label: "empty" } });
    const it = new Managed("Instance", world.host, "copy");
    world.calls();
    await it.up({ ...place, label: "copy", cloneFrom });
    expect(world.calls()).toEqual(["instances.clone"]);
    expect(it.outs).not.toHaveProperty("copying");
  });

  test("finds a clone whose response was lost, without creating a duplicate", async ({ world }) => {
    const cloneFrom = await source(world);
    world.emulator.faults.add({ path: "instances.clone", kind: "cut-after" });
    const it = new Managed("Instance", world.host, "copy");
    await it.up({ ...place, label: "copy", cloneFrom });
    expect(world.world.instances.all()).toHaveLength(2);
  });

  test("rejects inputs that a clone copies, and inputs for cloning without a source", async ({ world }) => {
    const it = new Managed("Instance", world.host);
    expect(await it.failures({ ...place, cloneFrom: 7, image: "compute/debian11", rootPass })).toEqual([
      {
        property: "image",
        reason:
          'must be omitted: the instance is a clone of 7 and has the configuration of its source (given "compute/debian11")',
      },
      {
        property: '["rootPass"]',
        reason:
          "must be omitted: the instance is a clone of 7 and has the configuration of its source (given [secret])",
      },
    ]);
    expect(await it.failures({ ...place, cloneDisks: [1] })).toEqual([
      { property: '["cloneDisks"]', reason: "must be omitted unless cloneFrom is set (given [1])" },
    ]);
  });

  test("deploys an instance from a backup, with the contents of the other instance", async ({ world }) => {
    const path = { computeId: await source(world) };
    await world.api.instanceBackups.enable({ path });
    world.emulator.settle();
    const { id: backupId } = await world.api.instanceBackups.snapshot({ path, body: { label: "before" } });
    world.emulator.settle();
    const it = new Managed("Instance", world.host, "restored");
    await it.up({ ...place, label: "restored", backupId });
    expect(it.outs.status).toBe("running");
    expect(world.warnings).toEqual([]);
  });

  test("a new region migrates the instance with a warning, if it may be shut down", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const base = { ...place, label: "web", image: "compute/debian11", rootPass, regionChange: "migrate" as const };
    await it.up(base);
    const { id } = it;
    const old = it.outs.ipv4;
    world.messages();
    await expect(it.up({ ...base, region: "eu-west", allowReboot: false })).rejects.toThrow(
      "region cannot change without a shutdown and a boot",
    );
    await it.up({ ...base, region: "eu-west" });
    expect(world.messages().join()).toContain(
      "web: will shut down and boot to change its region from us-east to eu-west; its addresses change and its backups are deleted",
    );
    expect(it.id).toBe(id);
    expect(it.outs).toMatchObject({ region: "eu-west", status: "running" });
    expect(it.outs.ipv4).not.toEqual(old);
  });

  test("the next update repeats a failed boot into rescue mode", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const inputs = { ...place, label: "web", image: "compute/debian11", rootPass, rescue: {} };
    world.emulator.faults.add({ path: "instances.rescue", kind: "status", status: 500, times: 100 });
    await expect(it.up(inputs)).rejects.toThrow("instances.rescue");
    const { id } = it;
    world.emulator.faults.clear();
    world.calls();
    await it.up(inputs);
    expect(it.id).toBe(id);
    expect(world.calls()).toEqual(["instances.rescue"]);
    expect((await it.preview(inputs)).op).toBe("same");
  });

  test("an instance is in rescue mode again after an update that boots it", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const inputs = { ...place, label: "web", image: "compute/debian11", rootPass, rescue: {} };
    await it.up(inputs);
    world.calls();
    const changed = { ...inputs, rootPass: "another horse 2", type: "g6-standard-2" };
    await it.preview(changed);
    expect(world.messages()).toEqual([
      "web: will shut down and boot to change its type from g6-standard-1 to g6-standard-2; then it reboots into rescue mode again",
      "web: will shut down and boot to change its root password; then it reboots into rescue mode again",
    ]);
    await it.up(changed);
    expect(world.calls().filter((call) => call === "instances.rescue")).toHaveLength(1);
    expect(world.world.instances.get(Number(it.id)).rescue).toBe(true);
    expect((await it.preview(changed)).op).toBe("same");
    await it.up({ ...changed, label: "renamed" });
    expect(world.calls()).toEqual(["instances.update"]);
  });

  const rescued = { ...place, label: "web", image: "compute/debian11", rootPass, rescue: {} };
  const isRescued = ({ world }: Account, it: Managed<"Instance">) => world.instances.get(Number(it.id)).rescue;

  test("an instance that a failed update left off is in rescue mode again after the next one", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    await it.up(rescued);
    const changed = { ...rescued, rootPass: "another horse 2" };
    world.emulator.faults.add({ path: "instances.boot", kind: "status", status: 400, times: 100 });
    await expect(it.up(changed)).rejects.toThrow(`instance ${it.id} is still off: instances.boot: 400`);
    world.emulator.faults.clear();
    world.messages();
    await it.preview(changed);
    expect(world.messages()).toEqual([
      "web: will boot, because an earlier change left it offline",
      "web: will reboot into rescue mode",
    ]);
    world.calls();
    await it.up(changed);
    expect(world.calls()).toEqual(["instances.resetPassword", "instances.boot", "instances.rescue"]);
    expect(isRescued(world, it)).toBe(true);
    expect((await it.preview(changed)).op).toBe("same");
  });

  test("an instance is in rescue mode again if a resize that booted it has failed and is taken back", async ({
    world,
  }) => {
    const it = new Managed("Instance", world.host, "web");
    await it.up(rescued);
    world.emulator.faults.add({ path: "instances.resize", kind: "job-fail" });
    await expect(it.up({ ...rescued, type: "g6-standard-2" })).rejects.toThrow("was not resized");
    expect(isRescued(world, it)).toBe(false);
    world.calls();
    await it.up(rescued);
    expect(world.calls()).toEqual(["instances.rescue"]);
    expect(isRescued(world, it)).toBe(true);
  });

  test("a device slot that the program omits is empty in rescue mode", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    await it.up(rescued);
    const [first, second] = world.world.disks.by("compute_id", Number(it.id)).map(({ id }) => ({ diskId: id }));
    const both = { ...rescued, rescue: { devices: { sda: first, sdb: second } } };
    await it.up(both);
    world.calls();
    const one = { ...rescued, rescue: { devices: { sda: first } } };
    expect((await it.up(one)).op).toBe("update");
    expect(world.calls()).toEqual(["instances.rescue"]);
    const empty = { diskId: null, volumeId: null };
    expect((await it.preview({ ...rescued, rescue: { devices: { sda: first, sdb: empty } } })).op).toBe("same");
    expect((await it.up(rescued)).op).toBe("update");
    expect(world.calls()).toEqual(["instances.rescue"]);
    expect((await it.preview({ ...rescued, rescue: { devices: {} } })).op).toBe("same");
  });

  test("an instance that was shut down outside the program is booted into rescue mode", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const inputs = { ...rescued, booted: true };
    await it.up(inputs);
    await world.api.instances.shutdown({ path: { computeId: Number(it.id) } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("changed");
    world.messages();
    await it.preview(inputs);
    expect(world.messages()).toEqual(["web: will boot; then it reboots into rescue mode again"]);
    world.calls();
    await it.up(inputs);
    expect(world.calls()).toEqual(["instances.boot", "instances.rescue"]);
    expect(isRescued(world, it)).toBe(true);
  });

  test("a change of an instance that was shut down outside the program does not boot it into rescue mode", async ({
    world,
  }) => {
    const it = new Managed("Instance", world.host, "web");
    await it.up(rescued);
    await world.api.instances.shutdown({ path: { computeId: Number(it.id) } });
    world.emulator.settle();
    await it.refresh();
    world.calls();
    world.messages();
    const changed = { ...rescued, type: "g6-standard-2", region: "eu-west", regionChange: "migrate" as const };
    await it.up(changed);
    expect(world.messages().join("\n")).not.toContain("rescue");
    expect(world.calls()).toEqual(["instances.migrate", "instances.resize"]);
    expect(it.outs.status).toBe("offline");
  });

  test("rejects rescue mode for an instance that is declared as off", async ({ world }) => {
    const it = new Managed("Instance", world.host);
    const inputs = { ...place, booted: false, rescue: { devices: { sda: { diskId: 1, volumeId: 2 } } } };
    const failures = await it.failures(inputs);
    expect(failures.map(({ property }) => property)).toEqual(["rescue.devices.sda", '["rescue"]']);
    expect(failures.map(({ reason }) => reason).join("\n")).toContain("while booted is false");
  });
});
