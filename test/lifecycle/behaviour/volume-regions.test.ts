import { describe, expect } from "vitest";
import type { KindName } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import type { AnyManaged } from "../scenario";
import type { Account } from "./accounts";
import { newCommand } from "./machines";
import { test } from "./tests";

const web = {
  label: "web",
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass: "correct horse 1",
};
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const manage = (world: Account, kind: KindName, name: string) =>
  new Managed(kind, world.host, name) as unknown as AnyManaged;

/** An instance with an attached volume: by an input of the volume, or by a resource of its own. */
async function built(world: Account, by: "Volume" | "VolumeAttachment") {
  const instance = manage(world, "Instance", "web");
  await instance.up(web);
  const computeId = Number(instance.id);
  const volume = manage(world, "Volume", "data");
  await volume.up(by === "Volume" ? { label: "data", computeId } : { label: "data", region: "us-east" });
  const attachment = manage(world, "VolumeAttachment", "data");
  if (by === "VolumeAttachment") await attachment.up({ volumeId: Number(volume.id), computeId });
  const attached = by === "Volume" ? volume : attachment;
  const inputs = (to: unknown) =>
    by === "Volume" ? { label: "data", computeId: to } : { volumeId: Number(volume.id), computeId: to };
  newCommand(world, instance as never, volume as never, attachment as never);
  world.messages();
  world.calls();
  return { instance, computeId, volume, attached, inputs };
}

describe.each(["Volume", "VolumeAttachment"] as const)("an instance that moves to another region, with a %s", (by) => {
  const advice =
    by === "Volume"
      ? 'Set region to "eu-west" to replace the volume, which does not copy its data, or set computeId to null to detach it'
      : "Attach a volume of that region, or remove this attachment";

  test.for<[string, { regionChange?: string }]>([
    ["replaces", {}],
    ["migrates", { regionChange: "migrate" }],
  ])("the preview rejects the volume that stays behind if the update %s the instance", async ([_, how], { world }) => {
    const { instance, computeId, attached, inputs } = await built(world, by);
    await instance.preview({ ...web, ...how, region: "eu-west" });
    const now = "regionChange" in how ? computeId : unknown;
    expect(await attached.failures(inputs(now))).toEqual([
      {
        property: "computeId",
        reason:
          `must be an instance in us-east, the region of the volume: instance ${computeId} moves to eu-west in this ` +
          `update, and volumes cannot change regions. ${advice}${now === unknown ? "" : ` (given ${now})`}`,
      },
    ]);
    expect(world.calls()).toEqual([]);
  });

  test("the preview accepts the volume if the instance stays in its region", async ({ world }) => {
    const { instance, computeId, attached, inputs } = await built(world, by);
    await instance.preview({ ...web, image: "compute/ubuntu22.04" });
    expect(await attached.failures(inputs(computeId))).toEqual([]);
  });

  test("the preview accepts the volume if the region of the instance is not known yet", async ({ world }) => {
    const { instance, computeId, attached, inputs } = await built(world, by);
    await instance.preview({ ...web, region: unknown });
    expect(await attached.failures(inputs(computeId))).toEqual([]);
  });

  test("a migration detaches an undeclared volume, which the preview announces", async ({ world }) => {
    const { instance, computeId, volume, attached } = await built(world, by);
    const moved = { ...web, region: "eu-west", regionChange: "migrate" };
    await instance.preview(moved);
    expect(world.messages()).toEqual([
      "web: will shut down and boot to change its region from us-east to eu-west; its addresses change and its backups are deleted; " +
        `"data" (${volume.id}) will be detached, because volumes stay in their region`,
    ]);
    await instance.up(moved);
    expect(world.calls()).toEqual(["volumes.detach", "instances.migrate"]);
    expect(world.world.instances.get(computeId)).toMatchObject({ region: "eu-west", status: "running" });
    await attached.destroy();
    expect(world.world.volumes.where(({ id }) => String(id) === volume.id)).toHaveLength(by === "Volume" ? 0 : 1);
  });
});

describe("a migration that the service rejects", () => {
  const moved = { ...web, region: "eu-west", regionChange: "migrate" };

  /** A running instance with volumes in two boot configs, and one that is attached until the next boot. */
  async function withVolumes(world: Account) {
    const instance = manage(world, "Instance", "web");
    await instance.up(web);
    const path = { computeId: Number(instance.id) };
    const rescue = await world.api.instanceConfigs.create({ path, body: { label: "rescue", devices: {} } });
    const [main] = world.world.instanceConfigs.by("compute_id", path.computeId);
    const attach = async (label: string, body: { config_id?: number; persist_across_boots?: boolean }) => {
      const { id: volumeId } = await world.api.volumes.create({ body: { label, region: "us-east" } });
      await world.api.volumes.attach({ path: { volumeId }, body: { compute_id: path.computeId, ...body } });
      return volumeId;
    };
    const data = await attach("data", { config_id: Number(main?.id) });
    const logs = await attach("logs", { config_id: rescue.id });
    const temporary = await attach("temporary", { persist_across_boots: false });
    const places = () => ({
      configs: world.world.instanceConfigs.by("compute_id", path.computeId).map(({ id, devices }) => ({ id, devices })),
      volumes: world.world.volumes.all().map(({ id, compute_id, until_boot }) => ({ id, compute_id, until_boot })),
    });
    newCommand(world, instance as never);
    world.calls();
    return { instance, path, data, logs, temporary, places };
  }

  test("attaches the volumes again with their boot configs", async ({ world }) => {
    const { instance, places } = await withVolumes(world);
    const before = places();
    world.emulator.faults.add({ kind: "status", status: 400, path: "instances.migrate", times: 1 });
    await expect(instance.up(moved)).rejects.toThrow(/^instances\.migrate: 400 [^;]*$/);
    expect(places()).toEqual(before);
    world.emulator.faults.clear();
    await instance.up(moved);
    expect(instance.outs).toMatchObject({ region: "eu-west" });
    expect(places().volumes.map(({ compute_id }) => compute_id)).toEqual([null, null, null]);
  });

  test("also if the job of the migration fails", async ({ world }) => {
    const { instance, places } = await withVolumes(world);
    const before = places();
    world.emulator.faults.add({ kind: "job-fail", path: "instances.migrate" });
    await expect(instance.up(moved)).rejects.toThrow("was not migrated");
    expect(places()).toEqual(before);
  });

  test("also if a volume cannot be detached", async ({ world }) => {
    const { instance, places } = await withVolumes(world);
    const before = places();
    world.emulator.faults.add({ kind: "status", status: 400, path: "volumes.detach", nth: 2 });
    await expect(instance.up(moved)).rejects.toThrow("volumes.detach: 400");
    expect(places()).toEqual(before);
  });

  test("also if only the retry after a lost response is rejected", async ({ world }) => {
    const { instance, places } = await withVolumes(world);
    const before = places();
    world.emulator.faults.add({ kind: "cut-before", path: "instances.migrate", nth: 1 });
    world.emulator.faults.add({ kind: "status", status: 400, path: "instances.migrate", nth: 2 });
    await expect(instance.up(moved)).rejects.toThrow("instances.migrate: 400");
    expect(places()).toEqual(before);
  });

  test("the error names the volumes that cannot be attached again", async ({ world }) => {
    const { instance, path, data, logs, places } = await withVolumes(world);
    world.emulator.faults.add({ kind: "status", status: 400, path: "instances.migrate", times: 1 });
    world.emulator.faults.add({ kind: "status", status: 400, path: "volumes.attach", times: 2 });
    await expect(instance.up(moved)).rejects.toThrow(
      new RegExp(
        `^instances\\.migrate: 400 .*; the volumes "data" \\(${data}\\), "logs" \\(${logs}\\) were detached for this change, and could ` +
          `not be attached to instance ${path.computeId} again: volumes\\.attach: 400 .*\\. Attach them before you use the instance$`,
      ),
    );
    expect(places().volumes.map(({ compute_id }) => compute_id)).toEqual([null, null, path.computeId]);
  });

  test("a migration whose response was lost does not attach the volumes again", async ({ world }) => {
    const { instance, places } = await withVolumes(world);
    world.emulator.faults.add({ kind: "cut-after", path: "instances.migrate", times: 1 });
    await instance.up(moved);
    expect(instance.outs).toMatchObject({ region: "eu-west" });
    expect(places().volumes.map(({ compute_id }) => compute_id)).toEqual([null, null, null]);
    expect(world.calls()).not.toContain("volumes.attach");
  });
});

describe("an instance without exactly one boot config", () => {
  const empty = { label: "web", region: "us-east", type: "g6-nanode-1" };
  const none =
    "web has no boot config to add the volume to: declare an InstanceConfig for it, and list the InstanceConfig in dependsOn of this resource";

  test.for(["Volume", "VolumeAttachment"] as const)(
    "the error of a %s says what to declare",
    async (kind, { world }) => {
      const { id: computeId } = await world.api.instances.create({ body: empty });
      const { id: volumeId } = await world.api.volumes.create({ body: { label: "other", region: "us-east" } });
      const it = manage(world, kind, "data");
      const inputs = kind === "Volume" ? { label: "data", computeId } : { volumeId, computeId };
      await it.preview(inputs);
      expect(world.messages()).toEqual([`data: ${none}`]);
      const operation = kind === "Volume" ? "volumes.create" : "volumes.attach";
      await expect(it.up(inputs)).rejects.toThrow(
        `${operation}: 400 config_id: Must be the id of a config of instance ${computeId}, which has no configs (${none})`,
      );
      const path = { computeId };
      const one = await world.api.instanceConfigs.create({ path, body: { label: "one", devices: {} } });
      world.messages();
      await it.preview(inputs);
      expect(world.messages()).toEqual([]);
      const two = await world.api.instanceConfigs.create({ path, body: { label: "two", devices: {} } });
      await expect(it.up(inputs)).rejects.toThrow(
        `(web has several boot configs: set configId to ${one.id} or ${two.id})`,
      );
      await it.up({ ...inputs, configId: two.id });
    },
  );
});

test("a volume with a declared region can move to another instance there after its former instance has moved away without it", async ({
  world,
}) => {
  const { computeId, attached, inputs: undeclared } = await built(world, "Volume");
  const inputs = (to: number) => ({ ...undeclared(to), region: "us-east" });
  await attached.up(inputs(computeId));
  const next = manage(world, "Instance", "next");
  await next.up({ ...web, label: "next" });
  await world.api.volumes.detach({ path: { volumeId: Number(attached.id) } });
  world.emulator.settle();
  await world.api.instances.migrate({ path: { computeId }, body: { region: "eu-west" } });
  world.emulator.settle();
  newCommand(world, attached as never);
  await attached.up(inputs(Number(next.id)));
  expect(world.world.volumes.get(Number(attached.id))).toMatchObject({
    region: "us-east",
    compute_id: Number(next.id),
  });
});

test("a volume without a declared region can move to another instance after its former instance was deleted", async ({
  world,
}) => {
  const { computeId, attached, inputs } = await built(world, "Volume");
  const next = manage(world, "Instance", "next");
  await next.up({ ...web, label: "next" });
  await world.api.instances.delete({ path: { computeId } });
  world.emulator.settle();
  newCommand(world, attached as never);
  await attached.up(inputs(Number(next.id)));
  expect(world.world.volumes.get(Number(attached.id)).compute_id).toBe(Number(next.id));
});

describe.each(["Volume", "VolumeAttachment"] as const)("a move that cannot succeed, with a %s", (by) => {
  const empty = { label: "next", type: "g6-nanode-1" };
  const holderOf = (world: Account) => world.world.volumes.all().map(({ compute_id }) => compute_id);

  test("an instance in another region is rejected before the volume is detached", async ({ world }) => {
    const { computeId, attached, inputs } = await built(world, by);
    const { id: to } = await world.api.instances.create({ body: { ...empty, region: "eu-west" } });
    await world.api.instanceConfigs.create({ path: { computeId: to }, body: { label: "main", devices: {} } });
    const advice =
      by === "Volume"
        ? 'Set region to "eu-west" to replace the volume, which does not copy its data'
        : "Choose an instance in the region of the volume, or attach a volume of the other region";
    expect(await attached.failures(inputs(to))).toEqual([
      {
        property: "computeId",
        reason:
          `must be an instance in us-east, the region of the volume: instance ${to} is in eu-west, and volumes cannot ` +
          `change regions. ${advice} (given ${to})`,
      },
    ]);
    await expect(attached.up(inputs(to))).rejects.toThrow("must be an instance in us-east");
    expect(holderOf(world)).toEqual([computeId]);
  });

  test("an instance that this update moves to the volume's region is accepted", async ({ world }) => {
    const { attached, inputs } = await built(world, by);
    const next = manage(world, "Instance", "next");
    await next.up({ ...empty, region: "eu-west" });
    newCommand(world, next as never, attached as never);
    await next.preview({ ...empty, region: "us-east", regionChange: "migrate" });
    expect(await attached.failures(inputs(Number(next.id)))).toEqual([]);
  });

  test("the boot config must be certain and have a free slot before the volume is detached", async ({ world }) => {
    const { computeId, attached, inputs } = await built(world, by);
    const { id: to } = await world.api.instances.create({ body: { ...empty, region: "us-east" } });
    const path = { computeId: to };
    const [volume] = world.world.volumes.all();
    const rejects = async (configId: number | undefined, problem: string) => {
      world.calls();
      await expect(attached.up({ ...inputs(to), ...(configId && { configId }) })).rejects.toThrow(
        `volume ${volume?.id} was not detached, because ${problem}`,
      );
      expect(world.calls()).toEqual([]);
      expect(holderOf(world)[0]).toBe(computeId);
    };
    await rejects(
      undefined,
      "next has no boot config to add the volume to: declare an InstanceConfig for it, and list the InstanceConfig in dependsOn of this resource",
    );
    const full: Record<string, { volume_id: number }> = {};
    for (const slot of ["sda", "sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"]) {
      const { id } = await world.api.volumes.create({ body: { label: slot, region: "us-east" } });
      full[slot] = { volume_id: id };
    }
    world.world.instances.patch(to, { specs: { ...world.world.instances.get(to).specs, memory: 65_536 } });
    const one = await world.api.instanceConfigs.create({ path, body: { label: "full", devices: full } });
    const noSlot = `boot config ${one.id} of next has no free device slot: remove a device from it, or set configId to another boot config`;
    await rejects(undefined, noSlot);
    const two = await world.api.instanceConfigs.create({ path, body: { label: "two", devices: {} } });
    await rejects(undefined, `next has several boot configs: set configId to ${one.id} or ${two.id}`);
    await rejects(one.id, noSlot);
    await attached.up({ ...inputs(to), configId: two.id });
    expect(holderOf(world)[0]).toBe(to);
  });
});
