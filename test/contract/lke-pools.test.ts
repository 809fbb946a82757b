import { expect, test } from "vitest";
import { cloud, restricted } from "./cloud";
import { cluster, complaints, nodeIds, type Pool, statuses } from "./lke";

const rule = (number: number): string => `part 2 · Endpoints · Kubernetes · rule ${number}`;
const type = "g6-standard-1";

test("a pool is created, viewed, listed and deleted", async () => {
  await using one = await cloud();
  const { send } = one;
  const { path, id } = await cluster(one, []);
  expect((await send(`GET ${path}/pools`)).body).toMatchObject({ data: [], results: 0 });
  const made = await send(`POST ${path}/pools`, { body: { type, count: 2, tags: ["prod"] } });
  expect(made).toMatchObject({ status: 200, body: { type, count: 2, disks: [], tags: ["prod"] } });
  const pool: Pool = made.body;
  expect(Object.keys(pool).sort()).toEqual(["autoscaler", "count", "disks", "id", "nodes", "tags", "type"]);
  for (const node of pool.nodes) {
    expect(node).toEqual({
      id: expect.stringMatching(`^${pool.id}-[0-9a-f]{10}$`),
      instance_id: expect.any(Number),
      status: "not_ready",
    });
    const instance = (await send(`GET /compute/instances/${node.instance_id}`)).body;
    expect(instance).toMatchObject({ label: `lke${id}-${node.id}`, type, region: "us-east", status: "running" });
  }
  one.settle();
  const ready = (await send(`GET ${path}/pools/${pool.id}`)).body;
  expect(ready).toEqual({ ...pool, nodes: pool.nodes.map((node) => ({ ...node, status: "ready" })) });
  expect((await send(`GET ${path}/pools`, { filter: { tags: "prod" } })).body.data).toEqual([ready]);
  expect(await send(`DELETE ${path}/pools/${pool.id}`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`DELETE ${path}/pools/${pool.id}`)).status).toBe(404);
});

test("a pool is found under its own cluster only", async () => {
  await using one = await cloud();
  const mine = await cluster(one);
  const other = await cluster(one, [], { label: "other" });
  const [pool] = await mine.pools();
  for (const request of ["GET", "PUT", "DELETE"])
    expect((await one.send(`${request} ${other.path}/pools/${pool?.id}`)).status).toBe(404);
  expect((await one.send(`POST ${other.path}/pools/${pool?.id}/recycle`)).status).toBe(404);
  expect((await one.send("GET /lke/clusters/7/pools")).status).toBe(404);
});

test(`${rule(4)}: max and min require each other`, async () => {
  await using one = await cloud();
  const { path } = await cluster(one, []);
  const make = (autoscaler: object) => one.send(`POST ${path}/pools`, { body: { type, count: 2, autoscaler } });
  expect(complaints(await make({ max: 3 }))).toEqual(["autoscaler.min: Is required together with max (3)"]);
  expect(complaints(await make({ min: 1 }))).toEqual(["autoscaler.max: Is required together with min (1)"]);
  expect(complaints(await make({ min: 3, max: 2 }))).toEqual(["autoscaler.min: Must not exceed max (2)"]);
  expect((await make({ min: 0, max: 101 })).body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    "autoscaler.max",
    "autoscaler.min",
  ]);
});

test(`${rule(4)}: bounds that are not given are the pool's count, whatever it becomes`, async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one, [
    { type, count: 2 },
    { type, count: 2, autoscaler: { enabled: true } },
  ]);
  const autoscalers = async () => (await pools()).map(({ autoscaler }) => autoscaler);
  expect(await autoscalers()).toEqual([
    { enabled: false, min: 2, max: 2 },
    { enabled: true, min: 2, max: 2 },
  ]);
  for (const { id } of await pools()) await one.send(`PUT ${path}/pools/${id}`, { body: { count: 3 } });
  expect(await autoscalers()).toEqual([
    { enabled: false, min: 3, max: 3 },
    { enabled: true, min: 3, max: 3 },
  ]);
});

test(`${rule(4)}: while the autoscaler is on, its bounds hold for everybody`, async () => {
  await using one = await cloud();
  const bounds = { min: 2, max: 4 };
  const { path, pools } = await cluster(one, [
    { type, count: 3, autoscaler: { enabled: true, ...bounds } },
    { type, count: 3, autoscaler: { enabled: false, ...bounds } },
  ]);
  const [on, off] = await pools();
  const scale = (pool: Pool | undefined, count: number) =>
    one.send(`PUT ${path}/pools/${pool?.id}`, { body: { count } });
  for (const count of [1, 5])
    expect(complaints(await scale(on, count))).toEqual(["count: Must be 2 to 4, the bounds of the autoscaler"]);
  for (const count of [2, 4]) expect((await scale(on, count)).body).toMatchObject({ count, autoscaler: bounds });
  for (const count of [1, 5]) expect((await scale(off, count)).body).toMatchObject({ count, autoscaler: bounds });
  one.settle();
  expect((await pools()).map(({ count }) => count)).toEqual([4, 5]);
});

const disk = (size: number) => ({ size, type: "ext4" });
test.each<[string, object[], number, RegExp?]>([
  ["seven of them", Array.from({ length: 7 }, () => disk(1)), 200],
  ["eight of them", Array.from({ length: 8 }, () => disk(1)), 400, /^disks: Must hold at most 7/],
  ["all but a last MB of the plan's disk", [disk(51_000), { size: 199, type: "raw" }], 200],
  ["the plan's whole disk", [disk(51_000), disk(200)], 400, /^disks: Must be less than 51200 MB .* 51200$/],
  ["none of a size", [disk(0)], 400, /^disks\.0\.size: Must be at least 1$/],
  ["another format", [{ size: 1, type: "swap" }], 400, /^disks\.0\.type: Must be "raw" or "ext4"$/],
])(`${rule(5)}: custom disks: %s`, async (_what, disks, status, reason) => {
  await using one = await cloud();
  const { path } = await cluster(one, []);
  const made = await one.send(`POST ${path}/pools`, { body: { type, count: 1, disks } });
  expect(made.status).toBe(status);
  if (reason) expect(complaints(made)).toEqual([expect.stringMatching(reason)]);
  else expect(made.body.disks).toEqual(disks);
});

test(`${rule(5)}: the disks of a pool are fixed`, async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one);
  const [pool] = await pools();
  for (const field of ["disks", "type", "autoscaler", "tags"])
    expect(complaints(await one.send(`PUT ${path}/pools/${pool?.id}`, { body: { [field]: [] } }))).toEqual([
      `${field}: Is not a known field`,
    ]);
});

test(`${rule(7)}: a pool grows by new nodes and shrinks by its newest`, async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one, [{ type, count: 3 }]);
  const [pool] = await pools();
  const before = nodeIds(await pools());
  const scale = (body: object) => one.send(`PUT ${path}/pools/${pool?.id}`, { body });
  expect((await scale({})).body.nodes).toEqual(pool?.nodes);
  const grown: Pool = (await scale({ count: 5 })).body;
  expect(nodeIds([grown]).slice(0, 3)).toEqual(before);
  expect(statuses([grown])).toEqual(["ready", "ready", "ready", "not_ready", "not_ready"]);
  one.settle();
  expect(statuses(await pools())).toEqual(Array(5).fill("ready"));
  const shrunk: Pool = (await scale({ count: 2 })).body;
  expect(nodeIds([shrunk])).toEqual(before.slice(0, 2));
  const gone = nodeIds([grown]).slice(2);
  const instances = () => one.world.instances.where(({ label }) => gone.some((id) => label.endsWith(id)));
  expect(instances().map(({ status }) => status)).toEqual(["deleting", "deleting", "deleting"]);
  one.advance(10_000);
  expect(instances()).toEqual([]);
  expect(one.world.instances.size).toBe(2);
  for (const count of [0, 101]) expect((await scale({ count })).status).toBe(400);
});

test(`${rule(7)}: deleting a pool deletes its instances, those of nodes under way included`, async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one);
  const [old] = await pools();
  const young: Pool = (await one.send(`POST ${path}/pools`, { body: { type, count: 3 } })).body;
  one.advance(60_000);
  await one.send(`DELETE ${path}/pools/${young.id}`);
  expect(await pools()).toEqual([old]);
  one.settle();
  expect(one.world.instances.all().map(({ id }) => id)).toEqual(old?.nodes.map(({ instance_id }) => instance_id));
  expect(one.world.lkeNodes.size).toBe(2);
  expect(one.world.jobs.table.size).toBe(0);
});

test(`${rule(8)}: recycling a pool replaces its nodes one after the other, and no others`, async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one, [
    { type, count: 2 },
    { type, count: 1 },
  ]);
  const [pool, other] = await pools();
  expect(await one.send(`POST ${path}/pools/${pool?.id}/recycle`)).toMatchObject({ status: 200, body: {} });
  const seen = async () => (await pools())[0] as Pool;
  expect(nodeIds([await seen()])).toContain(pool?.nodes[1]?.id);
  expect(nodeIds([await seen()])).not.toContain(pool?.nodes[0]?.id);
  one.advance(60_000);
  expect(nodeIds([await seen()])).not.toContain(pool?.nodes[1]?.id);
  expect(statuses([await seen()])).toEqual(["ready", "not_ready"]);
  one.settle();
  expect(statuses([await seen()])).toEqual(["ready", "ready"]);
  expect((await pools())[1]).toEqual(other);
});

test("a pool that shrinks while it is recycled ends with the nodes that it was told", async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one, [{ type, count: 3 }]);
  const [pool] = await pools();
  await one.send(`POST ${path}/pools/${pool?.id}/recycle`);
  await one.send(`PUT ${path}/pools/${pool?.id}`, { body: { count: 1 } });
  one.settle();
  expect(await pools()).toMatchObject([{ count: 1, nodes: [{ status: "ready" }] }]);
  expect(one.world.instances.size).toBe(1);
});

test("a node whose coming up fails stays not ready until it is recycled; one that stalls goes on when told", async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one, []);
  one.faults.add({ path: "lkePools.create", kind: "job-fail", times: 1 });
  const { id, nodes }: Pool = (await one.send(`POST ${path}/pools`, { body: { type, count: 1 } })).body;
  one.settle();
  expect(statuses(await pools())).toEqual(["not_ready"]);
  expect((await one.send("GET /account/events")).body.data[0]).toMatchObject({
    action: "lke_node_create",
    status: "failed",
  });
  await one.send(`POST ${path}/nodes/${nodes[0]?.id}/recycle`);
  one.settle();
  expect(statuses(await pools())).toEqual(["ready"]);
  one.faults.add({ path: "lkePools.update", kind: "job-stall", times: 1 });
  await one.send(`PUT ${path}/pools/${id}`, { body: { count: 2 } });
  one.advance(3_600_000);
  expect(statuses(await pools())).toEqual(["ready", "not_ready"]);
  one.faults.clear();
  one.settle();
  expect(statuses(await pools())).toEqual(["ready", "ready"]);
});

test("only unrestricted users give a pool tags", async () => {
  await using one = await cloud();
  const { id, path } = await cluster(one, []);
  const token = await restricted(one, { entities: { cluster: { [id]: "read_write" } } });
  const make = (tags: string[]) => one.send(`POST ${path}/pools`, { token, body: { type, count: 1, tags } });
  expect((await make(["prod"])).status).toBe(403);
  expect((await make([])).status).toBe(200);
  await restricted(one, { entities: { cluster: { [id]: "read_only" } } });
  expect((await one.send(`GET ${path}/pools`, { token })).body.results).toBe(1);
  expect((await make([])).status).toBe(403);
});
