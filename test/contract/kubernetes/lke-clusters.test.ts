import { expect } from "vitest";
import { type Cloud, cloud, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { cluster, create, rule, statuses } from "./lke";

test("creates, views, lists, updates and deletes a cluster", async (one) => {
  const { send } = one;
  const created = await create(one, { tags: ["prod"] });
  const time = "2022-01-01T00:00:00";
  expect(created.body).toEqual({
    ...{ id: created.body.id, label: "main", region: "us-east", k8s_version: "1.20", tags: ["prod"] },
    ...{ control_plane: { high_availability: false }, created: time, updated: time },
  });
  const path = `/lke/clusters/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  one.advance(5_000);
  const changed = await send(`PUT ${path}`, { body: { label: "blue", tags: [] } });
  expect(changed.body).toEqual({ ...created.body, label: "blue", tags: [], updated: "2022-01-01T00:00:05" });
  expect((await send("GET /lke/clusters", { filter: { tags: "prod" } })).body.results).toBe(0);
  expect((await send("GET /lke/clusters")).body.data).toEqual([changed.body]);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("rejects a create with every problem at once", async (one) => {
  await create(one);
  one.world.regions.patch("us-west", { capabilities: ["Computes"], status: "outage" });
  const pool = { type: "g6-nanode-1", count: 5 };
  const node_pools = [
    { ...pool, autoscaler: { enabled: true, min: 1, max: 3 } },
    { ...pool, disks: [{ size: 25_600, type: "raw" }] },
  ];
  expect(messages(await create(one, { region: "us-west", node_pools }))).toEqual([
    "label: Label must be unique",
    "region: Region us-west has an outage",
    "region: Region us-west does not offer Kubernetes",
    "node_pools.0.count: Must be 1 to 3, the bounds of the autoscaler",
    expect.stringContaining("node_pools.1.disks: Must have less than 25600 MB in total, the disk size of g6-nanode-1"),
  ]);
  const unknown = { region: "mars", k8s_version: "1.19", node_pools: [{ type: "g9-huge", count: 0 }] };
  expect(messages(await create(one, unknown))).toEqual([
    expect.stringMatching("node_pools.0.count: Must be at least 1"),
    expect.stringContaining('region: There is no region "mars"'),
    expect.stringContaining('k8s_version: There is no Kubernetes version "1.19"'),
    expect.stringContaining('node_pools.0.type: There is no type "g9-huge"'),
  ]);
  expect(one.world.instances.size).toBe(0);
});

/** The `lke_node_create` events of the account, oldest first. */
const nodeEvents = async ({ send }: Cloud) =>
  (await send("GET /account/events", { filter: { action: "lke_node_create", "+order_by": "id" } })).body.data;

/** The number of nodes that are ready. The event of a node is finished exactly if the node is ready. */
async function readyNodes(one: Cloud, path: `/lke/clusters/${number}`): Promise<number> {
  const pools = (await one.send(`GET ${path}/pools`)).body.data;
  const ready = statuses(pools).filter((status) => status === "ready").length;
  expect((await nodeEvents(one)).filter(({ status }: { status: string }) => status === "finished")).toHaveLength(ready);
  return ready;
}

test("the events of a new cluster's nodes finish when its API server is reachable, and not before", async (one) => {
  proves(rule(1));
  const pool = { type: "g6-nanode-1", count: 1 };
  const { body } = await create(one, { node_pools: [pool, { ...pool, count: 8 }] });
  const path = `/lke/clusters/${body.id}` as const;
  for (const [ms, ready, status] of [
    [119_999, 0, 503],
    [1, 7, 200],
    [10_000, 8, 200],
    [10_000, 9, 200],
  ] as const) {
    one.advance(ms);
    expect(await readyNodes(one, path)).toBe(ready);
    for (const what of ["kubeconfig", "api-endpoints"])
      expect((await one.send(`GET ${path}/${what}`)).status).toBe(status);
  }
});

test("a restricted user who creates a cluster sees by its events when it is ready", async (one) => {
  const token = await restricted(one, { global: { add_clusters: true } });
  await create(one, { node_pools: [{ type: "g6-nanode-1", count: 2 }] }, token);
  const statuses = async () =>
    (await one.send("GET /account/events", { token })).body.data.map(
      ({ action, status }: { action: string; status: string }) => `${action} ${status}`,
    );
  expect(await statuses()).toEqual(["lke_node_create started", "lke_node_create started"]);
  one.advance(200_000);
  expect(await statuses()).toEqual(["lke_node_create finished", "lke_node_create finished"]);
});

test("nodes that are added before the API server is reachable are not ready before it", async (one) => {
  const { body } = await create(one);
  const path = `/lke/clusters/${body.id}` as const;
  one.advance(30_000);
  await one.send(`POST ${path}/pools`, { body: { type: "g6-nanode-1", count: 1 } });
  one.advance(89_999);
  expect([await readyNodes(one, path), (await one.send(`GET ${path}/kubeconfig`)).status]).toEqual([0, 503]);
  one.settle();
  expect([await readyNodes(one, path), (await one.send(`GET ${path}/kubeconfig`)).status]).toEqual([1, 200]);
});

test("nodes that are added to a running cluster become ready one after the other, with an event each", async (one) => {
  const { path } = await cluster(one, []);
  const { nodes } = (await one.send(`POST ${path}/pools`, { body: { type: "g6-standard-1", count: 3 } })).body;
  one.advance(30_000);
  expect(await nodeEvents(one)).toMatchObject([
    { status: "started", percent_complete: 50, entity: { type: "compute", id: nodes[0].instance_id } },
    { status: "started", percent_complete: 42, entity: { type: "compute", id: nodes[1].instance_id } },
    { status: "started", percent_complete: 37, entity: { type: "compute", id: nodes[2].instance_id } },
  ]);
  for (const [ms, ready] of [
    [29_999, 0],
    [1, 1],
    [10_000, 2],
    [10_000, 3],
  ] as const) {
    one.advance(ms);
    expect(await readyNodes(one, path)).toBe(ready);
  }
});

test("at the pace instant, a cluster is ready at the next request", async () => {
  await using one = await cloud({ pace: "instant" });
  const { body } = await create(one, { node_pools: [{ type: "g6-standard-1", count: 3 }] });
  const path = `/lke/clusters/${body.id}` as const;
  expect((await one.send(`GET ${path}/kubeconfig`)).status).toBe(200);
  expect(statuses((await one.send(`GET ${path}/pools`)).body.data)).toEqual(["ready", "ready", "ready"]);
  await one.send(`DELETE ${path}`);
  expect((await one.send("GET /compute/instances")).body.data).toEqual([]);
});

test("a cluster can be upgraded one minor version at a time, and not downgraded", async (one) => {
  proves(rule(2));
  const { path, pools, id } = await cluster(one);
  const update = (k8s_version: string) => one.send(`PUT ${path}`, { body: { k8s_version } });
  expect(messages(await update("1.22"))).toEqual([
    "k8s_version: The cluster runs 1.20; only the next minor version, 1.21, can be deployed, not 1.22",
  ]);
  expect((await update("1.20")).status).toBe(200);
  expect((await update("1.21")).body.k8s_version).toBe("1.21");
  expect(messages(await update("1.20"))).toEqual([
    "k8s_version: The cluster runs 1.21 and cannot be downgraded to 1.20",
  ]);
  const versions = () => one.world.lkeNodes.by("cluster_id", id).map(({ k8s_version }) => k8s_version);
  expect(versions()).toEqual(["1.20", "1.20"]);
  const [pool] = await pools();
  await one.send(`PUT ${path}/pools/${pool?.id}`, { body: { count: 3 } });
  expect(versions().sort()).toEqual(["1.20", "1.20", "1.21"]);
  await one.send(`POST ${path}/recycle`);
  one.settle();
  expect(versions()).toEqual(["1.21", "1.21", "1.21"]);
});

test("high availability can be enabled and not disabled", async (one) => {
  proves(rule(2));
  const { path } = await cluster(one);
  const update = (control_plane: object) => one.send(`PUT ${path}`, { body: { control_plane } });
  expect((await update({ high_availability: false })).body.control_plane).toEqual({ high_availability: false });
  expect((await update({ high_availability: true })).body.control_plane).toEqual({ high_availability: true });
  expect((await update({})).body.control_plane).toEqual({ high_availability: true });
  expect(messages(await update({ high_availability: false }))).toEqual([
    "control_plane.high_availability: Must stay true: high availability cannot be disabled",
  ]);
});

test("the instances of a deleted cluster are deleted within seconds, and volumes are kept", async (one) => {
  proves(rule(6));
  const { send } = one;
  const pool = { type: "g6-standard-1", count: 2 };
  const { id, path, pools } = await cluster(one, [pool, pool]);
  const [first] = await pools();
  const compute_id = first?.nodes[0]?.instance_id;
  const volume = (await send("POST /volumes", { body: { label: "data", region: "us-east" } })).body.id;
  one.advance(10_000);
  await send(`POST /volumes/${volume}/attach`, { body: { compute_id, persist_across_boots: false } });
  await send(`DELETE ${path}`);
  for (const deleted of ["", "/pools", `/pools/${first?.id}`, `/nodes/${first?.nodes[0]?.id}`, "/kubeconfig"])
    expect((await send(`GET ${path}${deleted}`)).status).toBe(404);
  const left = () => one.world.instances.where(({ label }) => label.startsWith(`lke${id}-`)).length;
  expect(left()).toBe(4);
  for (const expected of [3, 2, 1, 0]) {
    one.advance(2_500);
    expect(left()).toBe(expected);
  }
  expect((await send(`GET /volumes/${volume}`)).body).toMatchObject({ status: "active", compute_id: null });
});

test("characters of a label that are not ASCII are escape sequences in responses", async (one) => {
  await create(one, { label: "grün" });
  const headers = { authorization: `Bearer ${one.token}` };
  const text = await (await fetch(`${one.url}/lke/clusters`, { headers })).text();
  expect(text).toContain('"label":"gr\\u00fcn"');
  expect((await one.send("GET /lke/clusters")).body.data).toMatchObject([{ label: "grün" }]);
});
