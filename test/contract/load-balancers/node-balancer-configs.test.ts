import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { cloud, restricted } from "../cloud";
import { history, told } from "../compute/instance";
import { proves } from "../proves";
import { type Balancer, backend, balancer } from "./balancer";
import { certificate } from "./certificate";

const resource = "part 3 · Resources · Load balancer config";
const rule = (n: number) => `part 3 · Endpoints · Load balancers · rule ${n}`;
const limit = "part 3 · Limits · limit 2";

test("E23: a config is checked every 31 seconds for at most 30 unless stated, without a path, and a node has weight 50", async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const web = await backend(one);
  const node = { label: "web", address: web.ip };
  const defaults = { check_interval: 31, check_timeout: 30, check_path: "" };
  const config = await nb.ask("POST /configs", {});
  expect(config).toMatchObject(defaults);
  expect(await nb.ask(`POST /configs/${config.id}/nodes`, node)).toMatchObject({ weight: 50 });
  await nb.ask(`POST /configs/${config.id}/rebuild`, { nodes: [{ ...node, label: "web-2" }] });
  expect((await nb.ask(`GET /configs/${config.id}/nodes`)).data).toMatchObject([{ label: "web-2", weight: 50 }]);
  const body = { region: "eu-central", configs: [{ nodes: [node] }] };
  const { id } = (await one.send("POST /nodebalancers", { body })).body;
  const [made] = (await one.send(`GET /nodebalancers/${id}/configs`)).body.data;
  expect(made).toMatchObject(defaults);
  const nodes = (await one.send(`GET /nodebalancers/${id}/configs/${made.id}/nodes`)).body.data;
  expect(nodes).toMatchObject([{ weight: 50 }]);
});

test("a config is created with the defaults, viewed, listed, changed and deleted", async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const made = await nb.ask("POST /configs", {});
  expect(made).toEqual({
    id: made.id,
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
  const path = `/configs/${made.id}` as const;
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
  expect(await nb.ask(`PUT ${path}`, changes)).toEqual({ ...made, ...changes });
  expect(await nb.ask(`PUT ${path}`, {})).toEqual({ ...made, ...changes });
  expect(await nb.ask(`GET ${path}`)).toEqual({ ...made, ...changes });
  expect((await nb.ask("GET /configs")).data).toEqual([{ ...made, ...changes }]);
  expect(await nb.ask(`DELETE ${path}`)).toEqual({});
  expect((await one.send(`GET ${nb.path}${path}`)).status).toBe(404);
  expect(history(one).slice(1)).toEqual([
    "nodebalancer_config_create notification",
    "nodebalancer_config_update notification",
    "nodebalancer_config_update notification",
    "nodebalancer_config_delete notification",
  ]);
});

test("a config is that of its load balancer only", async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const other = await balancer(one);
  const { id } = await nb.ask("POST /configs", {});
  for (const request of ["GET", "PUT", "DELETE"])
    expect((await one.send(`${request} ${other.path}/configs/${id}`)).status, request).toBe(404);
  expect((await one.send(`GET ${other.path}/configs/${id}/nodes`)).status).toBe(404);
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
])("%s %j is refused, %j is fine", async (field, wrong, right) => {
  proves(limit);
  await using one = await cloud();
  const nb = await balancer(one);
  expect(await nb.refused("POST /configs", { [field]: wrong })).toHaveLength(1);
  const made = await nb.ask("POST /configs", { [field]: right });
  expect(made[field]).toBe(right);
  expect(await nb.refused(`PUT /configs/${made.id}`, { [field]: wrong })).toHaveLength(1);
});

test("one config for each port, in each load balancer", async () => {
  proves(rule(3));
  await using one = await cloud();
  const nb = await balancer(one);
  const web = await nb.ask("POST /configs", { port: 8080 });
  const other = await nb.ask("POST /configs", { port: 8081 });
  const taken = ["port: Must be unique in the load balancer; 8080 has a config"];
  expect(await nb.refused("POST /configs", { port: 8080 })).toEqual(taken);
  expect(await nb.refused(`PUT /configs/${other.id}`, { port: 8080 })).toEqual(taken);
  expect(await nb.ask(`PUT /configs/${web.id}`, { port: 8080 })).toMatchObject({ port: 8080 });
  const elsewhere = await balancer(one);
  expect(await elsewhere.ask("POST /configs", { port: 8080 })).toMatchObject({ port: 8080 });
  await nb.ask(`DELETE /configs/${web.id}`);
  expect(await nb.ask(`PUT /configs/${other.id}`, { port: 8080 })).toMatchObject({ port: 8080 });
});

test("deleting a config deletes its nodes and frees its port", async () => {
  proves(rule(4));
  await using one = await cloud();
  const { ip } = await backend(one);
  const node = { label: "web", address: ip };
  const nb = await balancer(one, { configs: [{ nodes: [node, node] }, { port: 81, nodes: [node] }] });
  const [first] = (await nb.ask("GET /configs")).data;
  await nb.ask(`DELETE /configs/${first.id}`);
  expect(one.world.nodeBalancerNodes.size).toBe(1);
  await nb.ask("POST /configs", { port: 80 });
});

test("https requires certificate and key, http and tcp have neither", async () => {
  proves(`${resource} · rule 1`);
  await using one = await cloud();
  const nb = await balancer(one);
  const { ssl_cert, ssl_key } = await certificate("example.org");
  const refused = (body: object) => nb.refused("POST /configs", body);
  const required = "Is required for the protocol https";
  expect(await refused({ protocol: "https", ssl_key })).toEqual([`ssl_cert: ${required}`]);
  expect(await refused({ protocol: "https", ssl_cert })).toEqual([`ssl_key: ${required}`]);
  expect(await refused({ ssl_cert, ssl_key })).toEqual([
    "ssl_cert: Must be absent for the protocol http; only https has it",
    "ssl_key: Must be absent for the protocol http; only https has it",
  ]);
  expect(await refused({ protocol: "tcp", ssl_key })).toEqual([
    "ssl_key: Must be absent for the protocol tcp; only https has it",
  ]);
  const plain = await nb.ask("POST /configs", { ssl_cert: null, ssl_key: null });
  expect(await nb.refused(`PUT /configs/${plain.id}`, { protocol: "https" })).toHaveLength(2);
  expect(await nb.refused(`PUT /configs/${plain.id}`, { ssl_cert, ssl_key })).toHaveLength(2);
  const path = `PUT /configs/${plain.id}` as const;
  expect(await nb.ask(path, { protocol: "https", ssl_cert, ssl_key })).toMatchObject({ protocol: "https" });
  expect(await nb.refused(path, { ssl_cert: null })).toEqual([`ssl_cert: ${required}`]);
  expect(await nb.ask(path, { protocol: "tcp" })).toMatchObject({
    ssl_cert: null,
    ssl_key: null,
    ssl_commonname: "",
    ssl_fingerprint: "",
  });
  expect(await nb.refused(path, { protocol: "https" })).toHaveLength(2);
});

test(`${resource}: certificate and key are never shown; name and fingerprint come from the certificate`, async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const first = await certificate("example.org");
  const made = await nb.ask("POST /configs", { protocol: "https", port: 443, ...first });
  const shown = (name: string, { ssl_cert }: { ssl_cert: string }) => ({
    ssl_cert: "<REDACTED>",
    ssl_key: "<REDACTED>",
    ssl_commonname: name,
    ssl_fingerprint: new X509Certificate(ssl_cert).fingerprint,
  });
  expect(made).toMatchObject(shown("example.org", first));
  const second = await certificate("example.net");
  const chain = { ssl_cert: second.ssl_cert + first.ssl_cert, ssl_key: second.ssl_key.replaceAll("\n", "\\n") };
  expect(await nb.ask(`PUT /configs/${made.id}`, chain)).toMatchObject(shown("example.net", second));
  expect((await nb.ask("GET /configs")).data).toMatchObject([shown("example.net", second)]);
  expect(await nb.ask(`PUT /configs/${made.id}`, { algorithm: "source" })).toMatchObject(shown("example.net", second));
  const { body: log } = await one.send("GET /_emulator/requests");
  expect(JSON.stringify(log)).not.toContain("PRIVATE KEY");
  expect(JSON.stringify(log)).toContain("[secret]");
});

test(`${resource}: certificate and key must be in PEM form and belong together`, async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const [first, second] = [await certificate("example.org"), await certificate("example.net")];
  const https = { protocol: "https", ...first };
  const refused = (body: object) => nb.refused("POST /configs", { ...https, ...body });
  expect(await refused({ ssl_key: second.ssl_key })).toEqual(["ssl_key: Must be the key of the certificate"]);
  expect(await refused({ ssl_cert: first.ssl_key })).toEqual(["ssl_cert: Must be a certificate in PEM form"]);
  expect(await refused({ ssl_key: "secret" })).toEqual([
    "ssl_key: Must be a private key in PEM form, without a passphrase",
  ]);
  const made = await nb.ask("POST /configs", https);
  expect(await nb.refused(`PUT /configs/${made.id}`, { ssl_cert: second.ssl_cert })).toEqual([
    "ssl_key: Must be the key of the certificate",
  ]);
});

test(`E16: ${resource}: a certificate and a key that are sent back as they are shown stay, and stand for none elsewhere`, async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const pair = await certificate("example.org");
  const back = { ssl_cert: "<REDACTED>", ssl_key: "<REDACTED>" };
  const { id } = await nb.ask("POST /configs", { protocol: "https", port: 443, ...pair });
  const kept = () => one.world.nodeBalancerConfigs.get(id);
  await nb.ask(`PUT /configs/${id}`, { ...back, algorithm: "source" });
  expect(kept()).toMatchObject({ ...pair, algorithm: "source" });
  const node = { address: (await backend(one)).ip, label: "web" };
  await nb.ask(`POST /configs/${id}/rebuild`, { ...back, nodes: [node] });
  expect(kept()).toMatchObject(pair);
  expect(await nb.refused("POST /configs", { protocol: "https", ...back })).toHaveLength(2);
  const plain = await nb.ask("POST /configs", { port: 80 });
  expect(await nb.refused(`PUT /configs/${plain.id}`, { protocol: "https", ...back })).toHaveLength(2);
  await nb.refused(`PUT /configs/${plain.id}`, back);
});

test(`${resource}: a cookie needs http or https, a check of the body a text`, async () => {
  await using one = await cloud();
  const nb = await balancer(one);
  const cookie = ["stickiness: Must not be http_cookie for the protocol tcp, which has no cookies"];
  expect(await nb.refused("POST /configs", { protocol: "tcp", stickiness: "http_cookie" })).toEqual(cookie);
  const text = ["check_body: Is required for the check http_body"];
  expect(await nb.refused("POST /configs", { check: "http_body" })).toEqual(text);
  const made = await nb.ask("POST /configs", { stickiness: "http_cookie", check: "http_body", check_body: "ok" });
  expect(await nb.refused(`PUT /configs/${made.id}`, { protocol: "tcp", check_body: "" })).toEqual([
    ...cookie,
    ...text,
  ]);
});

async function withNodes(one: Awaited<ReturnType<typeof cloud>>) {
  const web = await backend(one);
  const nodes = ["web-1", "web-2"].map((label) => ({ label, address: web.ip, weight: 50 }));
  const nb = await balancer(one, { configs: [{ nodes }] });
  const [config] = (await nb.ask("GET /configs")).data;
  const path = `/configs/${config.id as number}` as const;
  const list = async () => (await nb.ask(`GET ${path}/nodes`)).data;
  const [first, second] = await list();
  return { web, nb, config, path, list, first, second };
}

test("a rebuild deletes nodes that are left out, changes those with an id, creates those without", async () => {
  proves(rule(5));
  await using one = await cloud();
  const { web, nb, config, path, list, first } = await withNodes(one);
  const rebuilt = await nb.ask(`POST ${path}/rebuild`, {
    algorithm: "leastconn",
    nodes: [
      { id: first.id, mode: "drain" },
      { label: "web-3", address: `${web.ip}:8080` },
    ],
  });
  expect(rebuilt).toEqual({ ...config, algorithm: "leastconn" });
  const after = await list();
  expect(after).toMatchObject([
    { ...first, mode: "drain" },
    { label: "web-3", address: `${web.ip}:8080`, weight: 50, mode: "accept" },
  ]);
  expect(after).toHaveLength(2);
  await nb.ask(`POST ${path}/rebuild`, { nodes: [{ label: "web-4", address: web.ip }] });
  expect(await list()).toMatchObject([{ label: "web-4" }]);
  expect(history(one).at(-1)).toBe("nodebalancer_config_update notification");
});

test("a rebuild needs a node, and nodes that are there or whole; refused, it changes nothing", async () => {
  proves(rule(5));
  await using one = await cloud();
  const { web, nb, config, path, list, first, second } = await withNodes(one);
  const other: Balancer = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  const [foreign] = one.world.nodeBalancerNodes.by("nodebalancer_id", other.id);
  const refused = (body: object) => nb.refused(`POST ${path}/rebuild`, body);
  expect(await refused({ nodes: [] })).toEqual(["nodes: Must hold at least 1 entry"]);
  expect(await refused({ port: 90 })).toEqual(["nodes: Is required"]);
  expect(await refused({ nodes: [{ id: first.id }, { id: first.id }, { weight: 3 }] })).toEqual([
    `nodes.1.id: Must name each node once, not ${first.id} again`,
    "nodes.2.label: Is required for a node without an id",
    "nodes.2.address: Is required for a node without an id",
  ]);
  const wrong = { check: "http_body", nodes: [{ id: foreign?.id }, { id: second.id, address: "10.0.0.1" }] };
  expect(await refused(wrong)).toEqual([
    "check_body: Is required for the check http_body",
    `nodes.0.id: There is no node ${foreign?.id} in config ${config.id}`,
    "nodes.1.address: 10.0.0.1 is not a private address of an instance in eu-central",
  ]);
  expect(await list()).toEqual([first, second]);
});

test("a rebuild by a restricted user needs add_nodebalancers and read_write, and grants nothing", async () => {
  await using one = await cloud();
  const { nb, config, path, first } = await withNodes(one);
  const body = { nodes: [{ id: first.id }] };
  const may = async (level: string, add_nodebalancers: boolean) => {
    const entities = { nodebalancer: { [nb.id]: level } };
    const token = await restricted(one, { entities, global: { add_nodebalancers } });
    return one.send(`POST ${nb.path}${path}/rebuild`, { token, body });
  };
  expect((await may("read_write", false)).status).toBe(403);
  expect(told(await may("read_only", true))).toEqual(["Unauthorized: your user may only look at this nodebalancer"]);
  expect((await may("read_write", true)).body).toEqual(config);
  expect(one.world.users.get("guest").grants.entities.nodebalancer).toEqual({ [nb.id]: "read_write" });
});
