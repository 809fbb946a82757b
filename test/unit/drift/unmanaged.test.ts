import { afterAll, beforeAll, expect, test } from "vitest";
import { detectDrift, exitCodeOf } from "../../../drift";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { exported } from "../../lifecycle/exported";
import { listening } from "../../listening";
import { stateOfAll } from "./large-state";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant", account: "small" });
});

afterAll(() => emulator.close());

const empty = { name: "empty.json", state: { version: 3, deployment: {} } };

const check = (states = [empty]) => detectDrift({ states, url: emulator.url, token: emulator.token, unmanaged: true });

test("lists no instances and no parts of them if node pools cannot be read, because some may be nodes of clusters", async () => {
  emulator.faults.add({ path: "lkePools.list", kind: "status", status: 403, times: 1000 });
  const report = await check();
  emulator.faults.clear();
  const kinds = new Set(report.unmanaged?.objects.map(({ kind }) => kind));
  expect([...kinds].filter((kind) => kind.startsWith("Instance"))).toEqual([]);
  expect(kinds).toContain("Volume");
  expect(report.unread).toContainEqual({
    kind: "Instance",
    reason: expect.stringMatching(/^not listed as unmanaged, because LkeNodePool could not be read/),
    resources: [],
  });
  expect(exitCodeOf(report)).toBe(3);
});

test("the share of managed objects is not reported if no list could be read", async () => {
  emulator.faults.add({ path: "*.list", kind: "status", status: 403, times: 1000 });
  const report = await check();
  emulator.faults.clear();
  expect(report.unmanaged).toBeUndefined();
  expect(report.notes).toContain("unmanaged objects are not known, because no list of an account could be read");
  expect(exitCodeOf(report)).toBe(3);
});

test("lists no instances if clusters cannot be read", async () => {
  emulator.faults.add({ path: "lkeClusters.list", kind: "status", status: 403, times: 1000 });
  const report = await check();
  emulator.faults.clear();
  expect(report.unmanaged?.objects.filter(({ kind }) => kind.startsWith("Instance"))).toEqual([]);
  expect(report.unread).toContainEqual({
    kind: "Instance",
    reason: expect.stringMatching(/^not listed as unmanaged, because LkeCluster could not be read/),
    resources: [],
  });
});

test("reports that instances are not listed, although an interrupted create of an instance is reported too", async () => {
  const pending = { type: "creating", resource: { urn: "urn:pulumi:dev::shop::cloudinfra:index:Instance::web" } };
  const interrupted = { version: 3, deployment: { pending_operations: [pending] } };
  emulator.faults.add({ path: "lkeClusters.list", kind: "status", status: 403, times: 1000 });
  const report = await check([{ name: "dev.json", state: interrupted }]);
  emulator.faults.clear();
  expect(report.unread.filter(({ kind }) => kind === "Instance")).toEqual([
    { kind: "Instance", reason: expect.any(String), resources: ["shop/dev/Instance/web"] },
    {
      kind: "Instance",
      reason: expect.stringMatching(/^not listed as unmanaged, because LkeCluster could not be read/),
      resources: [],
    },
  ]);
});

test("lists objects that no stack manages, without their parts, nodes of clusters and default objects", async () => {
  emulator.requests.clear();
  const report = await check();
  const kinds = [...new Set(report.unmanaged?.objects.map(({ kind }) => kind))];
  expect(kinds.sort()).toEqual([
    "Domain",
    "Firewall",
    "Image",
    "Instance",
    "LkeCluster",
    "ManagedContact",
    "ManagedCredential",
    "ManagedService",
    "NodeBalancer",
    "OAuthClient",
    "ObjectStorageBucket",
    "ObjectStorageKey",
    "Volume",
  ]);
  expect(report.unmanaged?.objects.filter(({ title }) => /"lke\d/.test(title))).toEqual([]);
  expect(report.unmanaged).toMatchObject({ managed: 0, percent: 0 });
  expect(exitCodeOf(report), "only drift fails").toBe(0);
  expect(emulator.requests.list().every(({ method }) => method === "GET")).toBe(true);
});

test("omits objects that any of the stacks manages, and lists their parts, such as disks of an instance without an image", async () => {
  const all = await stateOfAll(emulator);
  const { resources } = all.state.deployment;
  const isRecord = ({ type }: { type: string }): boolean => type.endsWith(":DomainRecord");
  const records = resources.filter(isRecord);
  const withRecords = { name: "a.json", state: { version: 3, deployment: { resources: records.slice(1) } } };
  const others = {
    name: "b.json",
    state: { version: 3, deployment: { resources: resources.filter((r) => !isRecord(r)) } },
  };
  const { unmanaged } = await check([withRecords, others]);
  const listed = unmanaged?.objects.filter(({ kind }) => /^(Domain|Instance|Volume)/.test(kind));
  expect(listed?.map(({ kind, id }) => [kind, id])).toEqual([
    ["DomainRecord", records[0]?.id],
    ["InstanceConfig", "993888/925370"],
    ["InstanceDisk", "993888/474283"],
  ]);
  expect(listed?.[0]?.adopt).toMatch(/^npx cloudinfra adopt DomainRecord [\w.-]+ \d+\/\d+$/);
});

test.each([
  ["only dynamic resources", ["dynamic"], "npx cloudinfra adopt "],
  ["only native resources", ["native"], "pulumi import cloudinfra:index:"],
  ["both", ["dynamic", "native"], "npx cloudinfra adopt "],
] as const)(
  "the command for an object is one that the stack accepts, if the stacks have %s",
  async (_, types, command) => {
    const { api, close } = connect(emulator);
    const volumes = (await api.volumes.list()).data;
    await close();
    const states = types.map((provider, i) => {
      const state = exported([{ kind: "Volume", name: provider, id: `${volumes[i]?.id}`, inputs: {}, outs: {} }], {
        provider,
      });
      return { ...state, name: provider };
    });
    const { unmanaged } = await check(states);
    expect(unmanaged?.objects.length).toBeGreaterThan(10);
    for (const { kind, id, adopt } of unmanaged?.objects ?? [])
      expect(adopt).toMatch(new RegExp(`^${command}${kind} [\\w.-]+ ${id}$`));
  },
);

test("disks and configs of a clone belong to its instance, those of an empty instance are listed", async () => {
  const partsOf = async (inputs: Record<string, unknown>) => {
    const outs = { label: "empty", __stated: Object.keys(inputs).join() };
    const state = exported([{ kind: "Instance", name: "box", id: "993888", inputs, outs }]);
    const { unmanaged } = await check([state]);
    return unmanaged?.objects.flatMap(({ kind, id }) => (/^Instance./.test(kind) ? [`${kind} ${id}`] : []));
  };
  expect(await partsOf({ type: "g6-standard-2", cloneFrom: 993887 })).toEqual([]);
  expect(await partsOf({ type: "g6-standard-2" })).toEqual([
    "InstanceConfig 993888/925370",
    "InstanceDisk 993888/474283",
  ]);
});

test("a declared pool of a cluster is managed, and an additional one is not", async () => {
  const { api, close } = connect(emulator);
  const [cluster] = (await api.lkeClusters.list()).data;
  const path = { clusterId: Number(cluster?.id) };
  const own = (await api.lkePools.list({ path })).data;
  const added = await api.lkePools.create({ path, body: { type: "g6-standard-1", count: 1 } });
  await close();
  const outs = {
    label: cluster?.label,
    poolIds: Object.fromEntries(own.map(({ id }, i) => [`pool-${i}`, id])),
    __stated: "label",
  };
  const state = exported([
    { kind: "LkeCluster", name: "apps", id: String(cluster?.id), inputs: { label: cluster?.label }, outs },
  ]);
  const { unmanaged } = await check([state]);
  expect(unmanaged?.objects.filter(({ kind }) => kind.startsWith("Lke")).map(({ id }) => id)).toEqual([
    `${cluster?.id}/${added.id}`,
  ]);
});

test.each([
  ["a replaced resource, which Pulumi is about to delete", { delete: true }, {}],
  ["a resource that a newer version wrote", {}, { __version: 7 }],
])("does not list the object of %s", async (_, mark, outputs) => {
  const { api, close } = connect(emulator);
  const [first, second] = (await api.volumes.list()).data;
  await close();
  const outs = { label: first?.label, ...outputs };
  const state = exported([{ kind: "Volume", name: "data", id: String(first?.id), inputs: {}, outs, ...mark }]);
  const { unmanaged } = await check([state]);
  const listed = unmanaged?.objects.flatMap(({ kind, id }) => (kind === "Volume" ? [id] : []));
  expect(listed).toContain(String(second?.id));
  expect(listed).not.toContain(String(first?.id));
});

test("objects belong only to objects that exist, and buckets to none", async () => {
  const { unmanaged } = await check();
  const objects = unmanaged?.objects ?? [];
  const listed = new Set(objects.map(({ kind, id }) => `${kind}/${id}`));
  const on = objects.flatMap(({ on = [] }) => on);
  expect(on.length).toBeGreaterThan(0);
  expect(on.filter((owner) => !listed.has(owner))).toEqual([]);
  const buckets = objects.filter(({ kind }) => kind === "ObjectStorageBucket");
  expect(buckets.map((bucket) => bucket.on)).toEqual(buckets.map(() => undefined));
});

test("does not read objects of the inventory again", async () => {
  emulator.requests.clear();
  await check([await stateOfAll(emulator)]);
  const count = emulator.requests.list().filter(({ operation }) => operation === "volumes.list").length;
  expect(count, "once for the state of the test, once for the check").toBe(2);
  expect(emulator.requests.list().filter(({ operation }) => operation === "volumes.view")).toEqual([]);
});

test("an object with an unusable id is reported as not checked, and the others are listed", async () => {
  const { api, close } = connect(emulator);
  const [bucket] = (await api.objectStorageBuckets.list()).data;
  await close();
  await using server = await listening(async (request, response) => {
    const { status, body } = await forwarded(request.url ?? "");
    const isBuckets = request.url?.startsWith("/v4/object-storage/buckets");
    const data = isBuckets ? [{ ...bucket, label: "" }, ...(body.data ?? [])] : body.data;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ ...body, data }));
  });
  const report = await detectDrift({
    states: [empty],
    url: `${server.url}/v4`,
    token: emulator.token,
    unmanaged: true,
  });
  expect(report.unread).toEqual([
    {
      kind: "ObjectStorageBucket",
      reason:
        'the API lists an object that cannot be read: ObjectStorageBucket: "us-east-1/" is not a valid id; it must look like clusterId/bucket',
      resources: [],
    },
  ]);
  expect(report.unmanaged?.objects.flatMap(({ kind, id }) => (kind === "ObjectStorageBucket" ? [id] : []))).toContain(
    `${bucket?.cluster}/${bucket?.label}`,
  );
  expect(exitCodeOf(report)).toBe(3);
});

async function forwarded(path: string): Promise<{ status: number; body: { data?: unknown[] } }> {
  const response = await fetch(new URL(path, emulator.url), { headers: { authorization: `Bearer ${emulator.token}` } });
  return { status: response.status, body: (await response.json()) as { data?: unknown[] } };
}
