import { describe, expect, vi } from "vitest";
import { Managed } from "../../../testing/provider";
import { addressed } from "../kinds/needs";
import { type Account, machine } from "./accounts";
import { built, nextCommand, numberOf, web } from "./machines";
import { test } from "./tests";

/** An instance that is deployed from an image. */
const server = { ...web, image: "compute/debian11", rootPass: "Correct-Horse-42" };

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

  test("the tags that were added and removed by hand, if the program adds and removes others", async ({ world }) => {
    const it = new Managed("Volume", world.host, "data");
    const data = { label: "data", region: "us-east", size: 20, tags: ["one", "two", "three"] };
    await it.up(data);
    const path = { volumeId: Number(it.id) };
    await world.api.volumes.update({ path, body: { tags: ["one", "three", "by hand"] } });
    nextCommand(world, it);
    const changed = { ...data, tags: ["two", "ONE", "four"] };
    await it.up(changed);
    const { tags } = await world.api.volumes.view({ path });
    expect([...tags].sort()).toEqual(["by hand", "four", "one"]);
    nextCommand(world, it);
    expect((await it.preview(changed)).op).toBe("same");
    expect(await it.refresh()).toBe("changed");
    expect([...(it.outs.tags as string[])].sort()).toEqual(["by hand", "four", "one"]);
  });

  test("the instance that was assigned to a firewall by hand, if the program assigns another one", async ({
    world,
  }) => {
    const [one, two, three] = [await machine(world, "one"), await machine(world, "two"), await machine(world, "three")];
    const it = new Managed("Firewall", world.host, "web");
    const rules = {
      inbound: [],
      inboundPolicy: "DROP" as const,
      outbound: [],
      outboundPolicy: "DROP" as const,
    };
    const firewall = { label: "web", rules, devices: { computes: [one] } };
    await it.up(firewall);
    const path = { firewallId: Number(it.id) };
    await world.api.firewallDevices.create({ path, body: { id: two, type: "compute" } });
    nextCommand(world, it);
    const changed = { ...firewall, devices: { computes: [one, three] } };
    await it.up(changed);
    expect(world.calls()).toEqual(["firewallDevices.create"]);
    const { data } = await world.api.firewallDevices.list({ path });
    expect(data.map(({ entity }) => entity.id)).toEqual([one, two, three]);
    nextCommand(world, it);
    expect((await it.preview(changed)).op).toBe("same");
    expect(await it.refresh()).toBe("changed");
  });

  test("the address that was moved by hand, if the program moves another one", async ({ world }) => {
    const [web, sql] = [await addressed(world, "web", 3), await addressed(world, "sql")];
    const [, first = "", second = ""] = web.addresses;
    const it = new Managed("IpAssignment", world.host, "addresses");
    const declared = (firstId: number, secondId: number) => ({
      region: "us-east",
      assignments: [
        { address: first, computeId: firstId },
        { address: second, computeId: secondId },
      ],
    });
    await it.up(declared(web.id, web.id));
    const moved = { region: "us-east", assignments: [{ address: first, compute_id: sql.id }] };
    await world.api.networkingIps.assign({ body: moved });
    nextCommand(world, it);
    await it.up(declared(web.id, sql.id));
    expect(world.world.addresses.get(first).compute_id).toBe(sql.id);
    expect(world.world.addresses.get(second).compute_id).toBe(sql.id);
    nextCommand(world, it);
    expect((await it.preview(declared(web.id, sql.id))).op).toBe("same");
    expect(await it.refresh()).toBe("changed");
  });

  test("the content of an object whose content type changes, until a refresh has shown it", async ({ world }) => {
    const bucket = { cluster: "us-east-1", label: "assets" };
    await world.api.objectStorageBuckets.create({ body: bucket });
    const it = new Managed("ObjectStorageObject", world.host, "page");
    const page = { cluster: "us-east-1", bucket: "assets", name: "a.txt", content: "first" };
    await it.up(page);
    const other = new Managed("ObjectStorageObject", world.host, "other");
    other.state = it.state;
    await other.up({ ...page, content: "by hand" });
    nextCommand(world, it);
    const changed = { ...page, contentType: "text/html" };
    await expect(it.up(changed)).rejects.toThrow("its content was changed outside the program");
    expect(world.calls()).toEqual([]);
    nextCommand(world, it);
    expect(await it.refresh()).toBe("changed");
    await it.up(changed);
    expect(await it.refresh()).toBe("same");
  });

  test("the comments of a boot config whose interfaces change", async ({ world }) => {
    const it = new Managed("Instance", world.host, "web");
    const open = [{ purpose: "public" as const }];
    const web = {
      ...server,
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

describe("an update of its tags sends nothing else to an instance", () => {
  const declared = {
    ...server,
    config: { comments: "declared" },
    backupsEnabled: true,
    backups: { schedule: { day: "Monday" as const, window: "W2" as const } },
  };
  const changes: [string, (world: Account, path: { computeId: number }) => Promise<unknown>][] = [
    [
      "whose boot config was changed",
      ({ api, world }, { computeId }) =>
        api.instanceConfigs.update({
          path: { computeId, configId: Number(world.instanceConfigs.all()[0]?.id) },
          body: { comments: "by hand" },
        }),
    ],
    [
      "whose boot config was deleted",
      ({ api, world }, { computeId }) =>
        api.instanceConfigs.delete({ path: { computeId, configId: Number(world.instanceConfigs.all()[0]?.id) } }),
    ],
    [
      "whose backups were scheduled at another time",
      ({ api }, path) =>
        api.instances.update({ path, body: { backups: { schedule: { day: "Friday", window: "W4" } } } }),
    ],
  ];

  for (const [what, change] of changes)
    test(what, async ({ world }) => {
      const it = new Managed("Instance", world.host, "web");
      await it.up(declared);
      await change(world, { computeId: Number(it.id) });
      nextCommand(world, it);
      world.emulator.requests.clear();
      await it.up({ ...declared, tags: ["prod"] });
      const sent = world.emulator.requests.list().filter(({ method }) => method !== "GET");
      expect(sent.map(({ operation, body }) => [operation, body])).toEqual([["instances.update", { tags: ["prod"] }]]);
    });
});

test("the outbound rules of a firewall whose inbound rules change stay complete", async ({ world }) => {
  const it = new Managed("Firewall", world.host, "web");
  const rule = (ports: string) => ({
    action: "ACCEPT" as const,
    protocol: "TCP" as const,
    ports,
    addresses: { ipv4: ["192.0.2.0/24"] },
  });
  const rules = (inbound: string) => ({
    inboundPolicy: "DROP" as const,
    outboundPolicy: "DROP" as const,
    inbound: [rule(inbound)],
    outbound: [rule("443")],
  });
  await it.up({ label: "web", rules: rules("80") });
  const path = { firewallId: Number(it.id) };
  const outbound = [
    { ...rule("443"), label: "by-hand", addresses: { ipv4: ["192.0.2.0/24"], ipv6: ["2001:db8::/32"] } },
  ];
  const {
    fingerprint: _,
    version: __,
    ...now
  } = (await world.api.firewalls.viewRules({ path })) as Record<string, unknown>;
  await world.api.firewalls.updateRules({ path, body: { ...now, outbound } as never });
  nextCommand(world, it);
  await it.up({ label: "web", rules: rules("8080") });
  expect(await world.api.firewalls.viewRules({ path })).toMatchObject({ inbound: [{ ports: "8080" }], outbound });
});

test("a pool that was deleted by hand is not created again if another one changes", async ({ world }) => {
  const it = new Managed("LkeCluster", world.host, "k8s");
  const main = { type: "g6-standard-1", count: 1 };
  const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main, more: main } };
  await it.up(k8s);
  const poolId = Number((it.outs.poolIds as Record<string, number>).main);
  await world.api.lkePools.delete({ path: { clusterId: Number(it.id), poolId } });
  world.emulator.settle();
  nextCommand(world, it);
  await it.up({ ...k8s, pools: { main, more: { ...main, count: 2 } } });
  expect(world.calls()).toEqual(["lkePools.update"]);
});

test("the custom ACL of a new bucket is applied by the next update if its request failed", async ({ world }) => {
  const it = new Managed("ObjectStorageBucket", world.host, "assets");
  const bucket = { cluster: "us-east-1", label: "assets", acl: "custom" as const };
  world.emulator.faults.add({ path: "objectStorageBuckets.updateAccess", kind: "status", status: 500, times: 1000 });
  await expect(it.up(bucket)).rejects.toThrow("500");
  world.emulator.faults.clear();
  nextCommand(world, it);
  await it.up(bucket);
  expect(world.calls()).toEqual(["objectStorageBuckets.updateAccess"]);
});

test("a volume is not detached if it cannot be attached with the declared boot config", async ({ world }) => {
  const [one, two] = [await machine(world, "one"), await machine(world, "two")];
  const { id: volumeId } = await world.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const it = new Managed("VolumeAttachment", world.host, "data");
  await it.up({ volumeId, computeId: one });
  const { id: configId } = await world.api.instanceConfigs.create({
    path: { computeId: one },
    body: { label: "other", devices: {} },
  });
  await world.api.volumes.detach({ path: { volumeId } });
  await world.api.volumes.attach({ path: { volumeId }, body: { compute_id: two } });
  nextCommand(world, it);
  await expect(it.up({ volumeId, computeId: one, configId })).rejects.toThrow("404");
  expect(world.world.volumes.get(volumeId)).toMatchObject({ compute_id: two });
});

test("the ACL of an object whose content was changed by hand shows no further difference", async ({ world }) => {
  await world.api.objectStorageBuckets.create({ body: { cluster: "us-east-1", label: "assets" } });
  const [it, other] = ["page", "other"].map((name) => new Managed("ObjectStorageObject", world.host, name));
  const page = { cluster: "us-east-1", bucket: "assets", name: "a.txt", content: "first" };
  await it?.up(page);
  if (other && it) {
    other.state = it.state;
    await other.up({ ...page, content: "by hand" });
  }
  if (it) nextCommand(world, it);
  const changed = { ...page, acl: "public-read" as const };
  await it?.up(changed);
  expect(it?.outs.acl).toBe("public-read");
  expect((await it?.preview(changed))?.op).toBe("same");
});

test("the full name of a record that was renamed by hand is that of its name in the state", async ({ world }) => {
  const body = { domain: "example.org", type: "master" as const, soa_email: "a@example.org" };
  const { id: domainId } = await world.api.domains.create({ body });
  const it = new Managed("DomainRecord", world.host, "www");
  const record = { domainId, type: "A" as const, name: "www", target: "192.0.2.1" };
  await it.up(record);
  const path = { domainId, recordId: numberOf(it) };
  await world.api.domainRecords.update({ path, body: { name: "by-hand" } });
  nextCommand(world, it);
  await it.up({ ...record, ttlSec: 300 });
  expect(it.outs).toMatchObject({ name: "www", fqdn: "www.example.org", ttlSec: 300 });
  expect(world.world.domainRecords.where(({ name }) => name === "by-hand")).toHaveLength(1);
});

test("objects in a container that a preview does not find are not deleted if the container exists", async ({
  world,
}) => {
  const [zone, www] = [new Managed("Domain", world.host, "zone"), new Managed("DomainRecord", world.host, "www")];
  const domain = { domain: "example.org", type: "master" as const, soaEmail: "a@example.org" };
  await zone.up(domain);
  await www.up({ domainId: Number(zone.id), type: "A", name: "www", target: "192.0.2.1" });
  nextCommand(world, zone, www);
  const host = world.reconnect();
  for (const one of [zone, www]) one.reconnect(host);
  world.emulator.faults.add({ path: "domains.*", method: "GET", kind: "status", status: 404, times: 3 });
  const plan = await zone.preview({ ...domain, ttlSec: 300 });
  world.emulator.faults.clear();
  expect(plan).toMatchObject({ op: "replace", deleteBeforeReplace: true });
  // Pulumi deletes the record first, because it is replaced with its domain.
  await expect(www.remove()).rejects.toThrow("was not found when this update was planned, but it exists");
  expect(world.calls()).toEqual([]);
});

test("a boot config that was deleted by hand is created with all that is declared if one part changes", async ({
  world,
}) => {
  const it = new Managed("Instance", world.host, "web");
  const lan = { purpose: "vlan" as const, label: "lan", ipamAddress: "10.0.0.1/24" };
  const web = {
    ...server,
    interfaces: [lan],
  };
  await it.up(web);
  const [disk] = world.world.disks.where((row) => row.compute_id === Number(it.id));
  const devices = { sda: { diskId: Number(disk?.id) } };
  await it.up({ ...web, config: { comments: "first", devices } });
  const path = { computeId: Number(it.id), configId: Number(world.world.instanceConfigs.all()[0]?.id) };
  await world.api.instanceConfigs.delete({ path });
  nextCommand(world, it);
  await it.up({ ...web, config: { comments: "second", devices } });
  expect(world.world.instanceConfigs.all()).toMatchObject([{ comments: "second", interfaces: [{ purpose: "vlan" }] }]);
});

test("what others change while an instance is resized stays: its tags, and a detached volume", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  await it.up({ ...server, tags: ["declared"] });
  const computeId = Number(it.id);
  const [disk] = world.world.disks.where((row) => row.compute_id === computeId);
  const devices = { sda: { diskId: Number(disk?.id) } };
  await it.up({ ...server, tags: ["declared"], config: { comments: "first", devices } });
  const body = { label: "data", region: "us-east", size: 20, compute_id: computeId };
  const { id: volumeId } = await world.api.volumes.create({ body });
  world.emulator.settle();
  nextCommand(world, it);
  world.emulator.faults.add({ kind: "job-stall", path: "instances.resize" });
  const config = { comments: "second", devices };
  const resized = it.up({ ...server, tags: ["declared"], type: "g6-standard-2", config });
  await vi.waitFor(() => expect(world.calls()).toContain("instances.resize"));
  await world.api.instances.update({ path: { computeId }, body: { tags: ["by-hand"] } });
  // The emulator rejects this as a request while the instance is resized.
  const [row] = world.world.instanceConfigs.all();
  expect(row?.devices.sdc.volume_id).toBe(volumeId);
  if (row) world.world.instanceConfigs.patch(row.id, { devices: { ...row.devices, sdc: row.devices.sdh } });
  world.world.volumes.patch(volumeId, { compute_id: null });
  world.emulator.faults.clear();
  await resized;
  expect(world.world.instances.get(computeId)).toMatchObject({ type: "g6-standard-2", tags: ["by-hand"] });
  expect(world.world.instanceConfigs.all()).toMatchObject([{ comments: "second" }]);
  expect(world.world.volumes.get(volumeId)).toMatchObject({ compute_id: null });
});

test("an update that was rejected does not make the next one revert what was changed by hand", async ({ world }) => {
  const it = new Managed("Volume", world.host, "data");
  const inputs = { label: "data", region: "us-east", size: 20, tags: ["declared"] };
  await it.up(inputs);
  await world.api.volumes.create({ body: { label: "taken", region: "us-east", size: 20 } });
  await world.api.volumes.update({ path: { volumeId: Number(it.id) }, body: { tags: ["by-hand"] } });
  nextCommand(world, it);
  await expect(it.up({ ...inputs, label: "taken" })).rejects.toThrow("400");
  nextCommand(world, it);
  await it.up({ ...inputs, label: "free" });
  expect(world.world.volumes.get(Number(it.id))).toMatchObject({ label: "free", tags: ["by-hand"] });
});

test("nor does one whose step stores a value before its request, such as the boot config of a volume", async ({
  world,
}) => {
  const it = new Managed("Volume", world.host, "data");
  const inputs = { label: "data", region: "us-east", size: 20, tags: ["declared"] };
  await it.up(inputs);
  const computeId = await machine(world, "one");
  await world.api.volumes.update({ path: { volumeId: Number(it.id) }, body: { tags: ["by-hand"] } });
  nextCommand(world, it);
  world.emulator.faults.add({ path: "volumes.attach", kind: "status", status: 400 });
  await expect(it.up({ ...inputs, computeId })).rejects.toThrow("400");
  world.emulator.faults.clear();
  expect(it.state?.initErrors).toEqual([]);
  nextCommand(world, it);
  await it.up({ ...inputs, computeId });
  expect(world.world.volumes.get(Number(it.id))).toMatchObject({ compute_id: computeId, tags: ["by-hand"] });
});

test("nor does one to which the service responded only with errors", async ({ world }) => {
  const it = new Managed("Volume", world.host, "data");
  const inputs = { label: "data", region: "us-east", size: 20, tags: ["declared"] };
  await it.up(inputs);
  await world.api.volumes.update({ path: { volumeId: Number(it.id) }, body: { tags: ["by-hand"] } });
  nextCommand(world, it);
  world.emulator.faults.add({ path: "volumes.update", kind: "status", status: 503, times: 100 });
  await expect(it.up({ ...inputs, label: "other" })).rejects.toThrow("503");
  world.emulator.faults.clear();
  nextCommand(world, it);
  await it.up({ ...inputs, label: "other" });
  expect(world.world.volumes.get(Number(it.id))).toMatchObject({ label: "other", tags: ["by-hand"] });
});

test("a program takes a change back that the service has made although it responded with errors", async ({ world }) => {
  const it = new Managed("Volume", world.host, "data");
  const inputs = { label: "data", region: "us-east", size: 20, tags: ["declared"] };
  await it.up(inputs);
  nextCommand(world, it);
  world.emulator.faults.add({ path: "volumes.update", kind: "status", status: 504, times: 100 });
  await expect(it.up({ ...inputs, label: "other" })).rejects.toThrow("504");
  world.emulator.faults.clear();
  const path = { volumeId: Number(it.id) };
  await world.api.volumes.update({ path, body: { label: "other", tags: ["by-hand"] } });
  nextCommand(world, it);
  expect((await it.preview(inputs)).op).toBe("update");
  await it.up(inputs);
  expect(world.world.volumes.get(path.volumeId)).toMatchObject({ label: "data", tags: ["by-hand"] });
  nextCommand(world, it);
  expect((await it.preview(inputs)).op).toBe("same");
});

test("an instance reboots after a change of its boot config whose response was lost before its retry was rejected", async ({
  world,
}) => {
  const it = new Managed("Instance", world.host, "web");
  await it.up({ ...server, config: { comments: "one" } });
  nextCommand(world, it);
  world.emulator.faults.add({ path: "instanceConfigs.update", kind: "cut-after" });
  world.emulator.faults.add({ path: "instanceConfigs.update", kind: "status", status: 403, nth: 2 });
  await it.up({ ...server, config: { comments: "two" } });
  expect(world.calls().at(-1)).toBe("instances.reboot");
});

test("the schedule of backups that were cancelled by hand is changed once", async ({ world }) => {
  const it = new Managed("Instance", world.host, "web");
  const web = (day: "Monday" | "Tuesday") => ({
    label: "web",
    region: "us-east",
    type: "g6-standard-1",
    backupsEnabled: true,
    backups: { schedule: { day, window: "W2" as const } },
  });
  await it.up(web("Monday"));
  await world.api.instanceBackups.cancel({ path: { computeId: Number(it.id) } });
  nextCommand(world, it);
  await it.up(web("Tuesday"));
  nextCommand(world, it);
  expect((await it.preview(web("Tuesday"))).op).toBe("same");
});

test("a pool that is replaced has the declared number of nodes, as the preview shows", async ({ world }) => {
  const it = new Managed("LkeCluster", world.host, "k8s");
  const k8s = (type: string) => ({
    label: "k8s",
    region: "us-east",
    k8sVersion: "1.21",
    pools: { main: { type, count: 1 } },
  });
  await it.up(k8s("g6-standard-1"));
  const path = { clusterId: Number(it.id), poolId: Number((it.outs.poolIds as Record<string, number>).main) };
  await world.api.lkePools.update({ path, body: { count: 3 } });
  world.emulator.settle();
  nextCommand(world, it);
  await it.up(k8s("g6-standard-2"));
  const { data } = await world.api.lkePools.list({ path });
  expect(data.map(({ type, count }) => [type, count])).toEqual([["g6-standard-2", 1]]);
});

test("a firewall with empty devices shows no difference, and keeps its devices", async ({ world }) => {
  const firewall = new Managed("Firewall", world.host, "web");
  const inputs = {
    label: "web",
    rules: { inboundPolicy: "DROP" as const, outboundPolicy: "DROP" as const },
    devices: {},
  };
  await firewall.up(inputs);
  const computeId = await machine(world, "one");
  const device = new Managed("FirewallDevice", world.host, "one");
  await device.up({ firewallId: Number(firewall.id), entityId: computeId });
  nextCommand(world, firewall);
  expect((await firewall.preview(inputs)).op).toBe("same");
  await firewall.up({ ...inputs, label: "renamed" });
  expect(world.world.firewallDevices.all()).toHaveLength(1);
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
