import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("LkeNodeRecycle", "follow");

describe("LkeNodeRecycle", () => {
  async function cluster({ api, emulator }: Account, counts: number[]) {
    const node_pools = counts.map((count) => ({ type: "g6-standard-1", count }));
    const { id } = await api.lkeClusters.create({
      body: { label: "apps", region: "us-east", k8s_version: "1.21", node_pools },
    });
    emulator.settle();
    return id;
  }

  test("announces the number of nodes, and waits until each node is replaced", async ({ world, it }) => {
    const clusterId = await cluster(world, [2, 1]);
    const before = world.world.lkeNodes.all().map(({ id }) => id);
    world.calls();
    await it.up({ clusterId, triggers: ["1.21"] });
    expect(world.messages()).toEqual(["follow: 3 nodes of apps will be recycled, one after the other"]);
    expect(world.calls()).toEqual(["lkeClusters.recycle"]);
    const after = world.world.lkeNodes.all();
    expect(after.map(({ id }) => id).filter((id) => before.includes(id))).toEqual([]);
    expect(after.every(({ status }) => status === "ready")).toBe(true);
    await it.up({ clusterId, triggers: ["1.21"] });
    expect(world.calls()).toEqual([]);
  });

  test("recycles only the nodes of one pool, or one node", async ({ world }) => {
    const clusterId = await cluster(world, [1, 2]);
    const [small, large] = world.world.lkePools.all().map(({ id }) => id) as [number, number];
    const stored = world.world.lkeNodes.by("pool_id", small).map(({ id }) => id);
    const pool = new Managed("LkeNodeRecycle", world.host, "pool");
    await pool.up({ clusterId, poolId: large });
    expect(world.messages()).toEqual(["pool: 2 nodes of apps will be recycled, one after the other"]);
    expect(world.world.lkeNodes.by("pool_id", small).map(({ id }) => id)).toEqual(stored);
    const node = new Managed("LkeNodeRecycle", world.host, "node");
    await node.up({ clusterId, nodeId: stored[0] as string });
    expect(world.messages()).toEqual(["node: 1 node of apps will be recycled, one after the other"]);
  });

  test("waits for nodes that another recycling replaces, so that a lost request is sent again", async ({
    world,
    it,
  }) => {
    const clusterId = await cluster(world, [2]);
    await world.api.lkeClusters.recycle({ path: { clusterId } });
    world.emulator.faults.add({ path: "lkeClusters.recycle", kind: "stall-before", times: 1 });
    const before = world.world.lkeNodes.all().map(({ id }) => id);
    world.calls();
    await it.up({ clusterId, triggers: ["1.21"] });
    expect(world.emulator.faults.list()).toMatchObject([{ hits: 1 }]);
    expect(world.calls()).toEqual(["lkeClusters.recycle"]);
    const after = world.world.lkeNodes.all();
    expect(after.map(({ id }) => id).filter((id) => before.includes(id))).toEqual([]);
    expect(after.every(({ status }) => status === "ready")).toBe(true);
  });

  test("after a timeout, a refresh keeps the nodes that are not replaced yet, and the update waits only for them", async ({
    world,
    it,
  }) => {
    const clusterId = await cluster(world, [3]);
    const [, second, third] = world.world.lkeNodes.all().map(({ id }) => id);
    it.reconnect({ ...world.host, settings: { timeouts: { create: "30s" } } });
    await expect(it.up({ clusterId })).rejects.toThrow("create timed out after 30 s: 2 nodes still to be recycled");
    it.reconnect(world.host);
    await it.refresh();
    expect(it.outs.recycling).toEqual([second, third]);
    world.emulator.advance(60_000);
    await it.refresh();
    expect(it.outs.recycling).toEqual([third]);
    world.calls();
    await it.up({ clusterId });
    expect(it.outs.recycling).toEqual([]);
    expect(world.calls()).toEqual([]);
  });

  test.for([
    ["a pool", { poolId: 999_999 }, "node in pool 999999"],
    ["a node", { nodeId: "1-a" }, "node 1-a"],
  ] as const)("fails if %s does not exist", async ([, inputs, missing], { world, it }) => {
    const clusterId = await cluster(world, [1]);
    world.calls();
    await expect(it.up({ clusterId, ...inputs })).rejects.toThrow(
      `Cluster ${clusterId} does not have a ${missing}, so nothing can be recycled`,
    );
    expect(world.calls()).toEqual([]);
  });

  test("fails if the cluster does not have a node", async ({ world, it }) => {
    const clusterId = await cluster(world, [1]);
    for (const { id: poolId } of world.world.lkePools.all())
      await world.api.lkePools.delete({ path: { clusterId, poolId } });
    world.emulator.settle();
    world.calls();
    await expect(it.up({ clusterId })).rejects.toThrow(
      `Cluster ${clusterId} does not have a node, so nothing can be recycled`,
    );
    expect(world.calls()).toEqual([]);
  });

  test("rejects a pool and a node at once", async ({ it }) => {
    expect(await it.failures({ clusterId: 1, poolId: 1, nodeId: "1-a" })).toEqual([
      expect.objectContaining({ property: "nodeId", reason: expect.stringContaining("must be omitted if poolId") }),
    ]);
  });
});
