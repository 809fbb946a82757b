import { expect, test } from "vitest";
import { cloud } from "../../contract/cloud";

test("rejects a token of an unknown user or with an unknown scope, with the allowed values", async () => {
  await using one = await cloud();
  const user = await one.send("POST /_emulator/tokens", { body: { username: "nemo" } });
  expect([user.status, user.body.errors]).toEqual([
    400,
    [{ field: "username", reason: 'There is no user "nemo": POST /_emulator/users creates one' }],
  ]);
  for (const scopes of ["volumes:read_only", ["volumes:read_all"], ["rockets:read_only"]]) {
    const { status, body } = await one.send("POST /_emulator/tokens", { body: { scopes } });
    expect([status, body.errors]).toEqual([
      400,
      [{ field: "scopes", reason: 'Must be "*" or a list of scopes such as ["volumes:read_only"]' }],
    ]);
  }
  expect((await one.send("POST /_emulator/tokens", { body: { scopes: ["volumes:read_only"] } })).status).toBe(200);
});

test("the request log does not contain the token of a transfer", async () => {
  await using one = await cloud();
  const token = "12345678-1234-4234-8234-123456789012";
  await one.send(`GET /account/entity-transfers/${token}`);
  expect(one.requests.list().at(-1)?.path).toBe("/v4/account/entity-transfers/[secret]");
  expect(JSON.stringify((await one.send("GET /_emulator/requests")).body)).not.toContain(token);
});

test("the request log does not contain headers with secrets", async () => {
  await using one = await cloud();
  const secrets = ["x-amz-security-token", "X-Amz-Server-Side-Encryption-Customer-Key", "x-secret", "Cookie"];
  const headers = { ...Object.fromEntries(secrets.map((name) => [name, "planted"])), "x-other": "shown" };
  await one.send("GET /volumes", { headers: { ...headers, "proxy-authorization": "planted" } });
  await fetch(new URL("/objects/us-east-1/none/a", one.url), { headers });
  expect(one.requests.list()).toMatchObject([{ headers: { "x-other": "shown" } }, { headers: { "x-other": "shown" } }]);
  expect(JSON.stringify(one.requests.list())).not.toContain("planted");
});

test("the request log does not contain what may be a token in any unknown path, but names of objects", async () => {
  await using one = await cloud();
  const long = "0123456789abcdef0123456789abcdef";
  for (const path of [`/${long}`, `/oauth/${long}`, `/v4/${long}`, `/objects/us-east-1/none/${long}`])
    await fetch(new URL(path, one.url));
  const paths = one.requests.list().map(({ path }) => path);
  expect(paths).toEqual(["/[secret]", "/oauth/[secret]", "/v4/[secret]", `/objects/us-east-1/none/${long}`]);
});

test("the emulator's own token is valid after a reset, also if it is the token that fills the account", async () => {
  await using one = await cloud({ token: "account" });
  expect((await one.send("POST /_emulator/reset", { body: { account: "small" } })).status).toBe(200);
  expect((await one.send("GET /volumes")).status).toBe(200);
});

test("the emulator's own token is valid after a snapshot of an emulator with another token was loaded", async () => {
  await using other = await cloud({ token: "other" });
  const { body } = await other.send("GET /_emulator/state");
  await using one = await cloud({ token: "mine" });
  expect((await one.send("PUT /_emulator/state", { body })).status).toBe(200);
  for (const token of ["mine", "other"]) expect((await one.send("GET /volumes", { token })).status).toBe(200);
});

test("unknown tokens share one rate limit, and do not reset the limits of other tokens", async () => {
  await using one = await cloud({ rateLimits: true });
  const mine = async () => Number((await one.send("GET /volumes")).headers.get("x-ratelimit-remaining"));
  const before = await mine();
  let last = 0;
  for (let at = 0; at < 1700; at++) last = (await one.send("GET /volumes", { token: `invented-${at}` })).status;
  expect(last).toBe(429);
  expect(await mine()).toBe(before - 1);
});

test("a user who must be new is not changed if the name exists", async () => {
  await using one = await cloud();
  const create = (body: object) => one.send("POST /_emulator/users", { body: { username: "ada", ...body } });
  const entities = { volume: { 7: "read_only" } };
  expect((await create({ is_new: true, restricted: true, entities })).status).toBe(200);
  const rejected = await create({ is_new: true });
  expect([rejected.status, rejected.body.errors]).toEqual([
    400,
    [{ field: "username", reason: "Already exists (given ada)" }],
  ]);
  expect(one.world.users.get("ada")).toMatchObject({ restricted: true, grants: { entities } });
  expect((await create({ restricted: false })).status).toBe(200);
  expect(one.world.users.get("ada").restricted).toBe(false);
});
