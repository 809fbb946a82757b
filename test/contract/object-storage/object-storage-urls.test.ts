import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { bucket, code, data, rule } from "./bucket";

const text = { headers: { "content-type": "text/plain" } };

test("accepts expires_in from 360 to 68400 seconds and page_size from 25 to 100", async (one) => {
  proves("part 2 · Limits · limit 3");
  const { send, world } = one;
  const photos = await bucket(one);
  const status = async (expires_in: number) =>
    (await send(`POST ${photos.path}/object-url`, { body: { method: "GET", name: "a", expires_in } })).status;
  expect([await status(359), await status(360), await status(68400), await status(68401)]).toEqual([
    400, 200, 200, 400,
  ]);
  const seconds = (url: string) => Number(new URL(url).searchParams.get("expires")) - world.clock.now() / 1000;
  expect(seconds(await photos.url("GET", "a"))).toBe(3600);
  expect(seconds(await photos.url("GET", "a", { expires_in: 360 }))).toBe(360);
  const list = async (size: number) => (await send(`GET ${photos.path}/object-list?page_size=${size}`)).status;
  expect([await list(24), await list(25), await list(100), await list(101)]).toEqual([400, 200, 200, 400]);
});

test("a URL except for GET and DELETE requires content_type, which the request must repeat exactly", async (one) => {
  proves(rule(4));
  const { send } = one;
  const photos = await bucket(one);
  const requested = async (method: string) =>
    (await send(`POST ${photos.path}/object-url`, { body: { method, name: "a" } })).body;
  for (const method of ["PUT", "HEAD"])
    expect((await requested(method)).errors).toEqual([
      { field: "content_type", reason: `Is required for ${method}; it can be omitted only for GET and DELETE` },
    ]);
  expect((await requested("PATCH")).errors[0].field).toBe("method");
  expect((await requested("GET")).url).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/objects\/us-east-1\/photos\/a\?expires=\d+&sig/,
  );

  const put = await photos.url("PUT", "a", { content_type: "image/png" });
  const sent = (type: string) => data(one, `PUT ${put}`, { headers: { "content-type": type }, body: "x" });
  expect(await sent("image/jpeg").then(code)).toBe("SignatureDoesNotMatch");
  expect((await sent("image/png; charset=utf-8")).status).toBe(403);
  expect((await data(one, `PUT ${put}`, { body: Buffer.from("x") })).status).toBe(403);
  expect(one.world.objectStorageObjects.size).toBe(0);
  expect((await sent("image/png")).status).toBe(200);

  const typed = await photos.url("GET", "a", { content_type: "image/png" });
  expect((await data(one, `GET ${typed}`)).status).toBe(403);
  expect((await data(one, `GET ${typed}`, { headers: { "content-type": "image/png" } })).text).toBe("x");
  expect((await data(one, `GET ${await photos.url("GET", "a")}`, text)).text).toBe("x");
});

test("a URL is valid until it expires, for its method, object and bucket only", async (one) => {
  proves(rule(4));
  const { send, advance } = one;
  const photos = await bucket(one);
  await bucket(one, "other");
  await photos.put("a", "content");
  await photos.put("b", "other");
  const url = await photos.url("GET", "a", { expires_in: 360 });
  const status = async (request: string) => (await data(one, request)).status;
  expect(await status(`DELETE ${url}`)).toBe(403);
  expect(await status(`PUT ${url}`)).toBe(403);
  expect(await status(`GET ${url.replace("/a?", "/b?")}`)).toBe(403);
  expect(await status(`GET ${url.replace("photos", "other")}`)).toBe(403);
  expect(await status(`GET ${url.replace(/expires=\d+/, "expires=9999999999")}`)).toBe(403);
  expect(await status(`GET ${url.slice(0, -1)}`)).toBe(403);
  expect(await status(`GET ${url.replace(/\?.*/, "")}`)).toBe(403);
  expect(await status(`GET ${url}&versionId=1`)).toBe(501);
  advance(359_999);
  expect(await status(`GET ${url}`)).toBe(200);
  advance(1);
  const late = await data(one, `GET ${url}`);
  expect(late).toMatchObject({ status: 403, text: expect.stringContaining("expired at 2022-01-01T00:06:00") });
  const fresh = await photos.url("GET", "a");
  await send(`DELETE ${photos.path}?force=true`);
  expect(await data(one, `GET ${fresh}`).then(code)).toBe("NoSuchBucket");
});

test("the log contains the use of a URL without its signature", async (one) => {
  const photos = await bucket(one);
  await photos.put("a");
  const url = await photos.url("GET", "a");
  await data(one, `GET ${url}`);
  const { body } = await one.send("GET /_emulator/requests");
  expect(JSON.stringify(body)).toContain("/objects/us-east-1/photos/a");
  expect(JSON.stringify(body)).not.toContain(new URL(url).searchParams.get("signature"));
});
