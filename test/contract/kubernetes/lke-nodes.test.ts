import { expect } from "vitest";
import { messages, test } from "../cloud";
import { proves } from "../proves";
import { cluster, nodeIds, rule, statuses } from "./lke";

test("views a node", async (one) => {
  const { path, pools } = await cluster(one);
  const [node] = (await pools()).flatMap(({ nodes }) => nodes);
  expect((await one.send(`GET ${path}/nodes/${node?.id}`)).body).toEqual(node);
});

test("deleting a node reduces the count of its pool, down to one", async (one) => {
  proves(rule(7));
  const { path, pools } = await cluster(one);
  const [oldest, newest] = nodeIds(await pools());
  expect(await one.send(`DELETE ${path}/nodes/${oldest}`)).toMatchObject({ status: 200, body: {} });
  expect((await one.send(`DELETE ${path}/nodes/${oldest}`)).status).toBe(404);
  expect(await pools()).toMatchObject([{ count: 1, autoscaler: { min: 1, max: 1 }, nodes: [{ id: newest }] }]);
  expect(one.world.instances.size).toBe(2);
  one.advance(10_000);
  expect(one.world.instances.size).toBe(1);
  const [pool] = await pools();
  expect(messages(await one.send(`DELETE ${path}/nodes/${newest}`))).toEqual([
    `The node is the last one of pool ${pool?.id}; delete the pool instead`,
  ]);
});

test("replaces a node whose instance was deleted directly", async (one) => {
  const { pools } = await cluster(one);
  const [lost, stored] = (await pools()).flatMap(({ nodes }) => nodes);
  expect((await one.send(`DELETE /compute/instances/${lost?.instance_id}`)).status).toBe(200);
  expect(statuses(await pools())).toEqual(["ready", "not_ready"]);
  one.settle();
  expect(nodeIds(await pools())).toEqual([stored?.id, expect.not.stringMatching(lost?.id as string)]);
  expect(statuses(await pools())).toEqual(["ready", "ready"]);
  expect(one.world.instances.size).toBe(2);
});

test("a snapshot contains a cluster, its nodes and its jobs", async (one) => {
  const { path, pools } = await cluster(one);
  await one.send(`POST ${path}/recycle`);
  const { body } = await one.send("GET /_emulator/state");
  const run = async () => {
    one.settle();
    return [await pools(), (await one.send(`GET ${path}/kubeconfig`)).body];
  };
  const first = await run();
  expect((await one.send("PUT /_emulator/state", { body })).status).toBe(200);
  expect(await run()).toEqual(first);
});
