import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { built, nextCommand as next, numberOf, web } from "./machines";
import { test } from "./tests";

/** The next command, without faults. */
function nextCommand(world: Account, managed: Parameters<typeof next>[1]): void {
  world.emulator.faults.clear();
  next(world, managed);
}

/** From the nth matching request on, the token is rejected. */
const rejectToken = (world: Account, path: string, nth = 1) =>
  world.emulator.faults.add({ path, kind: "status", status: 401, nth, times: 1000 });

describe("the update after one that has failed halfway leaves what was changed by hand or is in ignoreChanges", () => {
  test("a tag, also if the program takes the failed change back", async ({ world }) => {
    const it = new Managed("Volume", world.host, "data");
    const data = { label: "data", region: "us-east", size: 20, tags: ["declared"] };
    await it.up(data);
    const path = { volumeId: Number(it.id) };
    await world.api.volumes.update({ path, body: { tags: ["declared", "by hand"] } });
    nextCommand(world, it);
    world.emulator.faults.add({ path: "volumes.update", kind: "cut-after" });
    rejectToken(world, "volumes.*", 3);
    await expect(it.up({ ...data, tags: ["declared", "added"] })).rejects.toThrow("401");
    const tags = () => [...world.world.volumes.get(path.volumeId).tags].sort();
    expect(tags()).toEqual(["added", "by hand", "declared"]);
    // The entries of a list can be secret.
    expect(JSON.stringify(it.outs.__unfinished)).toMatch(/^\["\/tags\/[0-9a-f]{16}"\]$/);
    nextCommand(world, it);
    await it.up(data);
    expect(tags()).toEqual(["by hand", "declared"]);
  });

  test("the number of nodes of one pool, if adding another has failed", async ({ world }) => {
    const it = new Managed("LkeCluster", world.host, "k8s");
    const main = { type: "g6-standard-1", count: 1 };
    const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } };
    await it.up(k8s);
    const poolId = Number((it.outs.poolIds as Record<string, number>).main);
    const path = { clusterId: Number(it.id), poolId };
    await world.api.lkePools.update({ path, body: { count: 3 } });
    world.emulator.settle();
    nextCommand(world, it);
    const changed = { ...k8s, pools: { main, more: main } };
    rejectToken(world, "lke*.*", 8);
    await expect(it.up(changed)).rejects.toThrow("401");
    world.emulator.faults.clear();
    expect((await world.api.lkePools.list({ path })).data).toHaveLength(2);
    nextCommand(world, it);
    await it.up(changed);
    expect(await world.api.lkePools.view({ path })).toMatchObject({ count: 3 });
    nextCommand(world, it);
    expect((await it.preview(changed)).op).toBe("same");
  });

  test("the size of a disk, if the instance was left off by a change of its password", async ({ world }) => {
    const { root, rootInputs, computeId, status } = await built(world, { booted: true });
    const path = { computeId, diskId: numberOf(root) };
    await world.api.instances.shutdown({ path: { computeId } });
    world.emulator.settle();
    await world.api.instanceDisks.resize({ path, body: { size: 20_480 } });
    world.emulator.settle();
    await world.api.instances.boot({ path: { computeId }, body: {} });
    world.emulator.settle();
    nextCommand(world, root);
    const changed = { ...rootInputs, rootPass: "battery staple" };
    rejectToken(world, "instances.boot");
    await expect(root.up(changed)).rejects.toThrow("401");
    expect(status()).toBe("offline");
    nextCommand(world, root);
    world.messages();
    await root.up(changed);
    expect(world.messages()).toContain(
      `InstanceDisk ${root.id}: web will boot, because an earlier change left it offline`,
    );
    expect(status()).toBe("running");
    expect(await world.api.instanceDisks.view({ path })).toMatchObject({ size: 20_480 });
  });
});

test("nor does it write a boot config that was changed by hand, if only the reboot has failed", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  const server = { ...web, image: "compute/debian11", rootPass: "correct horse" };
  const declared = { ...server, config: { comments: "one", runLevel: "default" as const } };
  await it.up({ ...declared, interfaces: [{ purpose: "public" as const }] });
  const computeId = Number(it.id);
  const [main] = (await world.api.instanceConfigs.list({ path: { computeId } })).data;
  const path = { computeId, configId: Number(main?.id) };
  const interfaces = [{ purpose: "public" as const }, { purpose: "vlan" as const, label: "by-hand" }];
  await world.api.instanceConfigs.update({ path, body: { run_level: "single", interfaces } });
  nextCommand(world, it);
  const changed = {
    ...declared,
    config: { comments: "two", runLevel: "default" as const },
    interfaces: [{ purpose: "public" as const }],
  };
  rejectToken(world, "instances.reboot");
  await expect(it.up(changed)).rejects.toThrow("401");
  nextCommand(world, it);
  await it.up(changed);
  expect(world.calls()).toEqual(["instances.reboot"]);
  const now = await world.api.instanceConfigs.view({ path });
  expect(now).toMatchObject({ comments: "two", run_level: "single" });
  expect(now.interfaces).toHaveLength(2);
});

describe("a program takes a failed change back", () => {
  test("the objects that a tag was added to", async ({ world }) => {
    const ids = await Promise.all(
      ["one", "two", "three"].map(
        async (label) => (await world.api.volumes.create({ body: { label, region: "us-east" } })).id,
      ),
    );
    const it = new Managed("Tag", world.host, "team");
    await it.up({ label: "team", volumes: ids.slice(0, 1) });
    nextCommand(world, it);
    rejectToken(world, "volumes.*", 3);
    await expect(it.up({ label: "team", volumes: ids })).rejects.toThrow("401");
    const tags = () => ids.map((id) => world.world.volumes.get(id).tags);
    expect(tags()).toEqual([["team"], ["team"], []]);
    nextCommand(world, it);
    await it.up({ label: "team", volumes: ids.slice(0, 1) });
    expect(tags()).toEqual([["team"], [], []]);
  });

  test("the type of a pool, whose new pool was deleted by hand, so that the old one stays", async ({ world }) => {
    const it = new Managed("LkeCluster", world.host, "k8s");
    const main = { type: "g6-standard-1", count: 1 };
    const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } };
    await it.up(k8s);
    const path = { clusterId: Number(it.id) };
    const pools = async () => (await world.api.lkePools.list({ path })).data;
    const [old] = await pools();
    nextCommand(world, it);
    rejectToken(world, "lkePools.delete");
    await expect(it.up({ ...k8s, pools: { main: { ...main, type: "g6-standard-2" } } })).rejects.toThrow("401");
    world.emulator.faults.clear();
    const [, added] = await pools();
    await world.api.lkePools.delete({ path: { ...path, poolId: Number(added?.id) } });
    world.emulator.settle();
    nextCommand(world, it);
    await it.up(k8s);
    expect(world.calls()).toEqual([]);
    expect((await pools()).map(({ id, type }) => [id, type])).toEqual([[old?.id, "g6-standard-1"]]);
  });

  test("an object whose tag was removed by hand stays without it", async ({ world }) => {
    const ids = await Promise.all(
      ["one", "two", "three", "four"].map(
        async (label) => (await world.api.volumes.create({ body: { label, region: "us-east" } })).id,
      ),
    );
    const [, two = 0] = ids;
    const it = new Managed("Tag", world.host, "team");
    await it.up({ label: "team", volumes: ids.slice(0, 2) });
    await world.api.volumes.update({ path: { volumeId: two }, body: { tags: [] } });
    nextCommand(world, it);
    rejectToken(world, "volumes.*", 3);
    await expect(it.up({ label: "team", volumes: ids })).rejects.toThrow("401");
    nextCommand(world, it);
    await it.up({ label: "team", volumes: ids });
    const tags = () => ids.map((id) => world.world.volumes.get(id).tags.length);
    expect(tags()).toEqual([1, 0, 1, 1]);
  });

  test("the secret of an OAuth client, which is reset again so that it is known", async ({ world }) => {
    const it = new Managed("OAuthClient", world.host, "app");
    const app = { label: "app", redirectUri: "https://example.com/" };
    await it.up({ ...app, secretVersion: 1 });
    const first = String(it.outs.secret);
    nextCommand(world, it);
    world.emulator.faults.add({ path: "oauthClients.resetSecret", kind: "cut-after" });
    rejectToken(world, "oauthClients.resetSecret", 2);
    await expect(it.up({ ...app, secretVersion: 2 })).rejects.toThrow("401");
    nextCommand(world, it);
    await it.up({ ...app, secretVersion: 1 });
    expect(world.calls()).toEqual(["oauthClients.resetSecret"]);
    expect(it.outs).toMatchObject({ secretVersion: 1, secret: expect.not.stringContaining(first) });
  });
});

describe("the update after one that has failed halfway repairs what that one has changed in addition to its inputs", () => {
  test.for([
    ["has another one", true],
    ["has the same one", false],
  ])("the ACL of an object, which an upload removes, if its bucket %s", async ([_, isOther], { world }) => {
    const bucket = { clusterId: "us-east-1", bucket: "photos" };
    await world.api.objectStorageBuckets.create({ body: { cluster: "us-east-1", label: "photos" } });
    if (isOther) await world.api.objectStorageBuckets.updateAccess({ path: bucket, body: { acl: "public-read" } });
    const it = new Managed("ObjectStorageObject", world.host, "a");
    const object = { cluster: "us-east-1", bucket: "photos", name: "a.txt", content: "one", acl: "private" as const };
    await it.up(object);
    nextCommand(world, it);
    rejectToken(world, "objectStorageObjects.updateAcl");
    await expect(it.up({ ...object, content: "two" })).rejects.toThrow("401");
    const acl = async () =>
      (await world.api.objectStorageObjects.viewAcl({ path: bucket, query: { name: "a.txt" } })).acl;
    world.emulator.faults.clear();
    expect(await acl()).toBe(isOther ? "public-read" : "private");
    nextCommand(world, it);
    await it.up({ ...object, content: "two" });
    await world.api.objectStorageBuckets.updateAccess({ path: bucket, body: { acl: "public-read" } });
    expect(await acl()).toBe("private");
  });

  test("the power of an instance that is off after a resize", async ({ world }) => {
    const { instance, computeId, status } = await built(world, { booted: true });
    const on = { ...web, booted: true };
    await instance.up(on);
    nextCommand(world, instance);
    world.emulator.faults.add({ path: "instances.resize", kind: "cut-after" });
    rejectToken(world, "instances.*", 4);
    const larger = { ...on, type: "g6-standard-2" };
    await expect(instance.up(larger)).rejects.toThrow("401");
    world.emulator.faults.clear();
    world.emulator.settle();
    await world.api.instances.shutdown({ path: { computeId } });
    world.emulator.settle();
    nextCommand(world, instance);
    await instance.up(larger);
    expect(status()).toBe("running");
  });
});

test("an instance that was booted by hand is booted again after a failed change of its password", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  const server = { ...web, image: "compute/debian11", rootPass: "correct horse", booted: false };
  await it.up(server);
  const path = { computeId: Number(it.id) };
  await world.api.instances.boot({ path, body: {} });
  world.emulator.settle();
  nextCommand(world, it);
  const changed = { ...server, rootPass: "battery staple" };
  rejectToken(world, "instances.boot");
  await expect(it.up(changed)).rejects.toThrow("401");
  nextCommand(world, it);
  await it.up(changed);
  expect(world.world.instances.get(path.computeId).status).toBe("running");
});

test("a reboot that has failed is not repeated if the program forbids it meanwhile", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  const server = { ...web, image: "compute/debian11", rootPass: "correct horse" };
  await it.up(server);
  nextCommand(world, it);
  rejectToken(world, "instances.reboot");
  const changed = { ...server, config: { comments: "two" } };
  await expect(it.up(changed)).rejects.toThrow("401");
  nextCommand(world, it);
  await expect(it.up({ ...server, allowReboot: false })).rejects.toThrow(
    "must be off before its changed config takes effect, but allowReboot is false",
  );
  expect(world.calls()).toEqual([]);
  nextCommand(world, it);
  await it.up(changed);
  expect(world.calls()).toEqual(["instances.reboot"]);
});

test("an instance that a failed reboot has left off is booted, and not shut down again", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  const server = { ...web, image: "compute/debian11", rootPass: "correct horse", booted: true };
  await it.up(server);
  nextCommand(world, it);
  rejectToken(world, "instances.reboot");
  const changed = { ...server, config: { comments: "two" } };
  await expect(it.up(changed)).rejects.toThrow("401");
  world.emulator.faults.clear();
  await world.api.instances.shutdown({ path: { computeId: Number(it.id) } });
  world.emulator.settle();
  nextCommand(world, it);
  await it.up(changed);
  expect(world.calls()).toEqual(["instances.boot"]);
  expect(world.world.instances.get(Number(it.id)).status).toBe("running");
  nextCommand(world, it);
  expect((await it.preview(changed)).op).toBe("same");
});

test("a config whose reboot has failed shuts its instance down before it is deleted", async ({ world }) => {
  const { config, configInputs, status } = await built(world, { booted: true });
  nextCommand(world, config);
  rejectToken(world, "instances.reboot");
  await expect(config.up({ ...configInputs, kernel: "compute/grub2" })).rejects.toThrow("401");
  nextCommand(world, config);
  await config.destroy();
  expect(world.calls()).toEqual(["instances.shutdown", "instanceConfigs.delete"]);
  expect(status()).toBe("offline");
});

test("a preview shows that an object with a failed update has been deleted since", async ({ world }) => {
  const it = new Managed("Volume", world.host, "data");
  const data = { label: "data", region: "us-east", size: 20 };
  await it.up(data);
  nextCommand(world, it);
  world.emulator.faults.add({ path: "volumes.update", kind: "status", status: 503, times: 100 });
  await expect(it.up({ ...data, label: "other" })).rejects.toThrow("503");
  await world.api.volumes.delete({ path: { volumeId: Number(it.id) } });
  nextCommand(world, it);
  expect((await it.preview(data)).op).toBe("replace");
  await it.up(data);
  expect(world.calls()).toEqual(["volumes.create"]);
});

describe("taking back a failed update sends again what the service reset with it", () => {
  test("the fields of an SRV record", async ({ world }) => {
    const { id: domainId } = await world.api.domains.create({
      body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
    });
    const it = new Managed("DomainRecord", world.host, "sip");
    const srv = {
      domainId,
      type: "SRV" as const,
      target: "sip.example.net",
      service: "sip",
      protocol: "tcp",
      priority: 10,
      weight: 5,
      port: 5060,
    };
    await it.up(srv);
    nextCommand(world, it);
    world.emulator.faults.add({ path: "domainRecords.update", kind: "cut-after" });
    rejectToken(world, "domainRecords.*", 2);
    await expect(it.up({ domainId, type: "A", name: "www", target: "198.51.100.1" })).rejects.toThrow("401");
    nextCommand(world, it);
    await it.up(srv);
    const { priority, weight, port } = srv;
    const [record] = world.world.domainRecords.all();
    expect(record).toMatchObject({ type: "SRV", service: "_sip", protocol: "_tcp", priority, weight, port });
  });

  test("the region of a service with a private address", async ({ world }) => {
    const it = new Managed("ManagedService", world.host, "db");
    const db = { label: "base", serviceType: "tcp" as const, address: "10.1.2.3:5432", timeout: 30, region: "us-east" };
    const { region: _, ...shared } = db;
    await it.up(db);
    nextCommand(world, it);
    world.emulator.faults.add({ path: "managedServices.update", kind: "cut-after" });
    rejectToken(world, "managedServices.*", 2);
    await expect(it.up({ ...shared, address: "198.51.100.7:5432" })).rejects.toThrow("401");
    nextCommand(world, it);
    await it.up(db);
    expect(world.world.managedServices.all()).toMatchObject([{ address: db.address, region: db.region }]);
  });
});
