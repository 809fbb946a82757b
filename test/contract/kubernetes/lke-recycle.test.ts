import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { cluster, nodeIds, type Pool, rule, statuses } from "./lke";

const type = "g6-standard-1";

test("recycling a cluster replaces its nodes one after the other", async (one) => {
  proves(rule(8));
  const pool = { type: "g6-standard-1", count: 1 };
  const { path, pools } = await cluster(one, [pool, { ...pool, count: 2 }]);
  const before = nodeIds(await pools());
  await one.send(`POST ${path}/recycle`);
  const stored = async () => nodeIds(await pools()).filter((id) => before.includes(id)).length;
  for (const expected of [2, 1, 0]) {
    expect(await stored()).toBe(expected);
    expect(statuses(await pools()).filter((status) => status === "not_ready")).toHaveLength(1);
    one.advance(60_000);
  }
  expect(statuses(await pools())).toEqual(["ready", "ready", "ready"]);
  expect(one.world.instances.size).toBe(3);
});

test("recycling a pool replaces its nodes one after the other, and no nodes of other pools", async (one) => {
  proves(rule(8));
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

test("a pool that shrinks while it is recycled ends with the requested number of nodes", async (one) => {
  const { path, pools } = await cluster(one, [{ type, count: 3 }]);
  const [pool] = await pools();
  await one.send(`POST ${path}/pools/${pool?.id}/recycle`);
  await one.send(`PUT ${path}/pools/${pool?.id}`, { body: { count: 1 } });
  one.settle();
  expect(await pools()).toMatchObject([{ count: 1, nodes: [{ status: "ready" }] }]);
  expect(one.world.instances.size).toBe(1);
});

test("a node that fails to start is not ready until it is recycled, and a stalled one continues after a resume", async (one) => {
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

test("recycling a node replaces the node and its instance", async (one) => {
  proves(rule(8));
  const { path, pools } = await cluster(one);
  const [old, stored] = (await pools()).flatMap(({ nodes }) => nodes);
  expect(await one.send(`POST ${path}/nodes/${old?.id}/recycle`)).toMatchObject({ status: 200, body: {} });
  const [first, fresh] = (await pools()).flatMap(({ nodes }) => nodes);
  expect(first).toEqual(stored);
  expect(fresh?.status).toBe("not_ready");
  expect(fresh?.id).not.toBe(old?.id);
  expect((await one.send(`GET ${path}/nodes/${old?.id}`)).status).toBe(404);
  one.settle();
  expect(statuses(await pools())).toEqual(["ready", "ready"]);
  expect(one.world.instances.find(old?.instance_id)).toBeUndefined();
  expect(one.world.instances.find(fresh?.instance_id)).toMatchObject({ status: "running" });
});
