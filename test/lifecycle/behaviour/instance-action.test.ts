import { describe, expect } from "vitest";
import { create } from "../../../provider/engine/create";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { test } from "./tests";

const rootPass = "Correct-Horse-42";

async function machine({ api, emulator }: Account, label = "web-1"): Promise<number> {
  const body = { label, region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: rootPass };
  const { id } = await api.instances.create({ body });
  emulator.settle();
  return id;
}

describe("InstanceAction", () => {
  test("announces an action in the preview, runs it once, and again when a trigger changes", async ({ world }) => {
    const computeId = await machine(world);
    const it = new Managed("InstanceAction", world.host, "restart");
    const inputs = { computeId, reboot: {}, triggers: ["kernel 1"] };
    world.calls();
    await it.preview(inputs);
    expect(world.messages()).toEqual(["restart: web-1 will reboot"]);
    expect(world.calls()).toEqual([]);
    await it.up(inputs);
    expect(world.calls()).toEqual(["instances.reboot"]);
    await it.up(inputs);
    expect(world.calls()).toEqual([]);
    world.messages();
    await it.up({ ...inputs, triggers: ["kernel 2"] });
    expect(world.messages()).toEqual([`InstanceAction ${computeId}: web-1 will reboot`]);
    expect(world.calls()).toEqual(["instances.reboot"]);
    await it.destroy();
    expect(world.calls()).toEqual([]);
  });

  test("triggers that contain lists run the action again only if a value in them changes", async ({ world }) => {
    const it = new Managed("InstanceAction", world.host, "restart");
    const inputs = { computeId: await machine(world), reboot: {}, triggers: [["a", "b"], [["c"]]] };
    await it.up(inputs);
    world.calls();
    expect((await it.up(inputs)).op).toBe("same");
    expect(world.calls()).toEqual([]);
    expect((await it.preview({ ...inputs, triggers: [["a", "b"], [["d"]]] })).op).toBe("update");
    expect((await it.up({ ...inputs, triggers: [["a"], [["c"]]] })).op).toBe("update");
    expect(world.calls()).toEqual(["instances.reboot"]);
  });

  test("an action on an instance that was deleted is an error that says how to go on", async ({ world }) => {
    const computeId = await machine(world);
    await world.api.instances.delete({ path: { computeId } });
    world.emulator.settle();
    const it = new Managed("InstanceAction", world.host, "restart");
    await expect(it.up({ computeId, reboot: {}, triggers: [] })).rejects.toThrow(
      `InstanceAction ${computeId} changes an object that does not exist. If this object was deleted outside this program, run "pulumi up --refresh" to create it again`,
    );
    expect(world.messages()).toEqual([`restart: instance ${computeId} will reboot`]);
    expect(it.state).toBeUndefined();
  });

  test("announces an action on a new instance without its name", async ({ world }) => {
    const it = new Managed("InstanceAction", world.host, "restart");
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9" as unknown as number;
    await it.preview({ computeId: unknown, reboot: {} });
    expect(world.messages()).toEqual(["restart: the instance will reboot"]);
  });

  test("an action that turns out to be unset is an error, not a reboot", async ({ world }) => {
    const computeId = await machine(world);
    world.calls();
    const action = create(kinds.InstanceAction, world.host, {
      compute_id: computeId,
      triggers: [],
      allow_reboot: true,
    });
    await expect(action).rejects.toThrow("InstanceAction: no action is set. Set exactly one, such as reboot");
    expect(world.calls()).toEqual([]);
  });

  test("runs an action again at the next update if its job failed", async ({ world }) => {
    const computeId = await machine(world);
    world.emulator.faults.add({ path: "instances.rebuild", kind: "job-fail" });
    const it = new Managed("InstanceAction", world.host, "anew");
    const inputs = { computeId, rebuild: { image: "compute/ubuntu22.04", rootPass } };
    await expect(it.up(inputs)).rejects.toThrow("compute_rebuild failed");
    expect(it.id).toBe(String(computeId));
    world.calls();
    await it.up(inputs);
    expect(world.calls()).toEqual(["instances.rebuild"]);
    expect((await world.api.instances.view({ path: { computeId } })).image).toBe("compute/ubuntu22.04");
  });

  test("an action that is still running after a timeout is not started again", async ({ world }) => {
    const computeId = await machine(world);
    world.emulator.faults.add({ path: "instances.rebuild", kind: "job-stall" });
    const it = new Managed("InstanceAction", world.host, "anew");
    const inputs = { computeId, rebuild: { image: "compute/ubuntu22.04", rootPass } };
    await expect(it.up(inputs)).rejects.toThrow("timed out");
    world.emulator.faults.clear();
    world.emulator.settle();
    world.calls();
    await it.up(inputs).catch(() => {});
    expect(world.calls()).toEqual([]);
  });

  test("restores the power state after an action that requires the instance to be offline", async ({ world }) => {
    const computeId = await machine(world);
    const it = new Managed("InstanceAction", world.host, "password");
    world.calls();
    await it.up({ computeId, resetPassword: { rootPass: "Battery-Staple-7" } });
    expect(world.calls()).toEqual(["instances.shutdown", "instances.resetPassword", "instances.boot"]);
  });

  test("announces and boots an instance that an action left offline", async ({ world }) => {
    const computeId = await machine(world);
    world.emulator.faults.add({ kind: "status", status: 500, path: "instances.boot", times: 1_000 });
    const it = new Managed("InstanceAction", world.host, "password");
    const inputs = { computeId, resetPassword: { rootPass: "Battery-Staple-7" } };
    await expect(it.up(inputs)).rejects.toThrow("500");
    world.emulator.faults.clear();
    it.reconnect(world.reconnect());
    world.messages();
    world.calls();
    expect((await it.preview(inputs)).op).toBe("update");
    expect(world.messages()).toEqual([
      `InstanceAction ${computeId}: web-1 will boot, because an earlier action left it offline`,
    ]);
    await it.up(inputs);
    expect(world.calls()).toEqual(["instances.boot"]);
  });

  test("rejects an action on create and update, before any request, if reboots are not allowed", async ({ world }) => {
    const computeId = await machine(world);
    const forbidding = { ...world.host, settings: { allow_reboot: "forbid" as const } };
    const it = new Managed("InstanceAction", forbidding, "restart");
    const reason = "must be true: the action shuts the instance down";
    world.calls();
    await expect(it.up({ computeId, reboot: {} })).rejects.toThrow(reason);
    it.reconnect(world.host);
    await it.up({ computeId, reboot: {} });
    world.calls();
    it.reconnect(forbidding);
    expect((await it.preview({ computeId, reboot: {} })).op).toBe("same");
    await expect(it.up({ computeId, reboot: {}, triggers: [1] })).rejects.toThrow(reason);
    expect(world.calls()).toEqual([]);
  });

  test("rejects zero or several actions, and validates each by the rules of its request", async ({ world }) => {
    const it = new Managed("InstanceAction", world.host);
    const reasons = async (inputs: object) =>
      (await it.failures({ computeId: 1, ...inputs })).map(({ property, reason }) => `${property} ${reason}`.trim());
    expect(await reasons({})).toEqual([
      "reboot is required unless another action is set: rebuild, resetPassword, rescue, mutate, restore",
    ]);
    expect(await reasons({ reboot: {}, mutate: {} })).toEqual([
      '["mutate"] must be omitted, because reboot is set: only one action is allowed (given {"allowAutoDiskResize":true})',
    ]);
    const short = await reasons({ rebuild: { image: "compute/debian11", rootPass: "Sh0rt" } });
    expect(short.join()).toContain("rootPass must be at least 7 characters long");
    expect(short.join()).not.toContain("Sh0rt");
  });
});

describe("InstanceAction and the disks and power of its machine", () => {
  test("announces that the reboot of an offline instance boots it", async ({ world }) => {
    const computeId = await machine(world);
    const off = () => world.api.instances.shutdown({ path: { computeId } });
    await off();
    world.emulator.settle();
    const it = new Managed("InstanceAction", world.host, "restart");
    world.calls();
    await it.up({ computeId, reboot: {}, triggers: [1] });
    expect(world.messages()).toEqual(["restart: web-1 will boot"]);
    expect(world.calls()).toEqual(["instances.reboot"]);
    const status = () => world.world.instances.get(computeId).status;
    expect(status()).toBe("running");
    await off();
    world.emulator.settle();
    it.reconnect(world.reconnect());
    world.messages();
    await it.up({ computeId, reboot: {}, triggers: [2] });
    expect(world.messages()).toEqual([`InstanceAction ${computeId}: web-1 will boot`]);
    expect(status()).toBe("running");
  });

  /** Creates a running instance with a system disk and a data disk. */
  async function withData(world: Account): Promise<{ computeId: number; root: number }> {
    const type = "g6-nanode-1";
    const body = { label: "web-1", region: "us-east", type };
    const { id: computeId } = await world.api.instances.create({ body });
    const path = { computeId };
    const deployed = { image: "compute/debian11", root_pass: rootPass };
    const disks: number[] = [];
    for (const body of [
      { label: "data", size: 1000 },
      { label: "root", size: 4000, ...deployed },
    ]) {
      disks.push((await world.api.instanceDisks.create({ path, body })).id);
      world.emulator.settle();
    }
    const [data, root] = disks as [number, number];
    const devices = { sda: { disk_id: data }, sdb: { disk_id: root } };
    await world.api.instanceConfigs.create({ path, body: { label: "main", devices, root_device: "/dev/sdb" } });
    await world.api.instances.boot({ path });
    world.emulator.settle();
    world.calls();
    return { computeId, root };
  }
  const digest = ({ world }: Account, disk: number) => world.disks.get(disk).root_pass;

  test("with several disks, sets the password of the main config's root disk", async ({ world }) => {
    const { computeId, root } = await withData(world);
    const it = new Managed("InstanceAction", world.host, "password");
    const before = digest(world, root);
    await it.up({ computeId, resetPassword: { rootPass: "Battery-Staple-7" } });
    expect(world.calls()).toEqual(["instances.shutdown", "instanceDisks.resetPassword", "instances.boot"]);
    expect(digest(world, root)).not.toBe(before);
  });

  test("with several disks and no known root disk, does not shut the instance down", async ({ world }) => {
    const { computeId } = await withData(world);
    const path = { computeId };
    const { data } = await world.api.instanceConfigs.list({ path });
    for (const { id: configId } of data)
      await world.api.instanceConfigs.update({ path: { ...path, configId }, body: { root_device: "/dev/sdc" } });
    world.calls();
    const it = new Managed("InstanceAction", world.host, "password");
    await expect(it.up({ computeId, resetPassword: { rootPass: "Battery-Staple-7" } })).rejects.toThrow(
      "its main config does not name the root disk: set rootPass on the InstanceDisk instead",
    );
    expect(world.calls()).toEqual([]);
  });
});
