import { expect, test } from "vitest";
import { cloud } from "./cloud";

test.each([
  "/lke/versions/does-not-exist",
  "/regions/does-not-exist",
  "/networking/ips/does-not-exist",
  "/account/entity-transfers/does-not-exist",
  "/volumes/does-not-exist",
  "/object-storage/buckets/us-east-1/does-not-exist/ssl",
] as const)("GET %s is 404 Not found", async (path) => {
  await using one = await cloud();
  const { status, body } = await one.send(`GET ${path}`);
  expect([status, body]).toEqual([404, { errors: [{ reason: "Not found" }] }]);
});

test("a month that is not a number returns 404, and one outside the documented bounds 400", async () => {
  await using one = await cloud();
  const { id } = (await one.send("POST /compute/instances", { body: { region: "us-east", type: "g6-nanode-1" } })).body;
  const transfer = (month: string) => one.send(`GET /compute/instances/${id}/transfer/${month}`);
  expect(await transfer("2022/may")).toMatchObject({ status: 404, body: { errors: [{ reason: "Not found" }] } });
  expect(await transfer("2022/13")).toMatchObject({ status: 400, body: { errors: [{ field: "month" }] } });
});

test("fixed paths take precedence over parameters for all methods: GET of images/upload returns 405", async () => {
  await using one = await cloud();
  const { status, body } = await one.send("GET /images/upload");
  expect([status, body]).toEqual([405, { errors: [{ reason: "Method not allowed: this path accepts POST" }] }]);
});
