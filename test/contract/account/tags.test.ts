import { expect } from "vitest";
import { type Cloud, create, history, messages, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";

const rule = "part 2 · Endpoints · Tags · rule 1";
const documents = "part 2 · Endpoints · Tags";
const empty = { region: "eu-central", type: "g6-nanode-1" };

/**
 * Creates an object of each type that can have tags, except load balancers and types whose tags are tested elsewhere.
 */
async function things(one: Cloud, tags: string[] = []) {
  const add = async (path: `/${string}`, body: object) => (await create(one, path, body)).id;
  const rules = { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" };
  const kube = { label: "kube", region: "us-east", k8s_version: "1.22" };
  const pool = { type: "g6-standard-1", count: 1, tags };
  return {
    compute: await add("/compute/instances", { ...empty, tags }),
    domain: await add("/domains", { domain: "example.org", type: "master", soa_email: "a@example.org", tags }),
    volume: await add("/volumes", { label: "data", region: "us-east", tags }),
    firewall: await add("/networking/firewalls", { label: "wall", rules, tags }),
    cluster: await add("/lke/clusters", { ...kube, node_pools: [pool], tags }),
  };
}

const labels = async ({ send }: Cloud) =>
  (await send("GET /tags")).body.data.map(({ label }: { label: string }) => label);

test(`${documents}: creates a tag with objects, lists it, views it and deletes it`, async (one) => {
  const { send } = one;
  const { compute, domain, volume } = await things(one, ["keep"]);
  const body = { label: "prod", computes: [compute, compute], domains: [domain], volumes: [volume] };
  expect(await send("POST /tags", { body })).toMatchObject({ status: 200, body: { label: "prod" } });
  expect(await labels(one)).toEqual(["keep", "prod"]);
  const objects = await send("GET /tags/prod");
  expect(objects.body).toMatchObject({
    data: [
      { type: "compute", data: { id: compute, tags: ["keep", "prod"] } },
      { type: "domain", data: { id: domain, domain: "example.org", tags: ["keep", "prod"] } },
      { type: "volume", data: { id: volume, compute_label: null, tags: ["keep", "prod"] } },
    ],
    pages: 1,
    results: 3,
  });
  expect(objects.body.data[0].data).toEqual((await send(`GET /compute/instances/${compute}`)).body);
  expect((await send("GET /tags/prod?page=2")).body).toMatchObject({ data: [], results: 3 });
  expect(await send("DELETE /tags/prod")).toMatchObject({ status: 200, body: {} });
  expect((await send("GET /tags/prod")).status).toBe(404);
  expect((await send(`GET /volumes/${volume}`)).body.tags).toEqual(["keep"]);
  const [deleted, created] = one.world.events.recent().filter(({ action }) => action.startsWith("tag_"));
  expect(created).toMatchObject({ action: "tag_create", entity: { type: "tag", label: "prod", url: "/v4/tags/prod" } });
  expect(deleted).toMatchObject({ action: "tag_delete", entity: created?.entity });
});

test(`${documents}: a tag exists as long as it was created explicitly or an object has it`, async (one) => {
  const { send } = one;
  const { id } = await machine(one, { ...empty, tags: ["brought"] });
  await send("POST /tags", { body: { label: "made", computes: [id] } });
  expect(await labels(one)).toEqual(["brought", "made"]);
  await send(`PUT /compute/instances/${id}`, { body: { tags: [] } });
  expect(await labels(one)).toEqual(["made"]);
  expect((await send("GET /tags/made")).body).toMatchObject({ data: [], results: 0 });
  expect((await send("GET /tags/brought")).status).toBe(404);
  await send(`PUT /compute/instances/${id}`, { body: { tags: ["back"] } });
  expect(await labels(one)).toEqual(["back", "made"]);
});

test(`${documents}: deleting a tag removes it from all objects, even from those that its list omits`, async (one) => {
  const { send, world } = one;
  const { firewall, cluster } = await things(one, ["Prod", "other"]);
  expect((await send("GET /tags/prod")).body.data.map(({ type }: { type: string }) => type)).toEqual([
    "compute",
    "domain",
    "volume",
  ]);
  await send("DELETE /tags/prod");
  expect(await labels(one)).toEqual(["other"]);
  expect((await send(`GET /networking/firewalls/${firewall}`)).body.tags).toEqual(["other"]);
  expect((await send(`GET /lke/clusters/${cluster}`)).body.tags).toEqual(["other"]);
  expect(world.lkePools.all().map(({ tags }) => tags)).toEqual([["other"]]);
  await send("DELETE /tags/other");
  expect(await labels(one)).toEqual([]);
  expect(history(one).filter((line) => line.startsWith("tag_"))).toEqual([
    "tag_delete notification",
    "tag_delete notification",
  ]);
});

test(`${documents}: a tag exists only once regardless of case, and keeps its first form`, async (one) => {
  const { send } = one;
  await machine(one, { ...empty, tags: ["Web", "WEB"] });
  await machine(one, { ...empty, tags: ["web"] });
  const taken = ["label: Label must be unique"];
  expect(messages(await send("POST /tags", { body: { label: "wEb" } }))).toEqual(taken);
  await send("POST /tags", { body: { label: "Empty" } });
  expect(messages(await send("POST /tags", { body: { label: "empty" } }))).toEqual(taken);
  expect(await labels(one)).toEqual(["Empty", "Web"]);
  expect((await send("GET /tags/WEB")).body.results).toBe(2);
  expect((await send("DELETE /tags/EMPTY")).status).toBe(200);
  expect(await labels(one)).toEqual(["Web"]);
});

test(`${documents}: a tag is listed in the case of the oldest object that has it, of any type`, async (one) => {
  await create(one, "/volumes", { label: "data", region: "us-east", tags: ["Web"] });
  one.advance(1_000);
  const { id } = await create(one, "/compute/instances", { ...empty, tags: ["web", "sql"] });
  one.advance(1_000);
  await create(one, "/volumes", { label: "logs", region: "us-east", tags: ["WEB", "SQL"] });
  expect(await labels(one)).toEqual(["sql", "Web"]);
  expect((await one.send(`GET /compute/instances/${id}`)).body.tags).toEqual(["web", "sql"]);
});

test(`${documents}: a tag is listed in the case in which it was created, and objects keep their own`, async (one) => {
  await one.send("POST /tags", { body: { label: "Web" } });
  const { id } = await create(one, "/compute/instances", { ...empty, tags: ["web"] });
  expect(await labels(one)).toEqual(["Web"]);
  expect((await one.send(`GET /compute/instances/${id}`)).body.tags).toEqual(["web"]);
});

test.each(["a/b//c", "50%", "50%25", "käse & 日本", "?x=1#y", "/tags", "upload"])(
  `${documents}: the path accepts a label such as %j`,
  async (one, label) => {
    expect((await one.send("POST /tags", { body: { label } })).body).toEqual({ label });
    const path = `/tags/${encodeURIComponent(label)}` as const;
    expect((await one.send(`GET ${path}`)).status).toBe(200);
    const [event] = one.world.events.recent();
    expect(event?.entity.url).toBe(`/v4${path}`);
    expect((await one.send(`DELETE ${path}`)).status).toBe(200);
    expect(await labels(one)).toEqual([]);
  },
);

test("only unrestricted users can change tags", async (one) => {
  proves(rule);
  const { send } = one;
  const { id } = await machine(one, { ...empty, tags: ["prod"] });
  const entities = { compute: { [id]: "read_write" } };
  const token = await restricted(one, { entities, global: { account_access: "read_write" } });
  for (const tags of [["mine"], []])
    expect((await send(`PUT /compute/instances/${id}`, { token, body: { tags } })).status).toBe(403);
  expect((await send(`PUT /compute/instances/${id}`, { token, body: { label: "mine" } })).status).toBe(200);
  expect(await labels(one)).toEqual(["prod"]);
});

test("rejects a tag with an object that does not exist", async (one) => {
  proves(rule);
  const { send } = one;
  const { id } = await machine(one, empty);
  const body = { label: "prod", computes: [id, 7], domains: [8], nodebalancers: [9], volumes: [10] };
  expect(messages(await send("POST /tags", { body }))).toEqual([
    "computes.1: There is no instance 7",
    "domains.0: There is no domain 8",
    "nodebalancers.0: There is no load balancer 9",
    "volumes.0: There is no volume 10",
  ]);
  expect(await labels(one)).toEqual([]);
  expect((await send(`GET /compute/instances/${id}`)).body.tags).toEqual([]);
});

test(`${documents}: restricted users see only the tagged objects that they may view`, async (one) => {
  const { send } = one;
  const { compute, volume } = await things(one, ["prod"]);
  const seen = async (token: string) => (await send("GET /tags/prod", { token })).body.data;
  const token = await restricted(one, { entities: { volume: { [volume]: "read_only" } } });
  expect(await seen(token)).toMatchObject([{ type: "volume", data: { id: volume } }]);
  expect(await seen(one.token)).toMatchObject([{ data: { id: compute } }, { type: "domain" }, { type: "volume" }]);
  await restricted(one);
  expect((await send("GET /tags/prod", { token })).status).toBe(404);
  expect((await send("GET /tags", { token })).status).toBe(403);
});

test("a new tag is not added to an object with 500 tags", async (one) => {
  const tags = Array.from({ length: 500 }, (_, n) => `tag-${n}`);
  const { id } = await machine(one, { ...empty, tags });
  const volume = (await create(one, "/volumes", { label: "data", region: "us-east" })).id;
  const body = { label: "more", computes: [id], volumes: [volume] };
  expect(messages(await one.send("POST /tags", { body }))).toEqual([
    `computes.0: The instance ${id} has 500 tags, and more are not allowed`,
  ]);
  expect((await one.send(`GET /compute/instances/${id}`)).body.tags).toHaveLength(500);
  expect((await one.send(`GET /volumes/${volume}`)).body.tags).toEqual([]);
});
