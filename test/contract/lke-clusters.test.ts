import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Cloud, cloud, restricted } from "./cloud";
import { cluster, complaints, create, nodeIds, statuses } from "./lke";

const rule = (number: number): string => `part 2 · Endpoints · Kubernetes · rule ${number}`;

async function kubeconfig({ send }: Cloud, path: `/lke/clusters/${number}`) {
  const { body } = await send(`GET ${path}/kubeconfig`);
  const text = Buffer.from(body.kubeconfig, "base64").toString();
  const file = parse(text);
  return { text, file, server: file.clusters[0].cluster.server, token: file.users[0].user.token };
}

const authority = (file: { clusters: { cluster: Record<string, string> }[] }) =>
  new X509Certificate(Buffer.from(file.clusters[0]?.cluster["certificate-authority-data"] as string, "base64"));

test("a cluster is created, viewed, listed, changed and deleted", async () => {
  await using one = await cloud();
  const { send } = one;
  const made = await create(one, { tags: ["prod"] });
  const time = "2022-01-01T00:00:00";
  expect(made).toMatchObject({ status: 200 });
  expect(made.body).toEqual({
    id: made.body.id,
    label: "main",
    region: "us-east",
    k8s_version: "1.20",
    control_plane: { high_availability: false },
    tags: ["prod"],
    created: time,
    updated: time,
  });
  const path = `/lke/clusters/${made.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(made.body);
  one.advance(5_000);
  const changed = await send(`PUT ${path}`, { body: { label: "blue", tags: [] } });
  expect(changed.body).toEqual({ ...made.body, label: "blue", tags: [], updated: "2022-01-01T00:00:05" });
  expect((await send("GET /lke/clusters", { filter: { tags: "prod" } })).body.results).toBe(0);
  expect((await send("GET /lke/clusters")).body.data).toEqual([changed.body]);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  for (const gone of ["GET", "DELETE"]) expect((await send(`${gone} ${path}`)).status).toBe(404);
});

test("a create is refused with everything that is wrong", async () => {
  await using one = await cloud();
  await create(one);
  one.world.regions.patch("us-west", { capabilities: ["Instances"], status: "outage" });
  const pool = { type: "g6-nanode-1", count: 5 };
  const node_pools = [
    { ...pool, autoscaler: { enabled: true, min: 1, max: 3 } },
    { ...pool, disks: [{ size: 25_600, type: "raw" }] },
  ];
  expect(complaints(await create(one, { region: "us-west", node_pools }))).toEqual([
    "label: Label must be unique",
    "region: Region us-west has an outage",
    "region: Region us-west has no Kubernetes",
    "node_pools.0.count: Must be 1 to 3, the bounds of the autoscaler",
    expect.stringContaining("node_pools.1.disks: Must be less than 25600 MB together, the disk of g6-nanode-1"),
  ]);
  const unknown = { region: "mars", k8s_version: "1.19", node_pools: [{ type: "g9-huge", count: 0 }] };
  expect(complaints(await create(one, unknown))).toEqual([
    expect.stringMatching("node_pools.0.count: Must be at least 1"),
    expect.stringContaining('region: There is no region "mars"'),
    expect.stringContaining('k8s_version: There is no Kubernetes version "1.19"'),
    expect.stringContaining('node_pools.0.type: There is no type "g9-huge"'),
  ]);
  expect(one.world.instances.size).toBe(0);
});

test(`${rule(1)}: the API server can be reached after a while, and says so until then`, async () => {
  await using one = await cloud();
  const { send } = one;
  const { body } = await create(one);
  const path = `/lke/clusters/${body.id}` as const;
  const asked = () => Promise.all([send(`GET ${path}/kubeconfig`), send(`GET ${path}/api-endpoints`)]);
  one.advance(59_999);
  const [file, endpoints] = await asked();
  for (const answer of [file, await send(`DELETE ${path}/kubeconfig`)]) {
    expect(answer.status).toBe(503);
    expect(complaints(answer)).toEqual(["Cluster kubeconfig is not yet available. Please try again later."]);
  }
  expect(endpoints.status).toBe(503);
  expect(complaints(endpoints)).toEqual(["Cluster API endpoints are not yet available. Please try again later."]);
  one.advance(1);
  expect((await asked()).map(({ status }) => status)).toEqual([200, 200]);
});

test(`${rule(1)}: events tell when the nodes are ready, one after the other`, async () => {
  await using one = await cloud();
  const { send } = one;
  const pool = { type: "g6-standard-1", count: 1 };
  const { body } = await create(one, { node_pools: [pool, { ...pool, count: 2 }] });
  const pools = async () => (await send(`GET /lke/clusters/${body.id}/pools`)).body.data;
  const nodes = (await pools()).flatMap((row: { nodes: { instance_id: number }[] }) => row.nodes);
  const events = async () =>
    (await send("GET /account/events", { filter: { action: "lke_node_create", "+order_by": "id" } })).body.data;
  one.advance(30_000);
  expect(await events()).toMatchObject([
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
    expect(statuses(await pools()).filter((status) => status === "ready")).toHaveLength(ready);
    expect((await events()).filter(({ status }: { status: string }) => status === "finished")).toHaveLength(ready);
  }
});

test("the kubeconfig holds the endpoint, a certificate authority of the cluster's own, and a token", async () => {
  await using one = await cloud();
  const { path, id } = await cluster(one);
  const { file, server, token } = await kubeconfig(one, path);
  expect(file).toMatchObject({ apiVersion: "v1", kind: "Config", "current-context": `lke${id}-ctx` });
  expect(file.contexts[0].context).toMatchObject({ cluster: file.clusters[0].name, user: file.users[0].name });
  const endpoints = (await one.send(`GET ${path}/api-endpoints`)).body.data;
  expect(endpoints.map(({ endpoint }: { endpoint: string }) => endpoint)).toContain(server);
  expect(server).toMatch(/^https:\/\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.us-east\.lke\.cloudinfra\.example:443$/);
  expect(token).toMatch(/^[\da-f]{64}$/);
  const certificate = authority(file);
  expect(certificate).toMatchObject({ ca: true, subject: `CN=lke${id}`, issuer: `CN=lke${id}` });
  expect(certificate.publicKey.asymmetricKeyType).toBe("ed25519");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(new Date(certificate.validFrom).getTime()).toBe(Date.UTC(2022, 0, 1));
  expect(new Date(certificate.validTo).getTime()).toBe(Date.UTC(2032, 0, 1));
  const other = await cluster(one, [], { label: "other" });
  const otherFile = await kubeconfig(one, other.path);
  expect(otherFile.token).not.toBe(token);
  expect(authority(otherFile.file).fingerprint256).not.toBe(certificate.fingerprint256);
});

test("the same seed and requests make the same kubeconfig, another seed another", async () => {
  const files = [];
  for (const seed of [7, 7, 8]) {
    await using one = await cloud({ seed });
    files.push((await kubeconfig(one, (await cluster(one)).path)).text);
  }
  expect(files[1]).toBe(files[0]);
  expect(files[2]).not.toBe(files[0]);
});

test("a kubeconfig that is deleted comes back with another token and the same authority", async () => {
  await using one = await cloud();
  const { path } = await cluster(one);
  const before = await kubeconfig(one, path);
  expect((await kubeconfig(one, path)).text).toBe(before.text);
  expect(await one.send(`DELETE ${path}/kubeconfig`)).toMatchObject({ status: 200, body: {} });
  const after = await kubeconfig(one, path);
  expect(after.token).not.toBe(before.token);
  expect(after.text.replace(after.token, before.token)).toBe(before.text);
  const log = JSON.stringify(one.requests.list());
  for (const secret of [before.token, after.token]) expect(log).not.toContain(secret);
});

test(`${rule(2)}: a cluster goes up one minor version at a time and never down`, async () => {
  await using one = await cloud();
  const { path, pools, id } = await cluster(one);
  const update = (k8s_version: string) => one.send(`PUT ${path}`, { body: { k8s_version } });
  expect(complaints(await update("1.22"))).toEqual([
    "k8s_version: The cluster runs 1.20; only the next minor version, 1.21, can be deployed, not 1.22",
  ]);
  expect((await update("1.20")).status).toBe(200);
  expect((await update("1.21")).body.k8s_version).toBe("1.21");
  expect(complaints(await update("1.20"))).toEqual([
    "k8s_version: The cluster runs 1.21 and can't be downgraded to 1.20",
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

test(`${rule(2)}: high availability is turned on and never off`, async () => {
  await using one = await cloud();
  const { path } = await cluster(one);
  const update = (control_plane: object) => one.send(`PUT ${path}`, { body: { control_plane } });
  expect((await update({ high_availability: false })).body.control_plane).toEqual({ high_availability: false });
  expect((await update({ high_availability: true })).body.control_plane).toEqual({ high_availability: true });
  expect((await update({})).body.control_plane).toEqual({ high_availability: true });
  expect(complaints(await update({ high_availability: false }))).toEqual([
    "control_plane.high_availability: Must stay true: high availability can't be turned off again",
  ]);
});

test.each([
  ["", 400],
  ["x".repeat(32), 200],
  ["x".repeat(33), 400],
  ["grün", 200],
  ["ship 🚢", 400],
])(`${rule(3)}: the label %j is answered with %i`, async (label, status) => {
  await using one = await cloud();
  const { id } = await cluster(one);
  expect((await one.send(`PUT /lke/clusters/${id}`, { body: { label } })).status).toBe(status);
  expect((await create(one, { label })).status).toBe(status === 200 ? 400 : status);
});

test(`${rule(6)}: a deleted cluster's instances go within some seconds; volumes stay`, async () => {
  await using one = await cloud();
  const { send } = one;
  const pool = { type: "g6-standard-1", count: 2 };
  const { id, path, pools } = await cluster(one, [pool, pool]);
  const [first] = await pools();
  const compute_id = first?.nodes[0]?.instance_id;
  const volume = (await send("POST /volumes", { body: { label: "data", region: "us-east" } })).body.id;
  one.advance(10_000);
  await send(`POST /volumes/${volume}/attach`, { body: { compute_id, persist_across_boots: false } });
  await send(`DELETE ${path}`);
  for (const gone of ["", "/pools", `/pools/${first?.id}`, `/nodes/${first?.nodes[0]?.id}`, "/kubeconfig"])
    expect((await send(`GET ${path}${gone}`)).status).toBe(404);
  const left = () => one.world.instances.where(({ label }) => label.startsWith(`lke${id}-`)).length;
  expect(left()).toBe(4);
  for (const expected of [3, 2, 1, 0]) {
    one.advance(2_500);
    expect(left()).toBe(expected);
  }
  expect((await send(`GET /volumes/${volume}`)).body).toMatchObject({ status: "active", compute_id: null });
});

test(`${rule(8)}: recycling a cluster replaces its nodes one after the other`, async () => {
  await using one = await cloud();
  const pool = { type: "g6-standard-1", count: 1 };
  const { path, pools } = await cluster(one, [pool, { ...pool, count: 2 }]);
  const before = nodeIds(await pools());
  await one.send(`POST ${path}/recycle`);
  const kept = async () => nodeIds(await pools()).filter((id) => before.includes(id)).length;
  for (const expected of [2, 1, 0]) {
    expect(await kept()).toBe(expected);
    expect(statuses(await pools()).filter((status) => status === "not_ready")).toHaveLength(1);
    one.advance(60_000);
  }
  expect(statuses(await pools())).toEqual(["ready", "ready", "ready"]);
  expect(one.world.instances.size).toBe(3);
});

test("restricted users need add_clusters to create one, and see and change what they are granted", async () => {
  await using one = await cloud();
  const { path } = await cluster(one);
  const token = await restricted(one);
  expect((await create(one, { label: "mine" }, token)).status).toBe(403);
  expect((await one.send(`GET ${path}`, { token })).status).toBe(404);
  await restricted(one, { global: { add_clusters: true } });
  const node_pools = [{ type: "g6-standard-1", count: 1, tags: ["prod"] }];
  expect(complaints(await create(one, { label: "mine", node_pools }, token))).toEqual([
    "tags: Only unrestricted users can add or change tags",
  ]);
  const mine = await create(one, { label: "mine" }, token);
  expect((await one.send("GET /lke/clusters", { token })).body.data).toEqual([mine.body]);
  expect((await one.send(`PUT /lke/clusters/${mine.body.id}`, { token, body: { label: "ours" } })).status).toBe(200);
});
