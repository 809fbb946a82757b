import { expect } from "vitest";
import { messages, test } from "../cloud";
import { proves } from "../proves";
import { cluster, nodeIds, type Pool, rule } from "./lke";

const type = "g6-standard-1";

test("max and min require each other", async (one) => {
  proves(rule(4));
  const { path } = await cluster(one, []);
  const make = (autoscaler: object) => one.send(`POST ${path}/pools`, { body: { type, count: 2, autoscaler } });
  expect(messages(await make({ max: 3 }))).toEqual(["autoscaler.min: Is required if max is set (3)"]);
  expect(messages(await make({ min: 1 }))).toEqual(["autoscaler.max: Is required if min is set (1)"]);
  expect(messages(await make({ min: 3, max: 2 }))).toEqual(["autoscaler.min: Must not exceed max (2)"]);
  expect((await make({ min: 0, max: 101 })).body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    "autoscaler.max",
    "autoscaler.min",
  ]);
});

test("omitted bounds equal the pool's count after every change", async (one) => {
  proves(rule(4));
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

test("an enabled autoscaler's bounds apply to every request", async (one) => {
  proves(rule(4));
  const bounds = { min: 2, max: 4 };
  const { path, pools } = await cluster(one, [
    { type, count: 3, autoscaler: { enabled: true, ...bounds } },
    { type, count: 3, autoscaler: { enabled: false, ...bounds } },
  ]);
  const [on, off] = await pools();
  const scale = (pool: Pool | undefined, count: number) =>
    one.send(`PUT ${path}/pools/${pool?.id}`, { body: { count } });
  for (const count of [1, 5])
    expect(messages(await scale(on, count))).toEqual(["count: Must be 2 to 4, the bounds of the autoscaler"]);
  for (const count of [2, 4]) expect((await scale(on, count)).body).toMatchObject({ count, autoscaler: bounds });
  for (const count of [1, 5]) expect((await scale(off, count)).body).toMatchObject({ count, autoscaler: bounds });
  one.settle();
  expect((await pools()).map(({ count }) => count)).toEqual([4, 5]);
});

test("deleting nodes cannot go below the autoscaler's lower bound", async (one) => {
  const autoscaler = { enabled: true, min: 2, max: 3 };
  const { path, pools } = await cluster(one, [{ type, count: 3, autoscaler }]);
  const [first, second] = nodeIds(await pools());
  const [pool] = await pools();
  expect((await one.send(`DELETE ${path}/nodes/${first}`)).status).toBe(200);
  expect(messages(await one.send(`DELETE ${path}/nodes/${second}`))).toEqual([
    `The node cannot be deleted: the autoscaler of pool ${pool?.id} requires at least 2 nodes`,
  ]);
});
