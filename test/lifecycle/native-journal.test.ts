import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { describe, expect } from "vitest";
import { Journal } from "../../provider/plugin/journal";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { accountText } from "../../provider/pulumi/account";
import { ACCOUNT } from "../../provider/pulumi/own-properties";
import { pluginFor, responseTo } from "../../testing/native-plugin";
import { create, diff, read, type stage, test, urnOf, volume } from "./native-calls";

const web = {
  label: "web",
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass: "Correct-Horse-42",
};

/** Fails a test whose journal cannot be written. */
const unexpected = (warning: string): never => {
  throw new Error(warning);
};

test("the next plugin continues with an object that is missing from state, without a duplicate", async ({ it }) => {
  const first = await create(await it.start(), "Volume", volume);
  expect(await it.entries()).toHaveLength(1);
  const again = await create(await it.start(), "Volume", { ...volume, size: 30 });
  expect(again.getId()).toBe(first.getId());
  expect(it.world.volumes.all()).toMatchObject([{ label: "data", size: 30 }]);
});

test("the next plugin continues with an object if the account cannot be read when the plugin is configured", async ({
  it,
}) => {
  const first = await create(await it.start(), "Volume", volume);
  it.emulator.faults.add({ path: "account.view", kind: "status", status: 503, times: 100 });
  const client = await it.start({ [ACCOUNT]: accountText({ id: it.accountId, address: it.host.address }) });
  it.emulator.faults.clear();
  const again = await create(client, "Volume", volume);
  expect(again.getId()).toBe(first.getId());
});

test("an instance that was created with booted: false stays off if the next program omits it, and is complete", async ({
  it,
}) => {
  const first = await create(await it.start(), "Instance", { ...web, booted: false });
  const again = await create(await it.start(), "Instance", web);
  expect(again.getId()).toBe(first.getId());
  expect(it.world.instances.all()).toMatchObject([{ label: "web", status: "offline" }]);
});

describe("a disabled firewall whose create was interrupted", () => {
  const rules = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };
  const cases = [
    { what: "before it was disabled", path: "firewalls.update", status: "disabled", calls: ["firewalls.update"] },
    { what: "before its device was assigned", path: "firewallDevices.create", status: "disabled", calls: [] },
    {
      what: "before it was disabled, and is to be enabled now",
      path: "firewalls.update",
      status: "enabled",
      calls: [],
    },
    {
      what: "before its device was assigned, and is to be enabled now",
      path: "firewallDevices.create",
      status: "enabled",
      calls: [],
      last: ["firewalls.update"],
    },
  ];

  test.for(cases)("is continued: $what", async ({ path, status, calls, last = [] }, { it }) => {
    const place = { region: "us-east", type: "g6-nanode-1" };
    const { id: computeId } = await it.api.instances.create({ body: { ...place, label: "web" } });
    const firewall = { label: "off-fw", status: "disabled", rules, devices: { computes: [computeId] } };
    it.emulator.faults.add({ path, kind: "status", status: 403 });
    await expect(create(await it.start(), "Firewall", firewall)).rejects.toThrow(`${path}: 403`);
    const [interrupted] = it.world.firewalls.all();
    it.emulator.requests.clear();
    const again = await create(await it.start(), "Firewall", { ...firewall, status });
    expect(again.getId()).toBe(String(interrupted?.id));
    const changes = it.emulator.requests.list().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operation }) => operation)).toEqual([...calls, "firewallDevices.create", ...last]);
    expect(it.world.firewalls.all()).toMatchObject([{ status }]);
    expect(it.world.firewallDevices.all()).toMatchObject([{ compute_id: computeId }]);
  });
});

describe("inputs that the API does not return, in the create of an interrupted run", () => {
  const bucket = { cluster: "us-east-1", label: "assets", acl: "private", corsEnabled: false };
  const cases = [
    { what: "an unchanged ACL is not applied again", changed: bucket, expected: [] },
    {
      what: "an ACL that the program has changed since is applied",
      changed: { ...bucket, acl: "public-read" },
      expected: ["objectStorageBuckets.updateAccess"],
    },
  ];

  test("an ACL that the create request does not accept is applied if the run was interrupted before", async ({
    it,
  }) => {
    const custom = { ...bucket, acl: "custom" };
    it.emulator.faults.add({ path: "objectStorageBuckets.updateAccess", kind: "status", status: 403 });
    await expect(create(await it.start(), "ObjectStorageBucket", custom)).rejects.toThrow("403");
    await create(await it.start(), "ObjectStorageBucket", custom);
    const changes = it.emulator.requests
      .list()
      .filter(({ operation }) => operation === "objectStorageBuckets.updateAccess");
    expect(changes.map(({ status }) => status)).toEqual([403, 200]);
  });

  test("an object whose program has changed an input of the create request since is not managed", async ({ it }) => {
    const keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl a@example.org"];
    const first = await create(await it.start(), "Instance", web);
    const again = create(await it.start(), "Instance", { ...web, authorizedKeys: keys });
    await expect(again).rejects.toThrow(`Instance ${first.getId()} already has this label`);
    expect(it.warnings).toEqual([
      `Instance "web" (${first.getId()}) was created by an interrupted run, with a different authorizedKeys. ` +
        "It is not managed: delete it unless you need it",
    ]);
  });

  test("an ACL that an interrupted run has changed is applied if the next program declares the first one", async ({
    it,
  }) => {
    const access = { cluster: "us-east-1", label: "assets" };
    await create(await it.start(), "ObjectStorageBucket", { ...access, acl: "private" });
    await create(await it.start(), "ObjectStorageBucket", { ...access, acl: "public-read" });
    expect(it.world.objectStorageBuckets.all()).toMatchObject([{ acl: "public-read" }]);
    await create(await it.start(), "ObjectStorageBucket", { ...access, acl: "private" });
    expect(it.world.objectStorageBuckets.all()).toMatchObject([{ acl: "private" }]);
  });

  test("a clone whose copy the service failed to make gets its disks if the run was interrupted", async ({ it }) => {
    const place = { region: "us-east", type: "g6-standard-1" };
    const image = { image: "compute/debian11", root_pass: "Correct-Horse-42" };
    const { id: cloneFrom } = await it.api.instances.create({ body: { ...place, ...image, label: "source" } });
    it.emulator.settle();
    it.emulator.faults.add({ path: "instances.clone", kind: "job-fail", times: 2 });
    const copy = { ...place, label: "copy", cloneFrom };
    await expect(create(await it.start(), "Instance", copy)).rejects.toThrow("twice");
    const { id } = it.world.instances.all().find(({ label }) => label === "copy") ?? {};
    expect(it.world.disks.by("compute_id", Number(id))).toEqual([]);
    expect((await create(await it.start(), "Instance", copy)).getId()).toBe(String(id));
    expect(it.world.disks.by("compute_id", Number(id))).toHaveLength(2);
  });

  for (const { what, changed, expected } of cases)
    test(what, async ({ it }) => {
      const first = await create(await it.start(), "ObjectStorageBucket", bucket);
      const again = await create(await it.start(), "ObjectStorageBucket", changed);
      expect(again.getId()).toBe(first.getId());
      const changes = it.emulator.requests.list().filter(({ method }) => method !== "GET");
      expect(changes.map(({ operation }) => operation)).toEqual(["objectStorageBuckets.create", ...expected]);
      expect(it.world.objectStorageBuckets.all()).toMatchObject([{ acl: changed.acl }]);
    });
});

test("the password of an instance is not set again if it has not changed", async ({ it }) => {
  const rootPass = "Correct-Horse-42";
  const web = {
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    rootPass,
    allowReboot: true,
  };
  await create(await it.start(), "Instance", web);
  expect(JSON.stringify(await it.entries())).not.toContain(rootPass);
  await create(await it.start(), "Instance", web);
  await create(await it.start(), "Instance", { ...web, rootPass: "Correct-Horse-43" });
  const changes = it.emulator.requests.list().filter(({ method, status }) => method !== "GET" && status === 200);
  expect(changes.map(({ operation }) => operation)).toEqual([
    "instances.create",
    "instances.shutdown",
    "instances.resetPassword",
    "instances.boot",
  ]);
});

test("the next plugin finds the object whose create response was lost with the last plugin", async ({ it }) => {
  const since = it.host.now();
  it.journal()
    .attempts(it.accountId, urnOf("Volume", "data"), unexpected)
    .begin({ since, match: { label: "data-1a2b3c4" } });
  const { id } = await it.api.volumes.create({ body: { ...volume, label: "data-1a2b3c4" } });
  // Each run generates another label. The plugin still finds the object, because it has recorded the label of the
  // interrupted create.
  for (const label of ["data-9f8e7d6", "data-5c4b3a2"]) {
    const again = await create(await it.start(), "Volume", { ...volume, label });
    expect(again.getId()).toBe(String(id));
    expect(it.world.volumes.all()).toMatchObject([{ id, label }]);
  }
});

describe("finds the object of a lost response also if the program has declared another of its inputs since", () => {
  test("the group of a contact", async ({ it }) => {
    const before = { name: "On call", email: "oncall@example.org" };
    interrupt(it, "ManagedContact", before);
    const { id } = await it.api.managedContacts.create({ body: before });
    const again = await create(await it.start(), "ManagedContact", { ...before, group: "on-call" });
    expect(again.getId()).toBe(String(id));
    expect(it.world.managedContacts.all()).toMatchObject([{ id, group: "on-call" }]);
  });

  test("the name of a record", async ({ it }) => {
    const { id: domainId } = await it.api.domains.create({
      body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
    });
    const before = { type: "A" as const, target: "192.0.2.1" };
    interrupt(it, "DomainRecord", { domain_id: domainId, ...before });
    const { id } = await it.api.domainRecords.create({ path: { domainId }, body: before });
    const again = await create(await it.start(), "DomainRecord", { domainId, ...before, name: "www" });
    expect(again.getId()).toBe(`${domainId}/${id}`);
    expect(it.world.domainRecords.all()).toMatchObject([{ id, name: "www" }]);
  });

  test("the tags of a pool, which cannot be changed, so a warning names the object", async ({ it }) => {
    const pool = { type: "g6-standard-1" as const, count: 1 };
    const { clusterId, before } = await newCluster(it);
    interrupt(it, "LkeNodePool", { cluster_id: clusterId, ...pool }, before);
    const { id } = await it.api.lkePools.create({ path: { clusterId }, body: pool });
    const again = await create(await it.start(), "LkeNodePool", { clusterId, ...pool, tags: ["web"] });
    expect(again.getId()).not.toBe(`${clusterId}/${id}`);
    expect(it.warnings).toEqual([
      `pool of 1 g6-standard-1 nodes (${clusterId}/${id}) was created by an interrupted run, with a different tags. ` +
        "It is not managed: delete it unless you need it",
    ]);
  });
});

/** Writes the journal of a create request with these inputs that was interrupted before its response. */
const interrupt = (
  it: Awaited<ReturnType<typeof stage>>,
  kind: string,
  match: Record<string, unknown>,
  before: string[] = [],
): void =>
  it.journal().attempts(it.accountId, urnOf(kind, "data"), unexpected).begin({ since: it.host.now(), before, match });

/** A cluster with one pool, the id of that pool, and a function that returns the ids of all its pools. */
async function newCluster(it: Awaited<ReturnType<typeof stage>>) {
  const { id: clusterId } = await it.api.lkeClusters.create({
    body: { label: "shop", region: "us-east", k8s_version: "1.22", node_pools: [{ type: "g6-standard-1", count: 2 }] },
  });
  const poolIds = async () =>
    (await it.api.lkePools.list({ path: { clusterId } })).data.map(({ id }) => `${clusterId}/${id}`);
  return { clusterId, before: await poolIds(), poolIds };
}

/** A cluster with `pools` equal pools, and a journal with the interrupted create requests of two such pools. */
async function lostPools(it: Awaited<ReturnType<typeof stage>>, pools: number) {
  const pool = { type: "g6-standard-1" as const, count: 1, tags: [] };
  const { clusterId } = await newCluster(it);
  const request = { since: it.host.now(), match: { cluster_id: clusterId, ...pool } };
  const interrupted = [
    [it.accountId, urnOf("LkeNodePool", "data")],
    [it.accountId, urnOf("LkeNodePool", "more")],
    // Requests with the same inputs to another account, or for another resource class, do not create pools here.
    ["another account", urnOf("LkeNodePool", "data")],
    [it.accountId, urnOf("Volume", "data")],
  ] as const;
  for (const [account, urn] of interrupted) it.journal().attempts(account, urn, unexpected).begin(request);
  const ids: string[] = [];
  while (ids.length < pools)
    ids.push(`${clusterId}/${(await it.api.lkePools.create({ path: { clusterId }, body: pool })).id}`);
  return { inputs: { clusterId, ...pool }, ids };
}

test("finds an object whose time of creation is a second before the last response, as another clock may show it", async ({
  it,
}) => {
  const since = it.host.now() + 1000;
  const { id } = await it.api.volumes.create({ body: volume });
  const match = { label: volume.label };
  it.journal().attempts(it.accountId, urnOf("Volume", "data"), unexpected).begin({ since, lastSeen: since, match });
  expect((await create(await it.start(), "Volume", volume)).getId()).toBe(String(id));
});

test("two equal pools of interrupted creates belong to the two resources that created them", async ({ it }) => {
  const { inputs, ids } = await lostPools(it, 2);
  const client = await it.start();
  const created = await Promise.all(["data", "more"].map((name) => create(client, "LkeNodePool", inputs, { name })));
  expect(created.map((one) => one.getId()).sort()).toEqual(ids);
});

const pool = { type: "g6-standard-1" as const, count: 2 };

type Pool = {
  type: string;
  count: number;
  tags?: string[];
  autoscaler?: { enabled: boolean; min: number; max: number };
};

const pairs: { what: string; data: Pool; more: Pool }[] = [
  { what: "with and without tags", data: pool, more: { ...pool, tags: ["batch"] } },
  {
    what: "with and without an autoscaler",
    data: pool,
    more: { ...pool, autoscaler: { enabled: true, min: 1, max: 3 } },
  },
  {
    what: "with an autoscaler, and of one node",
    data: { ...pool, count: 1 },
    more: { ...pool, autoscaler: { enabled: true, min: 1, max: 3 } },
  },
];

describe.for(pairs)("of two pools $what, whose creates were interrupted,", ({ data, more }) => {
  test.for([
    { which: "both exist", carriedOut: ["data", "more"] },
    { which: "both exist, in the other order", carriedOut: ["more", "data"] },
    { which: "only the first exists", carriedOut: ["data"] },
    { which: "only the second exists", carriedOut: ["more"] },
  ] as const)("$which, and each resource gets its own", async ({ carriedOut }, { it }) => {
    const { clusterId, before, poolIds } = await newCluster(it);
    const inputs = { data, more };
    const since = it.host.now();
    for (const name of ["data", "more"] as const)
      it.journal()
        .attempts(it.accountId, urnOf("LkeNodePool", name), unexpected)
        .begin({ since, before, match: { cluster_id: clusterId, ...inputs[name] } });
    const lost: Record<string, string> = {};
    for (const name of carriedOut)
      lost[name] = `${clusterId}/${(await it.api.lkePools.create({ path: { clusterId }, body: inputs[name] })).id}`;
    for (const order of [["data", "more"] as const, ["more", "data"] as const]) {
      const client = await it.start();
      const found: Record<string, string> = {};
      for (const name of order)
        found[name] = (await create(client, "LkeNodePool", { clusterId, ...inputs[name] }, { name })).getId();
      expect(found).toMatchObject(lost);
      expect(await poolIds()).toEqual([...before, found.data, found.more].sort());
    }
    expect(it.warnings).toEqual([]);
  });
});

test("two pools, one of which declares what the other gets by default, get an object each", async ({ it }) => {
  const { clusterId, before } = await newCluster(it);
  const inputs = { data: pool, more: { ...pool, autoscaler: { enabled: false } } };
  const since = it.host.now();
  for (const [name, own] of Object.entries(inputs))
    it.journal()
      .attempts(it.accountId, urnOf("LkeNodePool", name), unexpected)
      .begin({ since, before, match: { cluster_id: clusterId, ...own } });
  const ids: string[] = [];
  for (const body of Object.values(inputs))
    ids.push(`${clusterId}/${(await it.api.lkePools.create({ path: { clusterId }, body })).id}`);
  const client = await it.start();
  const created: string[] = [];
  for (const [name, own] of Object.entries(inputs))
    created.push((await create(client, "LkeNodePool", { clusterId, ...own }, { name })).getId());
  expect(created.sort()).toEqual(ids);
});

test("an interrupted key for all buckets is not taken for one without buckets", async ({ it }) => {
  const since = it.host.now();
  const requests = { data: { label: "data" }, more: { label: "data", bucket_access: [] } };
  for (const [name, match] of Object.entries(requests))
    it.journal().attempts(it.accountId, urnOf("ObjectStorageKey", name), unexpected).begin({ since, match });
  // The key without buckets is the first one in the list.
  const none = await it.api.objectStorageKeys.create({ body: requests.more });
  const all = await it.api.objectStorageKeys.create({ body: requests.data });
  const client = await it.start();
  await create(client, "ObjectStorageKey", { label: "data" });
  expect(it.warnings).toEqual([
    expect.stringContaining(`ObjectStorageKey ${all.id} may be that of an interrupted run`),
  ]);
  expect(it.warnings.join()).not.toContain(String(none.id));
});

test("the preview of an import leaves the object of an interrupted create to the next create", async ({ it }) => {
  const first = await create(await it.start(), "Volume", volume);
  const { id } = await it.api.volumes.create({ body: { ...volume, label: "other" } });
  expect((await read(await it.start(), "Volume", String(id))).getId()).toBe(String(id));
  expect((await create(await it.start(), "Volume", volume)).getId()).toBe(first.getId());
});

test("a create that is repeated in the same process finds the object again if reading it failed", async ({ it }) => {
  const first = await create(await it.start(), "Volume", volume);
  const client = await it.start();
  it.emulator.faults.add({ path: "volumes.view", kind: "status", status: 401 });
  it.emulator.faults.add({ path: "volumes.list", kind: "status", status: 401 });
  await expect(create(client, "Volume", volume)).rejects.toThrow("401");
  it.emulator.faults.clear();
  expect((await create(client, "Volume", volume)).getId()).toBe(first.getId());
});

test.for([
  { what: "one of which has a null", data: {}, more: { secondary: null } },
  { what: "one of which has another number too", data: {}, more: { secondary: "+441234567890" } },
])("two contacts $what, whose creates were interrupted, get an object each", async ({ data, more }, { it }) => {
  const contact = { name: "Ada", email: "ada@example.org" };
  const inputs = (own: object) => ({ ...contact, phone: { primary: "+441234567891", ...own } });
  const all = { data: inputs(data), more: inputs(more) };
  const since = it.host.now();
  for (const [name, match] of Object.entries(all))
    it.journal().attempts(it.accountId, urnOf("ManagedContact", name), unexpected).begin({ since, before: [], match });
  for (const body of Object.values(all)) await it.api.managedContacts.create({ body });
  const client = await it.start();
  for (const [name, one] of Object.entries(all)) await create(client, "ManagedContact", one, { name });
  const phones = it.world.managedContacts.all().map(({ phone }) => phone?.secondary ?? null);
  expect(phones).toEqual([null, (more as { secondary?: string | null }).secondary ?? null]);
});

test("a third equal pool, which no interrupted create explains, is an error with the ids of all", async ({ it }) => {
  const { inputs, ids } = await lostPools(it, 3);
  await expect(create(await it.start(), "LkeNodePool", inputs)).rejects.toThrow(
    `it created one of the objects ${ids.join(", ")}. Adopt or import the one that belongs to this stack before the next update; another client may have created the others`,
  );
});

test("pools of interrupted creates keep their resources if the program enables an autoscaler", async ({ it }) => {
  const { inputs, ids } = await lostPools(it, 1);
  const other = { type: "g6-standard-1" as const, count: 3, tags: [] };
  await it.api.lkePools.create({ path: { clusterId: inputs.clusterId }, body: other });
  // With an autoscaler, the number of nodes is not compared, but here the interrupted request had none.
  const autoscaler = { enabled: true, min: 1, max: 3 };
  const created = await create(await it.start(), "LkeNodePool", { ...inputs, autoscaler });
  expect(ids).not.toContain(created.getId());
  expect(it.warnings).toEqual([
    `pool of 1 g6-standard-1 nodes (${ids}) was created by an interrupted run, with a different autoscaler. ` +
      "It is not managed: delete it unless you need it",
  ]);
});

test("a pool that its cluster manages does not belong to the interrupted create of another pool", async ({ it }) => {
  const cluster = { label: "shop", region: "us-east", k8sVersion: "1.22" };
  const declared = { ...cluster, pools: { main: { type: "g6-standard-2", count: 1 } } };
  const first = await create(await it.start(), "LkeCluster", declared, { name: "shop" });
  const clusterId = Number(first.getId());
  const before = (await it.api.lkePools.list({ path: { clusterId } })).data.map(({ id }) => `${clusterId}/${id}`);
  interrupt(it, "LkeNodePool", { cluster_id: clusterId, ...pool }, before);
  const client = await it.start();
  const changed = { ...cluster, pools: { main: pool } };
  const state = { ...declared, ...fromStruct(first.getProperties()).bag };
  const request = new pb.UpdateRequest().setUrn(urnOf("LkeCluster", "shop")).setId(first.getId());
  request.setOlds(toStruct(state)).setNews(toStruct(changed)).setOldInputs(toStruct(declared));
  const updated = await responseTo<pb.UpdateResponse>((response) => client.update(request, response));
  const { poolIds } = fromStruct(updated.getProperties()).bag as { poolIds: { main: string | number } };
  const created = await create(client, "LkeNodePool", { clusterId, ...pool });
  expect(created.getId()).not.toBe(`${clusterId}/${poolIds.main}`);
});

test.for([
  { what: "the same image", image: "compute/debian11", isSame: true },
  { what: "another image", image: "compute/ubuntu22.04", isSame: false },
])(
  "a disk whose create was interrupted belongs to a program with $what: $isSame",
  async ({ image, isSame }, { it }) => {
    const { id: computeId } = await it.api.instances.create({
      body: { label: "web", region: "us-east", type: "g6-standard-1", booted: false },
    });
    const disk = { computeId, label: "data", size: 5120, image: "compute/debian11", rootPass: "Correct-Horse-42" };
    const first = await create(await it.start(), "InstanceDisk", disk);
    const again = await create(await it.start(), "InstanceDisk", { ...disk, image });
    expect(again.getId() === first.getId()).toBe(isSame);
    expect(it.warnings).toEqual(
      isSame
        ? []
        : [
            `InstanceDisk "data" (${first.getId()}) was created by an interrupted run, with a different image. ` +
              "It is not managed: delete it unless you need it",
          ],
    );
  },
);

test.for([
  { what: "the same triggers, with their keys in another order", trigger: { os: "debian", release: 1 }, isSame: true },
  { what: "other triggers", trigger: { release: 2, os: "debian" }, isSame: false },
])(
  "a snapshot whose create was interrupted belongs to a program with $what: $isSame",
  async ({ trigger, isSame }, { it }) => {
    const { id: computeId } = await it.api.instances.create({
      body: {
        label: "web",
        region: "us-east",
        type: "g6-standard-1",
        image: "compute/debian11",
        root_pass: "Correct-Horse-42",
        backups_enabled: true,
      },
    });
    it.emulator.advance(300_000);
    const snapshot = { computeId, label: "before" };
    const first = await create(await it.start(), "InstanceSnapshot", {
      ...snapshot,
      triggers: [{ release: 1, os: "debian" }],
    });
    const again = await create(await it.start(), "InstanceSnapshot", { ...snapshot, triggers: [trigger] });
    expect(again.getId() === first.getId()).toBe(isSame);
  },
);

test("disks with the same label in two instances belong to the resources that created them", async ({ it }) => {
  const make = (label: string) =>
    it.api.instances.create({ body: { label, region: "us-east", type: "g6-standard-1", booted: false } });
  const [first, second] = [await make("first"), await make("second")];
  const disk = { label: "data", size: 1024 };
  const since = it.host.now();
  const requests = {
    data: { compute_id: first.id, ...disk },
    more: { compute_id: second.id, ...disk, filesystem: "ext4" },
  };
  for (const [name, match] of Object.entries(requests))
    it.journal().attempts(it.accountId, urnOf("InstanceDisk", name), unexpected).begin({ since, before: [], match });
  const { id } = await it.api.instanceDisks.create({ path: { computeId: first.id }, body: disk });
  const created = await create(await it.start(), "InstanceDisk", { computeId: first.id, ...disk });
  expect(created.getId()).toBe(`${first.id}/${id}`);
});

test("an object that another program has created two days after a killed create is not adopted", async ({ it }) => {
  const { id } = (await create(await it.start(), "Volume", volume)).toObject();
  await it.api.volumes.delete({ path: { volumeId: Number(id) } });
  // Without the id, the record is that of a request that was never carried out.
  const [entry = ""] = await it.entries();
  const { id: _, ...record } = JSON.parse(await readFile(join(it.folder, entry), "utf8"));
  await writeFile(join(it.folder, entry), JSON.stringify(record));
  it.emulator.advance(48 * 3_600_000);
  await it.api.volumes.create({ body: volume });
  await expect(create(await it.start(), "Volume", volume)).rejects.toThrow("volumes.create: 400 label");
});

test("a resource that was renamed after an interruption keeps its object, and a new one of the old name gets another", async ({
  it,
}) => {
  const key = { label: "data", bucketAccess: [] };
  const first = await create(await it.start(), "ObjectStorageKey", key);
  const next = await it.start();
  await diff(next, first.getId(), { kind: "ObjectStorageKey", name: "old", inputs: key });
  expect(await it.entries()).toEqual([]);
  const second = await create(next, "ObjectStorageKey", key);
  expect(it.world.objectStorageKeys.all().map(({ id }) => String(id))).toEqual([first.getId(), second.getId()]);
});

test("a create that Pulumi repeats in the same process continues with the object of the first", async ({ it }) => {
  it.emulator.faults.add({ path: "volumes.create", kind: "cut-after" });
  it.emulator.faults.add({ path: "volumes.list", kind: "status", status: 401 });
  const client = await it.start();
  await expect(create(client, "Volume", volume)).rejects.toThrow("may have been carried out");
  it.emulator.faults.clear();
  const again = await create(client, "Volume", volume);
  expect(it.world.volumes.all().map(({ id }) => String(id))).toEqual([again.getId()]);
});

test("a key that a killed create may have created is not deleted, because its id is not known", async ({ it }) => {
  const since = it.host.now();
  const match = { label: "data-1a2b3c4", bucket_access: [] };
  it.journal().attempts(it.accountId, urnOf("ObjectStorageKey", "data"), unexpected).begin({ since, match });
  for (const label of ["data-1a2b3c4", "more-5c4b3a2"])
    await it.api.objectStorageKeys.create({ body: { label, bucket_access: [] } });
  const inputs = { label: "data-9f8e7d6", bucketAccess: [], __autonamed: true };
  await create(await it.start(), "ObjectStorageKey", inputs);
  const [earlier, other, key] = it.world.objectStorageKeys.all();
  expect([earlier, other, key].map((one) => one?.label)).toEqual(["data-1a2b3c4", "more-5c4b3a2", "data-9f8e7d6"]);
  expect(it.warnings).toEqual([
    `ObjectStorageKey ${earlier?.id} may be that of an interrupted run, whose secret is lost. It is not managed: delete it unless you need it`,
  ]);
});

test("warns about an object that cannot get the declared inputs, and creates another one", async ({ it }) => {
  const first = await create(await it.start(), "Volume", volume);
  const again = await create(await it.start(), "Volume", { ...volume, label: "other", region: "eu-west" });
  expect(again.getId()).not.toBe(first.getId());
  expect(it.warnings).toEqual([
    `Volume "other" (${first.getId()}) was created by an interrupted run, with a different region. ` +
      "It is not managed: delete it unless you need it",
  ]);
});

test("an object whose generated name cannot be changed is found again under that name", async ({ it }) => {
  const inputs = { cluster: "us-east-1", forceDestroy: false, __autonamed: true };
  const first = await create(await it.start(), "ObjectStorageBucket", { ...inputs, label: "data-1a2b3c4" });
  const again = await create(await it.start(), "ObjectStorageBucket", { ...inputs, label: "data-9f8e7d6" });
  expect(again.getId()).toBe(first.getId());
  expect(it.world.objectStorageBuckets.all()).toMatchObject([{ label: "data-1a2b3c4" }]);
});

test("an object in state is not mistaken for a new one", async ({ it }) => {
  const first = await create(await it.start(), "Volume", volume);
  const client = await it.start();
  await diff(client, first.getId());
  const replacement = await create(client, "Volume", { ...volume, label: "next" });
  expect(replacement.getId()).not.toBe(first.getId());
});

test("if tokens may not read their account, a create is continued only with the token of the interrupted one", async ({
  it,
}) => {
  it.emulator.faults.add({ path: "account.view", kind: "status", status: 403, times: 100 });
  const contact = { name: "On call", email: "oncall@example.org" };
  const start = async (token: string) => (await create(await it.start({ token }), "ManagedContact", contact)).getId();
  const first = await start("token-one");
  expect(await start("token-one")).toBe(first);
  // The token can be that of another account at the same address.
  expect(await start("token-two")).not.toBe(first);
});

describe("after a create that failed because of errors of the service", () => {
  const failed = async (it: Awaited<ReturnType<typeof stage>>): Promise<void> => {
    it.emulator.faults.add({ path: "volumes.create", kind: "status", status: 503, times: 100 });
    await expect(create(await it.start(), "Volume", volume)).rejects.toThrow("503");
    it.emulator.faults.clear();
    expect(await it.entries()).toHaveLength(1);
  };

  test("an object that its request has created late belongs to the resource", async ({ it }) => {
    await failed(it);
    it.emulator.advance(120_000);
    const { id } = await it.api.volumes.create({ body: volume });
    expect((await create(await it.start(), "Volume", volume)).getId()).toBe(String(id));
  });

  test("an object that another program has created on the next day does not", async ({ it }) => {
    await failed(it);
    it.emulator.advance(86_400_000);
    await it.api.volumes.create({ body: volume });
    await expect(create(await it.start(), "Volume", volume)).rejects.toThrow("volumes.create: 400 label");
    expect(await it.entries()).toEqual([]);
  });
});

test("a rejected create leaves no entry in the journal", async ({ it }) => {
  await it.api.volumes.create({ body: volume });
  await expect(create(await it.start(), "Volume", volume)).rejects.toThrow("volumes.create");
  expect(await it.entries()).toEqual([]);
});

test("only the user can read the journal, which contains no input that the program marks as secret", async ({ it }) => {
  const secrets = { label: true, address: true } as const;
  const service = {
    label: "planted-label",
    serviceType: "url",
    address: "https://planted.example",
    timeout: 30,
  } as const;
  await create(await it.start(), "ManagedService", service, { secrets });
  const entries = await it.entries();
  expect(entries).toHaveLength(1);
  for (const entry of entries) {
    expect((await stat(join(it.folder, entry))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(it.folder, entry), "utf8");
    expect(JSON.parse(text).match).toEqual({ service_type: "url" });
    expect(text).not.toContain("planted");
  }
  const again = await create(await it.start(), "ManagedService", service, { secrets });
  expect(it.world.managedServices.all().map(({ id }) => String(id))).toEqual([again.getId()]);
});

test("a lost response leaves no entry in the journal once the state has the object that was found", async ({ it }) => {
  it.emulator.faults.add({ path: "volumes.create", kind: "cut-after" });
  const created = await create(await it.start(), "Volume", volume);
  expect(await it.entries()).toHaveLength(1);
  await diff(await it.start(), created.getId());
  expect(await it.entries()).toEqual([]);
});

test("an entry of the journal is replaced as a whole, so a kill cannot leave half of one", async ({ it }) => {
  const attempts = it.journal().attempts(it.accountId, urnOf("Volume", "data"), unexpected);
  attempts.begin({ since: 0, match: { label: "data" } });
  const [entry = ""] = await it.entries();
  await using before = await open(join(it.folder, entry));
  attempts.created("1");
  expect(JSON.parse(await before.readFile("utf8"))).toEqual({
    since: 0,
    match: { label: "data" },
    group: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await it.entries()).toEqual([entry]);
});

test("only the user can read the journal's folder", async ({ it }) => {
  const folder = join(it.folder, "cache", "journal");
  new Journal(folder)
    .attempts(it.accountId, urnOf("Volume", "data"), unexpected)
    .begin({ since: 0, match: { label: "data" } });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("an entry that cannot be removed does not fail the operation", async ({ it }) => {
  const attempts = it.journal().attempts("", urnOf("Volume", "data"), unexpected);
  attempts.begin({ since: 0, match: { label: "data" } });
  const [entry = ""] = await it.entries();
  // A folder of that name cannot be removed as a file, like a file on a read-only file system.
  await rm(join(it.folder, entry));
  await mkdir(join(it.folder, entry));
  attempts.rejected();
  expect(await it.entries()).toEqual([entry]);
});

test("a create goes on without a journal, with one warning per process", async ({ it }) => {
  const taken = join(it.folder, "cache");
  await writeFile(taken, "a file in place of the folder");
  const host = it.reconnect();
  const plugin = await pluginFor(() => host, new Journal(join(taken, "journal")));
  await create(plugin, "Volume", volume);
  await create(plugin, "Volume", { ...volume, label: "more" });
  expect(it.world.volumes.all().map(({ label }) => label)).toEqual(["data", "more"]);
  expect(it.warnings).toEqual([
    expect.stringMatching(
      /^the journal in \S+cache\/journal cannot be written \(ENOTDIR: .+\)\. If this update is interrupted, a new object may be missing in the state, or an instance may stay off\. Set XDG_CACHE_HOME to a folder that can be written$/,
    ),
  ]);
});

test("the next plugin knows which instances of its account the last one has left offline", async ({ it }) => {
  it.journal().pendingBoots("mine", unexpected).add(7);
  const pending = it.journal().pendingBoots("mine", unexpected);
  expect([pending.has(7), pending.has(8), it.journal().pendingBoots("other", unexpected).has(7)]).toEqual([
    true,
    false,
    false,
  ]);
  pending.delete(7);
  expect(it.journal().pendingBoots("mine", unexpected).has(7)).toBe(false);
  expect(await it.entries()).toEqual([]);
});
