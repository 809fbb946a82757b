import { randomBytes } from "node:crypto";
import { request as http } from "node:http";
import { createConnection } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { cloud, restricted } from "../contract/cloud";

const original = JSON.stringify;
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

test.each([
  ["POST /_emulator/clock", { seconds: 1e308 }, "seconds"],
  ["POST /_emulator/clock", { seconds: 8e12 }, "seconds"],
  ["POST /_emulator/clock", { ms: 1e18 }, "ms"],
  ["POST /_emulator/tokens", { token: "brief", expires_in: 1e300 }, "expires_in"],
])("S1: %s %j is refused, and the account can still be written to", async (path, body, field) => {
  await using one = await cloud();
  const refused = await one.send(path as `POST /${string}`, { body });
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
  expect(refused.body.errors[0].reason).toMatch(/^Must not lead past the year 9999: at most \d+ seconds from now$/);
  expect((await one.send("POST /volumes", { body: { label: "data", region: "us-east" } })).status).toBe(200);
});

test("S1: a stop of an instance that would end after the year 9999 is refused", async () => {
  await using one = await cloud();
  const instance = { region: "us-east", type: "g6-nanode-1" };
  const { id } = (await one.send("POST /compute/instances", { body: instance })).body;
  const stop = await one.send("POST /_emulator/stop", { body: { compute_id: id, seconds: 1e300 } });
  expect([stop.status, stop.body.errors[0].field]).toEqual([400, "seconds"]);
});

test("S1: at the last moment that the API can write, every write still answers", async () => {
  await using one = await cloud();
  await one.send("POST /_emulator/clock", { body: { ms: LAST - one.world.clock.now() } });
  expect((await one.send("GET /_emulator/clock")).body.time).toBe("9999-12-31T23:59:59");
  const volume = await one.send("POST /volumes", { body: { label: "data", region: "us-east" } });
  expect([volume.status, volume.body.created]).toEqual([200, "9999-12-31T23:59:59"]);
  const state = (await one.send("GET /_emulator/state")).body;
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
});

test("S1: time moves by `advance` within what the API can write only", async () => {
  await using one = await cloud();
  for (const ms of [-1, Number.NaN, 1e300])
    expect(() => one.advance(ms)).toThrow(/must be milliseconds from 0 that do not lead past the year 9999/);
});

test("S1: a snapshot from beyond the year 9999 is refused", async () => {
  await using one = await cloud();
  const state = (await one.send("GET /_emulator/state")).body;
  const { status, body } = await one.send("PUT /_emulator/state", { body: { ...state, clock: 1e300 } });
  expect([status, body.errors[0].field]).toEqual([400, "clock"]);
});

test("S7: a filter that nests 1,400 levels deep is refused", async () => {
  await using one = await cloud();
  const filter = `${'{"+and":['.repeat(1400)}{"label":"a"}${"]}".repeat(1400)}`;
  const { status, body } = await one.send("GET /volumes", { filter });
  expect([status, body.errors]).toEqual([400, [{ field: "X-Filter", reason: "Must not nest deeper than 32 levels" }]]);
});

/** Sends a head, then a byte of body every 50 ms; says how long the server kept the connection. */
const drip = (url: string, head: string, data = Buffer.alloc(100_000, "x")): Promise<{ ms: number; text: string }> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(url);
    const began = performance.now();
    let text = "";
    const socket = createConnection({ port: Number(port), host: hostname });
    socket.write(`${head}\r\nHost: ${hostname}\r\nContent-Length: 100000\r\n\r\n`);
    let sent = 0;
    const timer = setInterval(() => socket.write(data.subarray(sent, ++sent)), 50);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve({ ms: performance.now() - began, text });
    });
  });

test.each([
  ["a body that drips", "POST /v4/volumes HTTP/1.1\r\nContent-Type: application/json", "408"],
  ["a body whose request was refused at once", "BREW /v4/volumes HTTP/1.1\r\nX: 1", ""],
  ["a body on the data plane that was refused at once", "PUT /objects/us-east-1/none/a HTTP/1.1\r\nX: 1", ""],
])("S9: the connection of %s is closed", async (_, head, status) => {
  await using one = await cloud({ requestTimeout: 400 });
  const { ms, text } = await drip(one.url, head);
  expect(ms).toBeLessThan(5000);
  expect(text).toContain(status);
});

test("S9: an upload that drips is closed", async () => {
  await using one = await cloud({ requestTimeout: 300 });
  const { body } = await one.send("POST /images/upload", { body: { label: "own", region: "us-east" } });
  const { pathname, search } = new URL(body.upload_to);
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nContent-Type: application/octet-stream`;
  const image = gzipSync(randomBytes(100_000));
  const { ms, text } = await drip(one.url, head, image);
  expect(text).toBe("");
  expect(ms).toBeLessThan(5000);
});

const asking = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const sent = http({ port, host: hostname, path: "/_emulator/clock", headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject).end();
  });

test.each([
  ["localhost:4108", 200],
  ["127.0.0.1", 200],
  ["127.9.9.9:1", 200],
  ["[::1]:4108", 200],
  ["rebound.example", 403],
  ["127.0.0.1.rebound.example", 403],
  ["localhost.rebound.example:80", 403],
])("E27: the control interface under the host %s answers %i", async (host, status) => {
  await using one = await cloud();
  expect(await asking(one.url, host)).toBe(status);
});

test("E27: a token of an unknown user, or with an unknown scope, is refused with what is allowed", async () => {
  await using one = await cloud();
  const user = await one.send("POST /_emulator/tokens", { body: { username: "nemo" } });
  expect([user.status, user.body.errors]).toEqual([
    400,
    [{ field: "username", reason: 'There is no user "nemo": POST /_emulator/users makes one' }],
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

test("E27: the request log does not hold the token of a transfer", async () => {
  await using one = await cloud();
  const token = "12345678-1234-4234-8234-123456789012";
  await one.send(`GET /account/entity-transfers/${token}`);
  expect(one.requests.list().at(-1)?.path).toBe("/v4/account/entity-transfers/[secret]");
  expect(JSON.stringify((await one.send("GET /_emulator/requests")).body)).not.toContain(token);
});

test("E27: a client that invents tokens gets no new allowance, and nobody else's is given back", async () => {
  await using one = await cloud({ rateLimits: true });
  const mine = async () => Number((await one.send("GET /volumes")).headers.get("x-ratelimit-remaining"));
  const before = await mine();
  let last = 0;
  for (let at = 0; at < 1700; at++) last = (await one.send("GET /volumes", { token: `invented-${at}` })).status;
  expect(last).toBe(429);
  expect(await mine()).toBe(before - 1);
});

test("S11: a restricted user sees id and label of a hidden instance through a volume that is granted", async () => {
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

test("S11: object storage knows no grants: a restricted user lists buckets and makes keys", async () => {
  await using one = await cloud();
  await one.send("POST /object-storage/buckets", { body: { cluster: "us-east-1", label: "photos" } });
  const token = await restricted(one);
  expect((await one.send("GET /object-storage/buckets", { token })).body.results).toBe(1);
  expect((await one.send("POST /object-storage/keys", { body: { label: "own" }, token })).status).toBe(200);
});

test("S11: a token that was issued under an OAuth client's old secret stays valid", async () => {
  await using one = await cloud();
  const client = { label: "app", redirect_uri: "https://app.example/login" };
  const { id } = (await one.send("POST /account/oauth-clients", { body: client })).body;
  const { token } = (await one.send("POST /_emulator/tokens", { body: { client_id: id } })).body;
  expect((await one.send(`POST /account/oauth-clients/${id}/reset-secret`)).status).toBe(200);
  expect((await one.send("GET /volumes", { token })).status).toBe(200);
});

test("S10: the OpenAPI document is made once, and names the address that was asked", async () => {
  await using one = await cloud();
  const { origin } = new URL(one.url);
  const stringify = vi.spyOn(JSON, "stringify");
  const lengths: number[] = [];
  stringify.mockImplementation((value) => {
    const text = original(value);
    lengths.push(text?.length ?? 0);
    return text;
  });
  for (const host of ["localhost", "127.0.0.1"]) {
    const url = new URL(`${origin}/openapi.json`);
    url.hostname = host;
    const document = (await (await fetch(url)).json()) as { servers: unknown; paths: object };
    expect(document.servers).toEqual([{ url: url.origin }]);
    expect(Object.keys(document.paths).length).toBeGreaterThan(100);
  }
  stringify.mockRestore();
  expect(lengths.filter((length) => length > 100_000)).toHaveLength(1);
});
