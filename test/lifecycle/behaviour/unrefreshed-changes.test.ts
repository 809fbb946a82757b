import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Account, machine } from "./accounts";
import { built, newCommand, numberOf } from "./machines";
import { test } from "./tests";

/** The next command, a minute later, so that no object is cached. */
function nextCommand(world: Account, ...all: Parameters<typeof newCommand>[1][]): void {
  for (const one of all) newCommand(world, one);
  world.emulator.advance(60_000);
  world.calls();
}

describe("an update leaves what was changed outside the program since the last refresh", () => {
  test("the size of a disk whose password changes", async ({ world }) => {
    const { root, rootInputs, computeId } = await built(world, { booted: false });
    await world.api.instanceDisks.resize({ path: { computeId, diskId: numberOf(root) }, body: { size: 20_480 } });
    world.emulator.settle();
    nextCommand(world, root);
    await root.up({ ...rootInputs, rootPass: "battery staple" });
    expect(world.calls()).toEqual(["instanceDisks.resetPassword"]);
    expect(root.outs.size).toBe(rootInputs.size);
  });

  test("one of the alerts, if the program changes another", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const web = { label: "web", region: "us-east", type: "g6-standard-1", alerts: { cpu: 90, io: 1000 } };
    await it.up(web);
    await world.api.instances.update({ path: { computeId: Number(it.id) }, body: { alerts: { io: 5000 } } });
    nextCommand(world, it);
    const changed = { ...web, alerts: { cpu: 80, io: 1000 } };
    await it.up(changed);
    expect(world.world.instances.get(Number(it.id)).alerts).toMatchObject({ cpu: 80, io: 5000 });
    nextCommand(world, it);
    expect((await it.preview(changed)).op).toBe("same");
    expect(await it.refresh()).toBe("changed");
  });

  test("the number of nodes of one pool, if the program changes another", async ({ world }) => {
    const it = new Managed("LkeCluster", world.host, "k8s");
    const main = { type: "g6-standard-1", count: 1 };
    const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main, more: main } };
    await it.up(k8s);
    const poolId = Number((it.outs.poolIds as Record<string, number>).main);
    await world.api.lkePools.update({ path: { clusterId: Number(it.id), poolId }, body: { count: 3 } });
    world.emulator.settle();
    nextCommand(world, it);
    const changed = { ...k8s, pools: { main, more: { ...main, count: 2 } } };
    await it.up(changed);
    expect(world.calls()).toEqual(["lkePools.update"]);
    const path = { clusterId: Number(it.id), poolId };
    expect(await world.api.lkePools.view({ path })).toMatchObject({ count: 3 });
    nextCommand(world, it);
    expect((await it.preview(changed)).op).toBe("same");
  });

  test("the comments of a boot config whose interfaces change", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const open = [{ purpose: "public" as const }];
    const web = {
      label: "web",
      region: "us-east",
      type: "g6-standard-1",
      image: "compute/debian11",
      rootPass: "Correct-Horse-42",
      config: { comments: "declared" },
      interfaces: open,
    };
    await it.up(web);
    const [config] = world.world.instanceConfigs.all();
    const path = { computeId: Number(it.id), configId: Number(config?.id) };
    await world.api.instanceConfigs.update({ path, body: { comments: "by hand" } });
    nextCommand(world, it);
    const lan = { purpose: "vlan" as const, label: "lan", ipamAddress: "10.0.0.1/24" };
    await it.up({ ...web, interfaces: [...open, lan] });
    expect(world.world.instanceConfigs.all()).toMatchObject([{ comments: "by hand", interfaces: [{}, {}] }]);
  });

  test("the ACL of an object whose content changes", async ({ world }) => {
    const bucket = { cluster: "us-east-1", label: "assets" };
    await world.api.objectStorageBuckets.create({ body: bucket });
    const it = new Managed("ObjectStorageObject", world.host, "page");
    const page = { cluster: "us-east-1", bucket: "assets", name: "a.txt", acl: "public-read" as const };
    await it.up({ ...page, content: "first" });
    const path = { clusterId: "us-east-1", bucket: "assets" };
    await world.api.objectStorageObjects.updateAcl({ path, body: { acl: "private", name: "a.txt" } });
    nextCommand(world, it);
    await it.up({ ...page, content: "second" });
    const { acl } = await world.api.objectStorageObjects.viewAcl({ path, query: { name: "a.txt" } });
    expect(acl).toBe("private");
  });

  test("the instance of a volume whose boot config changes", async ({ world }) => {
    const [one, two] = [await machine(world, "one"), await machine(world, "two")];
    const { id: volumeId } = await world.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
    const it = new Managed("VolumeAttachment", world.host, "data");
    await it.up({ volumeId, computeId: one });
    const config = await world.api.instanceConfigs.create({
      path: { computeId: two },
      body: { label: "other", devices: {} },
    });
    await world.api.volumes.detach({ path: { volumeId } });
    await world.api.volumes.attach({ path: { volumeId }, body: { compute_id: two, config_id: config.id } });
    nextCommand(world, it);
    await it.up({ volumeId, computeId: one, configId: config.id });
    expect(world.world.volumes.get(volumeId)).toMatchObject({ compute_id: two });
  });
});

test("an update of another input boots an instance that an earlier change of its disk has left off", async ({
  world,
}) => {
  const { root, rootInputs, computeId, status } = await built(world, { booted: true });
  world.emulator.faults.add({ path: "instances.boot", kind: "status", status: 500, times: 100 });
  await expect(root.up({ ...rootInputs, size: 20_480 })).rejects.toThrow();
  world.emulator.faults.clear();
  expect(status()).toBe("offline");
  nextCommand(world, root);
  await root.up({ ...rootInputs, size: 20_480, label: "system" });
  expect(status()).toBe("running");
  expect(computeId).toBeGreaterThan(0);
});
