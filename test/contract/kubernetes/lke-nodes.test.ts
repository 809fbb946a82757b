import { expect, test } from "vitest";
import { cloud } from "../cloud";
import { proves } from "../proves";
import { cluster, complaints, nodeIds, statuses } from "./lke";

const rule = (number: number): string => `part 2 · Endpoints · Kubernetes · rule ${number}`;
test("a node is found only under its own cluster", async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one);
  const other = await cluster(one, [], { label: "other" });
  const [pool] = await pools();
  const [node] = pool?.nodes ?? [];
  expect((await one.send(`GET ${path}/nodes/${node?.id}`)).body).toEqual(node);
  for (const request of ["GET", "DELETE"])
    for (const wrong of [`${path}/nodes/7-abc`, `${other.path}/nodes/${node?.id}`, `/lke/clusters/7/nodes/${node?.id}`])
      expect((await one.send(`${request} ${wrong}` as "GET /")).status).toBe(404);
  expect((await one.send(`POST ${other.path}/nodes/${node?.id}/recycle`)).status).toBe(404);
});

test("viewing a node requires the read_write scope", async () => {
  await using one = await cloud();
  const { path, pools } = await cluster(one);
  await one.send("POST /_emulator/tokens", { body: { token: "reader", scopes: ["lke:read_only"] } });
  const [id] = nodeIds(await pools());
  expect((await one.send(`GET ${path}/pools`, { token: "reader" })).status).toBe(200);
  for (const secret of [`/nodes/${id}`, "/kubeconfig"])
    expect((await one.send(`GET ${path}${secret}`, { token: "reader" })).status).toBe(403);
});

test("deleting a node reduces the count of its pool, down to one", async () => {
  proves(rule(7));
  await using one = await cloud();
  const { path, pools } = await cluster(one);
  const [oldest, newest] = nodeIds(await pools());
  expect(await one.send(`DELETE ${path}/nodes/${oldest}`)).toMatchObject({ status: 200, body: {} });
  expect((await one.send(`DELETE ${path}/nodes/${oldest}`)).status).toBe(404);
  expect(await pools()).toMatchObject([{ count: 1, autoscaler: { min: 1, max: 1 }, nodes: [{ id: newest }] }]);
  expect(one.world.instances.size).toBe(2);
  one.advance(10_000);
  expect(one.world.instances.size).toBe(1);
  const [pool] = await pools();
  expect(complaints(await one.send(`DELETE ${path}/nodes/${newest}`))).toEqual([
    `The node is the last one of pool ${pool?.id}; delete the pool instead`,
  ]);
});

test("replaces a node whose instance was deleted directly", async () => {
  await using one = await cloud();
  const { pools } = await cluster(one);
  const [lost, stored] = (await pools()).flatMap(({ nodes }) => nodes);
  expect((await one.send(`DELETE /compute/instances/${lost?.instance_id}`)).status).toBe(200);
  expect(statuses(await pools())).toEqual(["ready", "not_ready"]);
  one.settle();
  expect(nodeIds(await pools())).toEqual([stored?.id, expect.not.stringMatching(lost?.id as string)]);
  expect(statuses(await pools())).toEqual(["ready", "ready"]);
  expect(one.world.instances.size).toBe(2);
});

test("a snapshot contains a cluster, its nodes and its jobs", async () => {
  await using one = await cloud();
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
