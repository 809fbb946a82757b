import { expect } from "vitest";
import { messages, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { backend, balancer, rule } from "./balancer";
import { certificate } from "./certificate";

test("creates, views, lists, updates and deletes a load balancer", async (one) => {
  const { send } = one;
  const created = await send("POST /nodebalancers", { body: { region: "eu-central", label: "front_1" } });
  expect(created.body).toMatchObject({ label: "front_1", region: "eu-central", client_conn_throttle: 0, tags: [] });
  const { id, ipv4, ipv6, hostname } = created.body;
  expect(ipv6).toMatch(/^2001:db8:/);
  expect(hostname).toBe(`nb-${ipv4.replaceAll(".", "-")}.eu-central.nodebalancer.cloudinfra.example`);
  const path = `/nodebalancers/${id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);

  const body = { label: "front-2", client_conn_throttle: 20, tags: ["prod"], transfer: { total: 1 } };
  const changed = await send(`PUT ${path}`, { body });
  expect(changed.body).toEqual({ ...created.body, label: "front-2", client_conn_throttle: 20, tags: ["prod"] });
  for (const filter of [{ label: "front-2" }, { region: "eu-central" }, { ipv4 }, { tags: "prod" }])
    expect((await send("GET /nodebalancers", { filter })).body.data).toEqual([changed.body]);
  expect((await send("GET /nodebalancers", { filter: { label: "front_1" } })).body.results).toBe(0);

  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  const entity = { id, label: "front-2", type: "nodebalancer", url: `/v4${path}` };
  expect(one.world.events.recent()[0]?.entity).toEqual(entity);
});

test("part 3 · Resources · Load balancer: labels are unique in the account, and generated if omitted", async (one) => {
  const first = await balancer(one, { label: "front" });
  const second = await balancer(one);
  expect((await second.request("GET ")).label).toBe(`balancer${second.id}`);
  const taken = ["label: Label must be unique"];
  const again = { body: { region: "us-east", label: "front" } };
  expect(messages(await one.send("POST /nodebalancers", again))).toEqual(taken);
  expect(await second.rejected("PUT ", { label: "front" })).toEqual(taken);
  expect(await first.request("PUT ", { label: "front" })).toMatchObject({ label: "front" });
});

test("rejects a region without load balancers or with an outage", async ({ world, send }) => {
  const { capabilities } = world.regions.get("us-east");
  world.regions.patch("us-east", { capabilities: capabilities.filter((name) => name !== "NodeBalancers") });
  world.regions.patch("us-west", { status: "outage" });
  expect(messages(await send("POST /nodebalancers", { body: { region: "us-east" } }))).toEqual([
    "region: Region us-east does not offer load balancers",
  ]);
  expect(messages(await send("POST /nodebalancers", { body: { region: "us-west" } }))).toEqual([
    "region: Region us-west has an outage",
  ]);
});

test("creates a load balancer with configs, one per port, and at least one node each", async (one) => {
  proves(rule(1));
  const { send } = one;
  const web = await backend(one);
  const far = await backend(one, { region: "us-east" });
  const [node, away, outer] = [web.ip, far.ip, (await web.view()).ipv4[0]].map((address) => ({
    label: "web",
    address,
  }));
  const create = (configs: object[]) => send("POST /nodebalancers", { body: { region: "eu-central", configs } });
  expect(messages(await create([{ nodes: [] }]))).toEqual(["configs.0.nodes: Must have at least 1 entry"]);
  expect(messages(await create([{}]))).toEqual(["configs.0.nodes: Is required"]);
  const twice = [{ nodes: [node] }, { port: 443, nodes: [node] }, { port: 80, nodes: [node] }];
  expect(messages(await create(twice))).toEqual([
    "configs.2.port: Must be unique in the load balancer: port 80 is listed twice",
  ]);
  expect(messages(await create([{ protocol: "https", nodes: [node] }]))).toEqual([
    "configs.0.ssl_cert: Is required for the protocol https",
    "configs.0.ssl_key: Is required for the protocol https",
  ]);
  expect(messages(await create([{ protocol: "https", ssl_cert: "x", ssl_key: "y", nodes: [away] }]))).toEqual([
    "configs.0.ssl_cert: Must be a certificate in PEM format",
    "configs.0.ssl_key: Must be a private key in PEM format, without a passphrase",
    `configs.0.nodes.0.address: ${far.ip} is not a private address of an instance in eu-central`,
  ]);
  expect(messages(await create([{ nodes: [node, outer as object] }]))).toHaveLength(1);
  expect(one.world.nodeBalancers.size + one.world.nodeBalancerConfigs.size + one.world.balancerAddresses.size).toBe(0);

  const pair = await certificate("shop.example.org");
  const nb = await balancer(one, {
    configs: [{ nodes: [node] }, { port: 443, protocol: "https", ...pair, nodes: [node, { ...node, mode: "backup" }] }],
  });
  const { data } = await nb.request("GET /configs");
  expect(data).toMatchObject([
    { port: 80, protocol: "http", nodebalancer_id: nb.id },
    { port: 443, ssl_commonname: "shop.example.org" },
  ]);
  expect((await nb.request(`GET /configs/${data[1].id}/nodes`)).data).toMatchObject([
    { label: "web", address: web.ip, weight: 50, mode: "accept", config_id: data[1].id, nodebalancer_id: nb.id },
    { label: "web", mode: "backup" },
  ]);
});

test("a new load balancer has no configs", async (one) => {
  proves(rule(1));
  const nb = await balancer(one);
  expect((await nb.request("GET /configs")).data).toEqual([]);
  one.advance(3_600_000);
  expect((await nb.request("GET ")).transfer).toEqual({ total: null, out: null, in: null });
  expect(new Set((await nb.request("GET /stats")).data.connections)).toEqual(new Set([0]));
});

test("deleting removes configs, nodes and addresses, and does not change the instances", async (one) => {
  proves(rule(2));
  const { world } = one;
  const web = await backend(one);
  const nb = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  const before = await web.view();
  expect(world.balancerAddresses.size).toBe(2);
  await nb.request("DELETE ");
  expect([
    world.nodeBalancerConfigs.size,
    world.nodeBalancerNodes.size,
    world.balancerAddresses.size,
    world.nodeBalancers.size,
  ]).toEqual([0, 0, 0, 0]);
  expect(await web.view()).toEqual(before);
});

test("no other object has an address of a load balancer", async (one) => {
  const value: string[] = [];
  for (let at = 0; at < 40; at++) {
    const nb = await balancer(one);
    const { ipv4, ipv6 } = await nb.request("GET ");
    const web = await machine(one, { region: "eu-central", type: "g6-nanode-1" });
    value.push(ipv4, ipv6, ...(await web.view()).ipv4);
    if (at % 4 === 0) await nb.request("DELETE ");
    expect((await one.send(`GET /networking/ips/${ipv4}`)).status).toBe(404);
  }
  expect(new Set(value).size).toBe(value.length);
});

test("an instance lists each load balancer once for which it is a backend", async (one) => {
  const { send } = one;
  const web = await backend(one);
  const node = { label: "web", address: web.ip };
  const nb = await balancer(one, { configs: [{ nodes: [node, node] }, { port: 81, nodes: [node] }] });
  const other = await balancer(one, { configs: [{ nodes: [node] }] });
  await balancer(one);
  const list = await send(`GET ${web.path}/nodebalancers`);
  expect(list.body.data).toEqual([await nb.request("GET "), await other.request("GET ")]);
  const entities = { compute: { [web.id]: "read_only" }, nodebalancer: { [other.id]: "read_only" } };
  const token = await restricted(one, { entities });
  const seen = await send(`GET ${web.path}/nodebalancers`, { token });
  expect(seen.body.data.map(({ id }: { id: number }) => id)).toEqual([other.id]);
});

test("a deleted instance is removed from its load balancers", async (one) => {
  proves("part 1 · Endpoints · Compute instances · rule 8");
  const web = await backend(one);
  const other = await backend(one);
  const nodes = [web, other].map(({ ip }, at) => ({ label: `web-${at}`, address: ip }));
  const nb = await balancer(one, { configs: [{ nodes }] });
  await one.send(`DELETE ${web.path}`);
  const [config] = (await nb.request("GET /configs")).data;
  expect((await nb.request(`GET /configs/${config.id}/nodes`)).data).toMatchObject([{ address: other.ip }]);
  const [, event] = one.world.events.recent();
  expect(event).toMatchObject({
    action: "nodebalancer_node_delete",
    entity: { id: nb.id, type: "nodebalancer" },
    secondary_entity: { id: web.id, type: "compute" },
    message: "web-0",
  });
});

test("part 2 · Endpoints · Tags: a load balancer can be tagged with a new tag, which then lists it", async (one) => {
  const nb = await balancer(one);
  await one.send("POST /tags", { body: { label: "prod", nodebalancers: [nb.id] } });
  const shown = await nb.request("GET ");
  expect(shown.tags).toEqual(["prod"]);
  expect((await one.send("GET /tags/prod")).body.data).toEqual([{ type: "nodebalancer", data: shown }]);
  await one.send("DELETE /tags/prod");
  expect((await nb.request("GET ")).tags).toEqual([]);
});
