import { expect } from "vitest";
import { type Cloud, type Created, cloud, create, messages, restricted, test } from "../cloud";
import { png } from "../png";
import { proves } from "../proves";
import { rule } from "./billing";

const shop = { label: "Shop", redirect_uri: "https://shop.example.org/back?x=1" };

const client = (one: Cloud, body: object = shop) => create(one, "/account/oauth-clients", body);

/** Requests the picture of an OAuth client. Uses `fetch` directly, because `send` would decode the bytes as text. */
const picture = async (one: Cloud, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${one.url}${path}/thumbnail`, { headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type"), bytes };
};

const put = (one: Cloud, path: Created["path"], body: Uint8Array, type = "image/png") =>
  one.send(`PUT ${path}/thumbnail`, { body, headers: { "content-type": type } });

test("creates, views, lists, updates and deletes a client", async (one) => {
  proves("part 1 · Authentication · rule 5");
  const { send } = one;
  const { path, ...created } = await client(one);
  expect(created).toEqual({
    ...shop,
    id: expect.stringMatching(/^[0-9a-f]{20}$/),
    ...{ public: false, status: "active", secret: "<REDACTED>", thumbnail_url: null },
  });
  expect((await send(`GET ${path}`)).body).toEqual(created);
  const app = await client(one, { label: "App", redirect_uri: "http://localhost:8080", public: true });
  const listed = [created, { id: app.id }];
  expect((await send("GET /account/oauth-clients")).body).toMatchObject({ results: 2, data: listed });
  for (const filter of [{ public: true }, { label: { "+contains": "pp" } }])
    expect((await send("GET /account/oauth-clients", { filter })).body.data).toMatchObject([{ id: app.id }]);

  const changed = await send(`PUT ${path}`, { body: { label: "Store", public: true } });
  expect(changed.body).toEqual({ ...created, label: "Store", public: true });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  const [last] = one.world.events.recent();
  expect(last).toMatchObject({ action: "oauth_client_delete", entity: { type: "oauth_client", label: "Store" } });
  expect(last?.entity.url).toBe(`/v4${path}`);
});

test("deleting a client invalidates its id, its secret and the tokens issued to it, and no others", async (one) => {
  proves(rule(7));
  const { send } = one;
  const { id, path } = await client(one);
  const other = await client(one);
  const issue = async (client_id: unknown) =>
    (await send("POST /_emulator/tokens", { body: { client_id, scopes: ["account:read_only"] } })).body.token;
  const [mine, second, theirs] = [await issue(id), await issue(id), await issue(other.id)];
  const works = async (token: string) => (await send("GET /account/oauth-clients", { token })).status;
  expect([await works(mine), await works(second), await works(theirs)]).toEqual([200, 200, 200]);
  await send(`DELETE ${path}`);
  expect([await works(mine), await works(second), await works(theirs)]).toEqual([401, 401, 200]);
  expect(messages(await send("POST /_emulator/tokens", { body: { client_id: id } }))).toEqual([
    `client_id: There is no OAuth client "${id}"`,
  ]);
});

test("users without access to the account cannot use its clients, and those with read access cannot change them", async (one) => {
  const { id, path } = await client(one);
  const requests = [
    ["GET /account/oauth-clients"],
    [`GET ${path}`],
    ["POST /account/oauth-clients", { body: shop }],
    [`PUT ${path}`, { body: { label: "Other" } }],
    [`POST ${path}/reset-secret`],
    [`DELETE ${path}`],
  ] as const;
  const statuses = async (token: string) => {
    const found = [];
    for (const [request, options] of requests) found.push((await one.send(request, { ...options, token })).status);
    return found;
  };
  expect(await statuses(await restricted(one))).toEqual(Array(6).fill(403));
  const reader = await restricted(one, { global: { account_access: "read_only" } });
  expect(await statuses(reader)).toEqual([200, 200, 403, 403, 403, 403]);
  expect((await one.send("GET /account/oauth-clients")).body.data).toMatchObject([{ id, label: "Shop" }]);
});

test("a reset returns the new secret once, and invalidates the old one immediately", async (one) => {
  proves(rule(7));
  const { send } = one;
  const { id, path } = await client(one);
  const reset = async () => (await send(`POST ${path}/reset-secret`)).body;
  const first = await reset();
  expect(first).toMatchObject({ ...shop, id, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const login = (client_secret: string) => send("POST /_emulator/tokens", { body: { client_id: id, client_secret } });
  expect((await login(first.secret)).status).toBe(200);
  const second = await reset();
  expect(second.secret).not.toBe(first.secret);
  expect(messages(await login(first.secret))).toEqual(["client_secret: Must be the secret of the OAuth client"]);
  expect((await login(second.secret)).status).toBe(200);
  expect((await send(`GET ${path}`)).body.secret).toBe("<REDACTED>");
  expect((await send("GET /account/oauth-clients")).body.data[0].secret).toBe("<REDACTED>");
  const stored = JSON.stringify((await send("GET /_emulator/state")).body);
  expect(stored).not.toContain(first.secret);
  expect(stored).not.toContain(second.secret);
  expect(one.world.events.recent()[0]?.action).toBe("oauth_client_secret_reset");
});

test("views the thumbnail without a token", async (one) => {
  proves(rule(7));
  const { send } = one;
  const { path } = await client(one);
  expect((await picture(one, path)).status).toBe(404);
  const sent = png(64, 48);
  expect(await put(one, path, sent)).toMatchObject({ status: 200, body: {} });
  expect(await picture(one, path)).toEqual({ status: 200, type: "image/png", bytes: sent });
  const { thumbnail_url } = (await send(`GET ${path}`)).body;
  expect(thumbnail_url).toBe(`${one.url}${path}/thumbnail`);
  expect(new Uint8Array(await (await fetch(thumbnail_url)).arrayBuffer())).toEqual(sent);
  expect((await put(one, path, png(2, 2))).status).toBe(200);
  expect((await picture(one, path)).bytes).toEqual(png(2, 2));
  expect(one.world.events.recent()[0]?.action).toBe("oauth_client_update");
  expect((await send(`PUT ${path}/thumbnail`, { token: null, body: sent })).status).toBe(401);
});

test("a thumbnail can be read without a token, and with a token without scopes", async (one) => {
  proves("part 1 · Authentication · rule 3");
  const { path } = await client(one);
  await put(one, path, png());
  await one.send("POST /_emulator/tokens", { body: { token: "poor", scopes: [] } });
  for (const headers of [{}, { authorization: "Bearer poor" }] as Record<string, string>[])
    expect(await picture(one, path, headers)).toMatchObject({ status: 200, bytes: png() });
});

test("a thumbnail must be a complete PNG within the size limit, sent as image/png", async (one) => {
  const { path } = await client(one);
  const rejected = async (body: Uint8Array) => {
    const { status, body: messages } = await put(one, path, body);
    expect(status).toBe(400);
    expect(messages.errors).toEqual([{ reason: expect.any(String) }]);
    return messages.errors[0].reason;
  };
  expect((await put(one, path, png(), "image/jpeg")).status).toBe(415);
  expect((await put(one, path, png(), "application/json")).status).toBe(415);
  expect((await put(one, path, png(), "image/png; x=y")).status).toBe(200);
  expect(await rejected(new Uint8Array())).toBe("Must be a PNG image");
  expect(await rejected(new TextEncoder().encode('{"a": 1}'))).toBe("Must be a PNG image");
  expect(await rejected(png().subarray(0, 20))).toBe("Must be a complete PNG image: its end is missing");
  expect(await rejected(png().subarray(0, -1))).toBe("Must be a complete PNG image: its end is missing");
  expect(await rejected(png(1, 1, { depth: 3 }))).toBe("Must be a PNG image with a valid header");
  expect(await rejected(png(1, 1, { colour: 5 }))).toBe("Must be a PNG image with a valid header");
  expect(await rejected(png(1025, 1))).toBe(
    "Must be at least 1 and at most 1024 pixels wide and high; it is 1025 by 1",
  );
  expect(await rejected(png(1, 0))).toBe("Must be at least 1 and at most 1024 pixels wide and high; it is 1 by 0");
  expect(await rejected(new Uint8Array(512 * 1024 + 1))).toBe("Must be at most 524288 bytes long");
  expect((await put(one, path, new Uint8Array(1024 * 1024 + 1))).status).toBe(413);
  expect((await picture(one, path)).bytes).toEqual(png());
});

test("the request log contains the size of a picture instead of its bytes", async (one) => {
  const { path } = await client(one);
  const sent = png(8, 8);
  await put(one, path, sent);
  const { requests } = (await one.send("GET /_emulator/requests")).body;
  expect(requests.at(-1)).toMatchObject({ operation: "oauthClients.updateThumbnail", body: `[${sent.length} bytes]` });
});

test("pictures are part of snapshots, and their bytes are not reordered", async () => {
  await using one = await cloud({ shuffle: true });
  const { path } = await client(one);
  await put(one, path, png(3, 3));
  const { body } = await one.send("GET /_emulator/state");
  await one.send("POST /_emulator/reset");
  expect((await picture(one, path)).status).toBe(404);
  await one.send("PUT /_emulator/state", { body });
  expect((await picture(one, path)).bytes).toEqual(png(3, 3));
});

test.each([
  ["ftp://example.org", "Must be an http or https URL"],
  ["example.org/back", "Must be an http or https URL"],
  ["https://example.org/#top", "Must not contain a fragment (#…)"],
  ["https://me:pw@example.org/", "Must not contain a username"],
])("rejects the redirect URI %s", async (one, redirect_uri, reason) => {
  const rejected = await one.send("POST /account/oauth-clients", { body: { ...shop, redirect_uri } });
  expect(messages(rejected)).toEqual([`redirect_uri: ${reason}`]);
});
