import { expect } from "vitest";
import { messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { cluster, nodeIds, type Pool, rule, statuses } from "./lke";

const type = "g6-standard-1";
const disk = (size: number) => ({ size, type: "ext4" });

test("creates, views, lists and deletes a pool", async (one) => {
  const { send } = one;
  const { path, id } = await cluster(one, []);
  expect((await send(`GET ${path}/pools`)).body).toMatchObject({ data: [], results: 0 });
  const created = await send(`POST ${path}/pools`, { body: { type, count: 2, tags: ["prod"] } });
  expect(created).toMatchObject({ status: 200, body: { type, count: 2, disks: [], tags: ["prod"] } });
  const pool: Pool = created.body;
  expect(Object.keys(pool).sort()).toEqual(["autoscaler", "count", "disks", "id", "nodes", "tags", "type"]);
  for (const node of pool.nodes) {
    expect(node).toMatchObject({ id: expect.stringMatching(`^${pool.id}-[0-9a-f]{10}$`), status: "not_ready" });
    const instance = (await send(`GET /compute/instances/${node.instance_id}`)).body;
    expect(instance).toMatchObject({ label: `lke${id}-${node.id}`, type, region: "us-east", status: "running" });
  }
  one.settle();
  const ready = (await send(`GET ${path}/pools/${pool.id}`)).body;
  expect(ready).toEqual({ ...pool, nodes: pool.nodes.map((node) => ({ ...node, status: "ready" })) });
  expect((await send(`GET ${path}/pools`, { filter: { tags: "prod" } })).body.data).toEqual([ready]);
  expect(await send(`DELETE ${path}/pools/${pool.id}`)).toMatchObject({ status: 200, body: {} });
});

test.each<[string, object[], number, RegExp?]>([
  ["seven of them", Array.from({ length: 7 }, () => disk(1)), 200],
  ["eight of them", Array.from({ length: 8 }, () => disk(1)), 400, /^disks: Must have at most 7/],
  ["all but a last MB of the plan's disk", [disk(51_000), { size: 199, type: "raw" }], 200],
  ["the plan's whole disk", [disk(51_000), disk(200)], 400, /^disks: Must have less than 51200 MB .* 51200 MB$/],
  ["none of a size", [disk(0)], 400, /^disks\.0\.size: Must be at least 1$/],
  ["another format", [{ size: 1, type: "swap" }], 400, /^disks\.0\.type: Must be "raw" or "ext4"$/],
])("custom disks: %s", async (one, _what, disks, status, reason) => {
  proves(rule(5));
  const { path } = await cluster(one, []);
  const created = await one.send(`POST ${path}/pools`, { body: { type, count: 1, disks } });
  expect(created.status).toBe(status);
  if (reason) expect(messages(created)).toEqual([expect.stringMatching(reason)]);
  else expect(created.body.disks).toEqual(disks);
});

test("each custom disk is a partition of every node, and reduces its boot disk", async (one) => {
  proves(rule(5));
  const disks = [disk(1_000), { size: 200, type: "raw" }];
  const { pools } = await cluster(one, [{ type, count: 2, disks }]);
  for (const { instance_id: id } of (await pools())[0]?.nodes ?? []) {
    const { data } = (await one.send(`GET /compute/instances/${id}/disks`)).body;
    expect(data).toMatchObject([
      { size: 50_000, filesystem: "ext4", status: "ready" },
      { size: 1_000, filesystem: "ext4", status: "ready" },
      { size: 200, filesystem: "raw", status: "ready" },
    ]);
    const [config] = (await one.send(`GET /compute/instances/${id}/configs`)).body.data;
    expect(config.devices).toMatchObject({ sda: { disk_id: data[0].id }, sdc: { disk_id: data[2].id } });
  }
});

test("a pool grows by new nodes, and shrinks by its newest nodes", async (one) => {
  proves(rule(7));
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
  const deleted = nodeIds([grown]).slice(2);
  const instances = () => one.world.instances.where(({ label }) => deleted.some((id) => label.endsWith(id)));
  expect(instances().map(({ status }) => status)).toEqual(["deleting", "deleting", "deleting"]);
  one.advance(10_000);
  expect(instances()).toEqual([]);
  for (const rest of ["instances", "disks", "instanceConfigs"] as const) expect(one.world[rest].size).toBe(2);
  expect(one.world.addresses.size).toBe(2 * 3);
  for (const count of [0, 101]) expect((await scale({ count })).status).toBe(400);
});

test("deleting a pool deletes its instances, including those of unfinished nodes", async (one) => {
  proves(rule(7));
  const { path, pools } = await cluster(one);
  const [old] = await pools();
  const recent: Pool = (await one.send(`POST ${path}/pools`, { body: { type, count: 3 } })).body;
  one.advance(60_000);
  await one.send(`DELETE ${path}/pools/${recent.id}`);
  expect(await pools()).toEqual([old]);
  one.settle();
  expect(one.world.instances.all().map(({ id }) => id)).toEqual(old?.nodes.map(({ instance_id }) => instance_id));
  expect(one.world.lkeNodes.size).toBe(2);
  expect(one.world.jobs.table.size).toBe(0);
});

test("only unrestricted users can set the tags of a pool", async (one) => {
  const { id, path } = await cluster(one, []);
  const token = await restricted(one, { entities: { cluster: { [id]: "read_write" } } });
  const make = (tags: string[]) => one.send(`POST ${path}/pools`, { token, body: { type, count: 1, tags } });
  expect((await make(["prod"])).status).toBe(403);
  expect((await make([])).status).toBe(200);
  await restricted(one, { entities: { cluster: { [id]: "read_only" } } });
  expect((await one.send(`GET ${path}/pools`, { token })).body.results).toBe(1);
  expect((await make([])).status).toBe(403);
});
