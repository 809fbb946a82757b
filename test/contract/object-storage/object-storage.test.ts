import { expect } from "vitest";
import { OBJECT_STORAGE_TRANSFER } from "../../../api";
import { cloud, messages, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { as, bucket, code, key as createKey, data, rule } from "./bucket";

test("cancelling requires empty buckets, and removes the buckets, keys and URLs", async (one) => {
  proves(rule(7));
  const { send } = one;
  const photos = await bucket(one);
  await bucket(one, "empty");
  await photos.put("a");
  const key = await createKey(one);
  const rejected = await send("POST /object-storage/cancel");
  expect(messages(rejected)).toEqual(["Delete the objects of these buckets first: us-east-1/photos"]);
  expect((await send("GET /object-storage/buckets")).body.results).toBe(2);

  await data(one, `DELETE ${await photos.url("DELETE", "a")}`);
  const url = await photos.url("GET", "a");
  expect(await send("POST /object-storage/cancel")).toMatchObject({ status: 200, body: {} });
  expect((await send("GET /object-storage/buckets")).body.results).toBe(0);
  expect((await send("GET /object-storage/keys")).body.results).toBe(0);
  expect((await send("POST /object-storage/cancel")).status).toBe(200);
  expect(await as(one, key)("GET /us-east-1/").then(code)).toBe("InvalidAccessKeyId");
  expect(await data(one, `GET ${url}`).then(code)).toBe("NoSuchBucket");
  await (await bucket(one)).put("a");
  expect((await data(one, `GET ${url}`)).status).toBe(403);
});

test("outbound traffic counts per month against the account's terabyte, which no operation returns", async (one) => {
  proves(rule(8));
  const { send } = one;
  const { path } = await machine(one);
  const pool = (await send(`GET ${path}`)).body.specs.transfer;
  const photos = await bucket(one, "photos", { acl: "public-read" });
  await photos.put("a", "twelve bytes");
  const used = async () => (await send("GET /object-storage/transfer")).body;
  expect(await used()).toEqual({ used: 0 });
  const key = await createKey(one);
  const a = "/us-east-1/photos/a";
  await data(one, `GET ${await photos.url("GET", "a")}`);
  await data(one, `GET ${a}`);
  await as(one, key)(`GET ${a}`);
  await data(one, `HEAD ${a}`);
  await data(one, "GET /us-east-1/photos?list-type=2");
  await data(one, "GET /us-east-1/photos/none");
  expect(await used()).toEqual({ used: 36 });
  expect(OBJECT_STORAGE_TRANSFER).toBe(1e12);
  expect((await send(`GET ${path}`)).body.specs.transfer).toBe(pool);
  one.advance(31 * 24 * 3_600_000);
  expect(await used()).toEqual({ used: 0 });
});

test("allows 750 object storage requests a second per token", async () => {
  await using one = await cloud({ rateLimits: true });
  const { headers } = await one.send("GET /object-storage/transfer");
  expect(headers.get("x-ratelimit-limit")).toBe("750");
  expect(headers.get("x-ratelimit-remaining")).toBe("749");
});

test("object storage writes no events", async (one) => {
  const photos = await bucket(one);
  await photos.put("a");
  await one.send(`DELETE ${photos.path}?force=true`);
  expect(one.world.events.recent()).toEqual([]);
});
