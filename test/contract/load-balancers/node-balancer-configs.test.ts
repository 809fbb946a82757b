import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { backend, balancer, rule } from "./balancer";

const resource = "part 3 · Resources · Load balancer config";
const limit = "part 3 · Limits · limit 2";

test("defaults are a check every 31 seconds with a timeout of 30 and no path, and a node weight of 50", async (one) => {
  const nb = await balancer(one);
  const web = await backend(one);
  const node = { label: "web", address: web.ip };
  const defaults = { check_interval: 31, check_timeout: 30, check_path: "" };
  const config = await nb.request("POST /configs", {});
  expect(config).toMatchObject(defaults);
  expect(await nb.request(`POST /configs/${config.id}/nodes`, node)).toMatchObject({ weight: 50 });
  await nb.request(`POST /configs/${config.id}/rebuild`, { nodes: [{ ...node, label: "web-2" }] });
  expect((await nb.request(`GET /configs/${config.id}/nodes`)).data).toMatchObject([{ label: "web-2", weight: 50 }]);
  const body = { region: "eu-central", configs: [{ nodes: [node] }] };
  const { id } = (await one.send("POST /nodebalancers", { body })).body;
  const [created] = (await one.send(`GET /nodebalancers/${id}/configs`)).body.data;
  expect(created).toMatchObject(defaults);
  const nodes = (await one.send(`GET /nodebalancers/${id}/configs/${created.id}/nodes`)).body.data;
  expect(nodes).toMatchObject([{ weight: 50 }]);
});

test("creates a config with the defaults, views, lists, updates and deletes it", async (one) => {
  const nb = await balancer(one);
  const created = await nb.request("POST /configs", {});
  expect(created).toEqual({
    id: created.id,
    nodebalancer_id: nb.id,
    port: 80,
    protocol: "http",
    algorithm: "roundrobin",
    stickiness: "none",
    check: "none",
    check_interval: 31,
    check_timeout: 30,
    check_attempts: 3,
    check_path: "",
    check_body: "",
    check_passive: true,
    proxy_protocol: "none",
    cipher_suite: "recommended",
    ssl_cert: null,
    ssl_key: null,
    ssl_commonname: "",
    ssl_fingerprint: "",
    nodes_status: { up: 0, down: 0 },
  });
  const path = `/configs/${created.id}` as const;
  const changes = {
    port: 8080,
    protocol: "tcp",
    algorithm: "source",
    stickiness: "table",
    check: "http_body",
    check_interval: 60,
    check_timeout: 30,
    check_attempts: 30,
    check_path: "/health?deep=1",
    check_body: "fine",
    check_passive: false,
    proxy_protocol: "v2",
    cipher_suite: "legacy",
  };
  expect(await nb.request(`PUT ${path}`, changes)).toEqual({ ...created, ...changes });
  expect(await nb.request(`PUT ${path}`, {})).toEqual({ ...created, ...changes });
  expect(await nb.request(`GET ${path}`)).toEqual({ ...created, ...changes });
  expect((await nb.request("GET /configs")).data).toEqual([{ ...created, ...changes }]);
  expect(await nb.request(`DELETE ${path}`)).toEqual({});
  expect((await nb.request("GET /configs")).data).toEqual([]);
});

test.each([
  ["port", 0, 1],
  ["port", 65536, 65535],
  ["check_attempts", 0, 1],
  ["check_attempts", 31, 30],
  ["check_timeout", 0, 1],
  ["check_timeout", 31, 30],
  ["check_interval", 0, 1],
  ["protocol", "udp", "tcp"],
  ["algorithm", "random", "leastconn"],
  ["check", "ping", "connection"],
  ["check_path", "/a b", "/a-b%20?c=d&e=f.g"],
  ["cipher_suite", "none", "legacy"],
  ["proxy_protocol", "v3", "v1"],
])("%s: rejects %j, accepts %j", async (one, field, wrong, right) => {
  proves(limit);
  const nb = await balancer(one);
  expect(await nb.rejected("POST /configs", { [field]: wrong })).toHaveLength(1);
  const created = await nb.request("POST /configs", { [field]: right });
  expect(created[field]).toBe(right);
  expect(await nb.rejected(`PUT /configs/${created.id}`, { [field]: wrong })).toHaveLength(1);
});

test("a load balancer has at most one config for each port", async (one) => {
  proves(rule(3));
  const nb = await balancer(one);
  const web = await nb.request("POST /configs", { port: 8080 });
  const other = await nb.request("POST /configs", { port: 8081 });
  const taken = ["port: Must be unique in the load balancer, which already has a config for port 8080"];
  expect(await nb.rejected("POST /configs", { port: 8080 })).toEqual(taken);
  expect(await nb.rejected(`PUT /configs/${other.id}`, { port: 8080 })).toEqual(taken);
  expect(await nb.request(`PUT /configs/${web.id}`, { port: 8080 })).toMatchObject({ port: 8080 });
  const elsewhere = await balancer(one);
  expect(await elsewhere.request("POST /configs", { port: 8080 })).toMatchObject({ port: 8080 });
  await nb.request(`DELETE /configs/${web.id}`);
  expect(await nb.request(`PUT /configs/${other.id}`, { port: 8080 })).toMatchObject({ port: 8080 });
});

test("deleting a config deletes its nodes and frees its port", async (one) => {
  proves(rule(4));
  const { ip } = await backend(one);
  const node = { label: "web", address: ip };
  const nb = await balancer(one, { configs: [{ nodes: [node, node] }, { port: 81, nodes: [node] }] });
  const [first] = (await nb.request("GET /configs")).data;
  await nb.request(`DELETE /configs/${first.id}`);
  expect(one.world.nodeBalancerNodes.size).toBe(1);
  await nb.request("POST /configs", { port: 80 });
});

test(`${resource}: stickiness by cookie requires http or https, and a check of the body requires a text`, async (one) => {
  const nb = await balancer(one);
  const cookie = ["stickiness: Must not be http_cookie for the protocol tcp, which has no cookies"];
  expect(await nb.rejected("POST /configs", { protocol: "tcp", stickiness: "http_cookie" })).toEqual(cookie);
  const text = ["check_body: Is required if check is http_body"];
  expect(await nb.rejected("POST /configs", { check: "http_body" })).toEqual(text);
  const created = await nb.request("POST /configs", {
    stickiness: "http_cookie",
    check: "http_body",
    check_body: "ok",
  });
  expect(await nb.rejected(`PUT /configs/${created.id}`, { protocol: "tcp", check_body: "" })).toEqual([
    ...cookie,
    ...text,
  ]);
});
