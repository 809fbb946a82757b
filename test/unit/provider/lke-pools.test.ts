import { expect, test } from "vitest";
import { ownPools, poolChanges, remainingInstances, unreadyNodes } from "../../../provider/resources/lke-pools";

const pool = (count: number, type = "g6-standard-1") => ({ type, count });

test("one node is not called nodes", async () => {
  expect(poolChanges({ a: pool(1), b: pool(2) }, {} as never)).toEqual([
    "pool a is deleted with its 1 node",
    "pool b is deleted with its 2 nodes",
  ]);
  expect(poolChanges({ a: pool(3) }, { a: pool(1) })).toEqual(["pool a is resized from 3 to 1 node"]);
  expect(poolChanges({ a: pool(1) }, { a: pool(1, "g6-standard-2") })).toEqual([
    "pool a is replaced: 1 node by 1 new one",
  ]);
  expect(unreadyNodes([{ id: "a", instance_id: 1, status: "not_ready" }])).toBe("0 of 1 node ready");
  const host = { reads: { view: async () => ({}) } } as never;
  expect(await remainingInstances(host, [1])).toBe("1 of 1 node still exist");
});

test("the pools of a new cluster are recognized by their contents, even if the number of nodes has changed since", () => {
  const row = (id: number, count: number, type?: string) => ({ ...pool(count, type), id }) as never;
  const rows = [row(1, 3), row(2, 2), row(3, 1, "g6-standard-2")];
  expect(ownPools(rows, { a: pool(5), b: pool(2), c: pool(1, "g6-standard-4") }, undefined)).toEqual({ a: 1, b: 2 });
  // Pools in state are matched by id: `a` remains pool 1, although pool 2 has the declared size.
  expect(ownPools(rows, { a: pool(2) }, { a: 1, b: 7 })).toEqual({ a: 1 });
});

test("a pool of a new cluster that was declared without an autoscaler is not mistaken for an autoscaled one", () => {
  const autoscaler = { enabled: true, min: 1, max: 5 };
  const row = (id: number, { enabled } = { enabled: false }) => ({
    ...pool(2),
    autoscaler: { ...autoscaler, enabled },
    id,
  });
  const rows = [row(1, autoscaler), row(2)] as never;
  expect(ownPools(rows, { plain: pool(2), scaled: { ...pool(2), autoscaler } }, undefined)).toEqual({
    plain: 2,
    scaled: 1,
  });
  expect(ownPools([row(1, autoscaler)] as never, { adopted: pool(3) }, undefined)).toEqual({ adopted: 1 });
});
