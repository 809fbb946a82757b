import { expect } from "vitest";
import { type Cloud, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { type Backend, backend, balancer } from "./balancer";

const resource = "part 3 · Resources · Load balancer node";
const checks = "part 3 · Resources · Load balancer config · rule 2";

async function config(one: Cloud, settings: object = {}) {
  const nb = await balancer(one);
  const { id } = await nb.request("POST /configs", settings);
  return { nb, id, path: `/configs/${id}`, nodes: `/configs/${id}/nodes` } as const;
}

/** Creates a load balancer with one backend that is checked every 10 seconds. */
async function checked(one: Cloud, web: Backend, settings: object = { check: "connection" }) {
  const created = await config(one, { check_interval: 10, check_attempts: 3, ...settings });
  const { nb, nodes, path } = created;
  const { id } = await nb.request(`POST ${nodes}`, { label: "web", address: web.ip });
  const status = async () => {
    const node = await nb.request(`GET ${nodes}/${id}`);
    const { nodes_status } = await nb.request(`GET ${path}`);
    // A node that has not been checked yet counts as down.
    expect(nodes_status).toEqual({ up: Number(node.status === "UP"), down: Number(node.status !== "UP") });
    return node.status;
  };
  return { ...created, node: `${nodes}/${id}` as const, status };
}

test("creates, views, lists, updates and deletes a node", async (one) => {
  const web = await backend(one);
  const { nb, id, nodes } = await config(one);
  const created = await nb.request(`POST ${nodes}`, { label: "web.1", address: web.ip });
  expect(created).toEqual({
    id: created.id,
    label: "web.1",
    address: web.ip,
    weight: 50,
    mode: "accept",
    status: "unknown",
    config_id: id,
    nodebalancer_id: nb.id,
  });
  const node = `${nodes}/${created.id}` as const;
  expect(await nb.request(`GET ${node}`)).toEqual(created);
  const changes = { label: "web_2", address: `${web.ip}:8080`, weight: 255 };
  expect(await nb.request(`PUT ${node}`, changes)).toEqual({ ...created, ...changes });
  expect(one.world.events.recent()[0]).toMatchObject({ action: "nodebalancer_node_update", message: "web_2" });
  expect((await nb.request(`GET ${nodes}`)).data).toEqual([{ ...created, ...changes }]);
  expect(await nb.request(`DELETE ${node}`)).toEqual({});
  expect((await nb.request(`GET ${nodes}`)).data).toEqual([]);
});

test(`${resource}: the address must be a private one of an instance in the region, with or without a port`, async (one) => {
  const web = await backend(one);
  const far = await backend(one, { region: "us-east" });
  const { nb, nodes } = await config(one);
  const rejected = (address: unknown) => nb.rejected(`POST ${nodes}`, { label: "web", address });
  const [outer] = (await web.view()).ipv4;
  const form = "address: Must be a private IPv4 address, with or without a port, like 192.168.130.4:8080";
  const odd = [outer, "web", `${web.ip}:`, `${web.ip}:0`, `${web.ip}:65536`, `${web.ip}:080`, "::1", "172.32.0.1"];
  for (const address of odd) expect(await rejected(address), address).toEqual([form]);
  for (const ip of [far.ip, "192.168.0.1", "10.1.2.3", "172.31.0.1"])
    expect(await rejected(`${ip}:80`)).toEqual([
      `address: ${ip} is not a private address of an instance in eu-central`,
    ]);
  expect(await rejected(undefined)).toEqual(["address: Is required"]);
  const { id } = await nb.request(`POST ${nodes}`, { label: "web", address: `${web.ip}:65535` });
  expect(await nb.rejected(`PUT ${nodes}/${id}`, { address: far.ip })).toHaveLength(1);
});

test("several nodes of a port can have the same label and address", async (one) => {
  const web = await backend(one);
  const { nb, nodes } = await config(one);
  const body = { label: "web", address: `${web.ip}:80` };
  const [first, second] = [await nb.request(`POST ${nodes}`, body), await nb.request(`POST ${nodes}`, body)];
  expect((await nb.request(`GET ${nodes}`)).data).toEqual([first, second]);
  expect([first, second]).toMatchObject([body, body]);
  expect(second.id).not.toBe(first.id);
});

test("the deletion of an instance deletes the nodes with its addresses", async (one) => {
  const [web, other] = [await backend(one), await backend(one)];
  const { nb, nodes } = await config(one);
  await nb.request(`POST ${nodes}`, { label: "web", address: `${web.ip}:80` });
  const remaining = await nb.request(`POST ${nodes}`, { label: "other", address: other.ip });
  expect((await one.send(`DELETE ${web.path}`)).status).toBe(200);
  expect((await nb.request(`GET ${nodes}`)).data).toEqual([remaining]);
});

test("a restricted user can add only visible instances", async (one) => {
  const [seen, hidden] = [await backend(one), await backend(one)];
  const { nb, nodes } = await config(one);
  const entities = { nodebalancer: { [nb.id]: "read_write" }, compute: { [seen.id]: "read_only" } };
  const token = await restricted(one, { entities });
  const add = (address: string) => one.send(`POST ${nb.path}${nodes}`, { token, body: { label: "web", address } });
  expect((await add(seen.ip)).status).toBe(200);
  expect(messages(await add(hidden.ip))).toEqual([
    `address: ${hidden.ip} is not a private address of an instance in eu-central`,
  ]);
});

test("without checks, the status of a node is unknown", async (one) => {
  proves(checks);
  const { status } = await checked(one, await backend(one), { check: "none" });
  one.advance(3_600_000);
  expect(await status()).toBe("unknown");
});

test.each([[{ check: "connection" }], [{ check: "http" }], [{ check: "http_body", check_body: "ok" }]])(
  "a check %j finds a running backend up at the first try, and down when it stops",
  async (one, settings) => {
    proves(checks);
    const web = await backend(one);
    const { nb, node, status } = await checked(one, web, settings);
    expect(await status()).toBe("unknown");
    one.advance(9_999);
    expect(await status()).toBe("unknown");
    one.advance(1);
    expect(await status()).toBe("UP");
    await web.request("POST /shutdown");
    // The load balancer is now 25 seconds old, because the shutdown has taken 15 seconds. Its checks of the backend at
    // 20, 30 and 40 seconds fail, and the third failure changes the status to DOWN.
    one.advance(14_999);
    expect(await status()).toBe("UP");
    one.advance(1);
    expect(await status()).toBe("DOWN");
    await web.request("POST /boot");
    one.advance(9_999);
    expect(await status()).toBe("UP");
    await nb.request(`PUT ${node}`, { weight: 7 });
    expect(await status()).toBe("UP");
    await nb.request(`PUT ${node}`, { address: `${web.ip}:81` });
    expect(await status()).toBe("unknown");
  },
);

test("part 3 · Resources · Load balancer config: a backend is down after check_attempts failed checks", async (one) => {
  const web = await backend(one);
  await web.request("POST /shutdown");
  const { nb, path, status } = await checked(one, web);
  one.advance(29_999);
  expect(await status()).toBe("unknown");
  one.advance(1);
  expect(await status()).toBe("DOWN");
  await nb.request(`PUT ${path}`, { algorithm: "source" });
  expect(await status()).toBe("DOWN");
  await nb.request(`PUT ${path}`, { check: "http" });
  expect(await status()).toBe("unknown");
});

test("a backend that reboots between two checks, or for fewer than check_attempts of them, stays up", async (one) => {
  const web = await backend(one);
  const { status } = await checked(one, web);
  one.advance(10_000);
  await web.request("POST /reboot");
  expect(await status()).toBe("UP");
  const slow = await checked(one, web, { check: "connection", check_interval: 3600, check_attempts: 1 });
  one.advance(3_600_000);
  await web.request("POST /reboot");
  expect(await slow.status()).toBe("UP");
});

test("part 3 · Endpoints · Load balancers: a backend that moves to another region is removed", async (one) => {
  const web = await backend(one);
  const { nb, nodes } = await checked(one, web);
  await web.request("POST /migrate", { region: "us-east" });
  expect((await nb.request(`GET ${nodes}`)).data).toEqual([]);
  expect((await web.view()).ipv4).not.toContain(web.ip);
});

test("the private address of a backend cannot be removed, even after its node is deleted", async (one) => {
  const web = await backend(one);
  const { nb, node } = await checked(one, web);
  const reason = [`${web.ip} is a private address, which cannot be removed from its instance`];
  expect(await web.rejected(`DELETE /ips/${web.ip}`)).toEqual(reason);
  await nb.request(`DELETE ${node}`);
  expect(await web.rejected(`DELETE /ips/${web.ip}`)).toEqual(reason);
});
