import { expect } from "vitest";
import { type cloud, history, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { type Balancer, backend, balancer, rule } from "./balancer";

async function withNodes(one: Awaited<ReturnType<typeof cloud>>) {
  const web = await backend(one);
  const nodes = ["web-1", "web-2"].map((label) => ({ label, address: web.ip, weight: 50 }));
  const nb = await balancer(one, { configs: [{ nodes }] });
  const [config] = (await nb.request("GET /configs")).data;
  const path = `/configs/${config.id as number}` as const;
  const list = async () => (await nb.request(`GET ${path}/nodes`)).data;
  const [first, second] = await list();
  return { web, nb, config, path, list, first, second };
}

test("a rebuild deletes omitted nodes, updates those with an id, and creates all others", async (one) => {
  proves(rule(5));
  const { web, nb, config, path, list, first } = await withNodes(one);
  const rebuilt = await nb.request(`POST ${path}/rebuild`, {
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
  await nb.request(`POST ${path}/rebuild`, { nodes: [{ label: "web-4", address: web.ip }] });
  expect(await list()).toMatchObject([{ label: "web-4" }]);
  expect(history(one).at(-1)).toBe("nodebalancer_config_update notification");
});

test("rejects a rebuild without nodes, with unknown or incomplete ones, and changes nothing", async (one) => {
  proves(rule(5));
  const { web, nb, config, path, list, first, second } = await withNodes(one);
  const other: Balancer = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  const [foreign] = one.world.nodeBalancerNodes.by("nodebalancer_id", other.id);
  const rejected = (body: object) => nb.rejected(`POST ${path}/rebuild`, body);
  expect(await rejected({ nodes: [] })).toEqual(["nodes: Must have at least 1 entry"]);
  expect(await rejected({ port: 90 })).toEqual(["nodes: Is required"]);
  expect(await rejected({ nodes: [{ id: first.id }, { id: first.id }, { weight: 3 }] })).toEqual([
    `nodes.1.id: Must not list node ${first.id} twice`,
    "nodes.2.label: Is required for a new node, which is an entry without an id",
    "nodes.2.address: Is required for a new node, which is an entry without an id",
  ]);
  const wrong = { check: "http_body", nodes: [{ id: foreign?.id }, { id: second.id, address: "10.0.0.1" }] };
  expect(await rejected(wrong)).toEqual([
    "check_body: Is required if check is http_body",
    `nodes.0.id: There is no node ${foreign?.id} in config ${config.id}`,
    "nodes.1.address: 10.0.0.1 is not a private address of an instance in eu-central",
  ]);
  expect(await list()).toEqual([first, second]);
});

test("a rebuild by a restricted user requires add_nodebalancers and read_write, and adds no grant", async (one) => {
  const { nb, config, path, first } = await withNodes(one);
  const body = { nodes: [{ id: first.id }] };
  const may = async (level: string, add_nodebalancers: boolean) => {
    const entities = { nodebalancer: { [nb.id]: level } };
    const token = await restricted(one, { entities, global: { add_nodebalancers } });
    return one.send(`POST ${nb.path}${path}/rebuild`, { token, body });
  };
  expect((await may("read_write", false)).status).toBe(403);
  expect(messages(await may("read_only", true), 403)).toEqual([
    "Unauthorized: your user has read-only access to this nodebalancer",
  ]);
  expect((await may("read_write", true)).body).toEqual({ ...config, nodes_status: { up: 0, down: 1 } });
  expect(one.world.users.get("guest").grants.entities.nodebalancer).toEqual({ [nb.id]: "read_write" });
});
