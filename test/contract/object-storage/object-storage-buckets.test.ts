import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { bucket, code, data, key, rule, signed } from "./bucket";

const create = (label: string, more: object = {}) => ({ body: { label, cluster: "us-east-1", ...more } });

test("creates, views, lists, updates and deletes a bucket", async ({ send }) => {
  const created = await send("POST /object-storage/buckets", create("photos"));
  const location = { cluster: "us-east-1", hostname: "photos.us-east-1.objects.cloudinfra.example" };
  const empty = { size: 0, objects: 0, created: "2022-01-01T00:00:00" };
  expect(created).toMatchObject({ status: 200, body: { label: "photos", ...location, ...empty } });
  const path = "/object-storage/buckets/us-east-1/photos";
  await send("POST /object-storage/buckets", create("my.logs", { cluster: "eu-central-1" }));
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  expect((await send("GET /object-storage/buckets")).body).toMatchObject({ results: 2 });
  const inCluster = (await send("GET /object-storage/buckets/us-east-1")).body;
  expect(inCluster).toMatchObject({ results: 1, data: [created.body] });
  expect((await send("GET /object-storage/buckets/us-west-9")).status).toBe(404);
  expect((await send("GET /object-storage/buckets/eu-central-1/photos")).status).toBe(404);
  expect(await send(`PUT ${path}/access`, { body: { acl: "custom" } })).toMatchObject({ status: 200, body: {} });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("rejects unknown clusters, and ACLs that are not canned", async (one) => {
  const wrong = { cluster: "us-west-1", acl: "custom" };
  const rejected = await one.send("POST /object-storage/buckets", create("photos", wrong));
  expect(rejected.body.errors).toEqual([
    { field: "acl", reason: expect.stringContaining("private") },
    { field: "cluster", reason: expect.stringContaining("/v4/object-storage/clusters lists them") },
  ]);
  expect(one.world.objectStorageBuckets.size).toBe(0);
});

test("rejects a new bucket in a cluster that is unavailable, and returns an existing one", async (one) => {
  const { send, world } = one;
  await send("POST /object-storage/buckets", create("logs"));
  const pair = await key(one);
  world.objectStorageClusters.patch("us-east-1", { status: "unavailable" });
  const { status, body } = await send("POST /object-storage/buckets", create("photos"));
  expect([status, body.errors]).toEqual([400, [{ field: "cluster", reason: "Cluster us-east-1 is unavailable" }]]);
  const request = "PUT /us-east-1/photos";
  const rejected = await data(one, request, { headers: signed(one, pair, request) });
  expect([rejected.status, code(rejected)]).toEqual([503, "ServiceUnavailable"]);
  expect(world.objectStorageBuckets.size).toBe(1);
  expect((await send("POST /object-storage/buckets", create("logs"))).status).toBe(200);
  const own = "PUT /us-east-1/logs";
  expect((await data(one, own, { headers: signed(one, pair, own) })).status).toBe(200);
});

test("creating an existing own bucket returns it; a label is unique within its cluster, until the bucket is deleted", async (one) => {
  proves(rule(1));
  const { send, world } = one;
  const photos = await bucket(one, "photos", { acl: "public-read" });
  await photos.put("cat.jpg", "meow");
  one.advance(5_000);
  const again = await send("POST /object-storage/buckets", create("photos", { acl: "private" }));
  expect(again).toMatchObject({ status: 200, body: { objects: 1, size: 4, created: "2022-01-01T00:00:00" } });
  expect((await data(one, "GET /us-east-1/photos/cat.jpg")).text).toBe("meow");
  const elsewhere = await send("POST /object-storage/buckets", create("photos", { cluster: "ap-south-1" }));
  expect(elsewhere.body).toMatchObject({ cluster: "ap-south-1", objects: 0, created: "2022-01-01T00:00:05" });

  world.objectStorageTaken.insert({ id: "us-east-1/theirs" });
  const taken = await send("POST /object-storage/buckets", create("theirs"));
  expect(taken).toMatchObject({ status: 400, body: { errors: [{ field: "label" }] } });
  expect((await send("GET /object-storage/buckets/us-east-1/theirs")).status).toBe(404);
  const free = await send("POST /object-storage/buckets", create("theirs", { cluster: "eu-central-1" }));
  expect(free.status).toBe(200);
  world.objectStorageTaken.remove("us-east-1/theirs");
  expect((await send("POST /object-storage/buckets", create("theirs"))).status).toBe(200);
});

test("deletes a bucket with objects only with force, and rejects one with too many objects", async (one) => {
  proves(rule(2));
  const { send, world } = one;
  const photos = await bucket(one);
  await photos.put("a/1");
  await photos.put("a/2");
  for (const query of ["", "?force=false", "?force=0"]) {
    const { status, body } = await send(`DELETE ${photos.path}${query}`);
    expect([query, status, body.errors]).toEqual([query, 400, [{ reason: expect.stringContaining("2 objects") }]]);
  }
  expect((await send(`DELETE ${photos.path}?force=perhaps`)).body.errors[0].field).toBe("force");
  expect((await photos.view()).objects).toBe(2);

  world.objectStorageBuckets.patch("us-east-1/photos", { objects: 1001 });
  expect((await send(`DELETE ${photos.path}?force=true`)).body.errors[0].reason).toContain("at most 1000");
  world.objectStorageBuckets.patch("us-east-1/photos", { objects: 1000 });
  expect((await send(`DELETE ${photos.path}?force=true`)).status).toBe(200);
  expect([world.objectStorageObjects.size, world.objectStorageContents.size]).toEqual([0, 0]);
  const again = await bucket(one);
  expect(await again.view()).toMatchObject({ objects: 0, size: 0 });
  await again.put("a/1");
  expect((await send(`DELETE ${again.path}?force=1`)).status).toBe(200);
  expect([world.objectStorageObjects.size, world.objectStorageContents.size]).toEqual([0, 0]);
});

test("POST and PUT of access change only the given fields: the ACL, and access by web pages of other origins", async (one) => {
  const { send } = one;
  const photos = await bucket(one);
  await photos.put("cat.jpg", "meow");
  const read = async () => (await data(one, "GET /us-east-1/photos/cat.jpg")).status;
  const write = async () => (await data(one, "PUT /us-east-1/photos/dog.jpg", { body: "woof" })).status;
  const list = async () => (await data(one, "GET /us-east-1/photos?list-type=2")).status;
  const requested = { headers: { origin: "https://example.org", "access-control-request-method": "GET" } };
  const preflight = async () => (await data(one, "OPTIONS /us-east-1/photos/cat.jpg", requested)).status;
  const all = async () => [await read(), await list(), await write(), await preflight()];
  expect(await all()).toEqual([403, 403, 403, 403]);
  await send(`POST ${photos.path}/access`, { body: { acl: "public-read-write" } });
  expect(await all()).toEqual([200, 200, 200, 403]);
  await send(`PUT ${photos.path}/access`, { body: { cors_enabled: true } });
  expect(await all()).toEqual([200, 200, 200, 200]);
  expect((await data(one, "GET /us-east-1/photos/cat.jpg")).headers.get("access-control-allow-origin")).toBe("*");
  await send(`PUT ${photos.path}/access`, { body: { acl: "public-read" } });
  expect(await all()).toEqual([200, 200, 403, 200]);
  for (const acl of ["authenticated-read", "custom", "private"]) {
    await send(`POST ${photos.path}/access`, { body: { acl } });
    expect(await all()).toEqual([403, 403, 403, 200]);
  }
  expect((await data(one, "DELETE /us-east-1/photos/cat.jpg")).status).toBe(403);
});
