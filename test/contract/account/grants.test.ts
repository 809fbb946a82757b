import { expect, test } from "vitest";
import { type Area, operations } from "../../../api";
import { cloud, restricted } from "../cloud";
import { freshAccount, type Plan } from "../matrix/plan";
import { plans } from "../matrix/plans";
import { type Input, request } from "../matrix/request";

test("a granted volume shows a restricted user the id and label of a hidden instance", async () => {
  await using one = await cloud();
  const [image, root_pass] = ["compute/debian11", "Correct-Horse-42"];
  const instance = { label: "hidden", region: "us-east", type: "g6-nanode-1", image, root_pass };
  const { id } = (await one.send("POST /compute/instances", { body: instance })).body;
  one.settle();
  const volume = (await one.send("POST /volumes", { body: { label: "data", compute_id: id } })).body;
  const token = await restricted(one, { entities: { volume: { [volume.id]: "read_only" } } });
  expect((await one.send(`GET /compute/instances/${id}`, { token })).status).toBe(404);
  const seen = (await one.send(`GET /volumes/${volume.id}`, { token })).body;
  expect([seen.compute_id, seen.compute_label]).toEqual([id, "hidden"]);
});

test("object storage does not check grants, so restricted users list buckets and create keys", async () => {
  await using one = await cloud();
  await one.send("POST /object-storage/buckets", { body: { cluster: "us-east-1", label: "photos" } });
  const token = await restricted(one);
  expect((await one.send("GET /object-storage/buckets", { token })).body.results).toBe(1);
  expect((await one.send("POST /object-storage/keys", { body: { label: "own" }, token })).status).toBe(200);
});

test("a token that was issued before an OAuth client's secret was reset stays valid", async () => {
  await using one = await cloud();
  const client = { label: "app", redirect_uri: "https://app.example/login" };
  const { id } = (await one.send("POST /account/oauth-clients", { body: client })).body;
  const { token } = (await one.send("POST /_emulator/tokens", { body: { client_id: id } })).body;
  expect((await one.send(`POST /account/oauth-clients/${id}/reset-secret`)).status).toBe(200);
  expect((await one.send("GET /volumes", { token })).status).toBe(200);
});

test.each([
  ["add_computes", "instances.create"],
  ["add_volumes", "volumes.create"],
  ["add_domains", "domains.create"],
  ["add_nodebalancers", "nodeBalancers.create"],
  ["add_firewalls", "firewalls.create"],
  ["add_images", "images.upload"],
  ["add_clusters", "lkeClusters.create"],
])("the grant %s lets a restricted user call %s, which fails without it", async (grant, name) => {
  await using one = await freshAccount();
  const [area, key] = name.split(".") as ["instances", "create"];
  const operation = (operations as Readonly<Record<string, Area>>)[area]?.[key];
  if (!operation) throw new Error(`There is no operation ${name}`);
  const { body, ...input } = (await (plans[area][key] as Plan<never>)(one)) as Input;
  const entities = { compute: Object.fromEntries(one.world.instances.all().map(({ id }) => [id, "read_write"])) };
  const create = async (global: object) =>
    request(
      one,
      operation,
      { ...input, body: { ...(body as object), tags: undefined } },
      { token: await restricted(one, { entities, global }) },
    );
  expect(await create({})).toMatchObject({
    status: 403,
    body: { errors: [{ reason: `Unauthorized: your user needs the grant ${grant}` }] },
  });
  expect((await create({ [grant]: true })).body.errors).toBeUndefined();
});
