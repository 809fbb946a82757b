import { randomBytes } from "node:crypto";
import { request as http } from "node:http";
import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { type Cloud, cloud } from "../../contract/cloud";

const original = JSON.stringify;

test("S7: rejects a filter with 1,400 nested levels", async () => {
  await using one = await cloud();
  const filter = `${'{"+and":['.repeat(1400)}{"label":"a"}${"]}".repeat(1400)}`;
  const { status, body } = await one.send("GET /volumes", { filter });
  expect([status, body.errors]).toEqual([
    400,
    [{ field: "X-Filter", reason: "Must not be nested deeper than 32 levels" }],
  ]);
});

/**
 * Simulates a slow client: sends one byte of the body every 50 ms. Returns how long the server keeps the connection
 * open.
 */
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
  ["a body whose request was rejected at once", "BREW /v4/volumes HTTP/1.1\r\nX: 1", ""],
  ["a body on the data plane that was rejected at once", "PUT /objects/us-east-1/none/a HTTP/1.1\r\nX: 1", ""],
])("S9: the connection of %s is closed", async (_, head, status) => {
  await using one = await cloud({ requestTimeout: 400 });
  const { ms, text } = await drip(one.url, head);
  expect(ms).toBeLessThan(5000);
  expect(text).toContain(status);
});

test("S9: closes the connection of a very slow upload", async () => {
  await using one = await cloud({ requestTimeout: 300 });
  const { body } = await one.send("POST /images/upload", { body: { label: "own", region: "us-east" } });
  const { pathname, search } = new URL(body.upload_to);
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nContent-Type: application/octet-stream`;
  const image = gzipSync(randomBytes(100_000));
  const { ms, text } = await drip(one.url, head, image);
  expect(text).toBe("");
  expect(ms).toBeLessThan(5000);
});

const asking = (
  { url, token }: Cloud,
  headers: Record<string, string>,
  path = "/_emulator/clock",
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const authorization = `Bearer ${token}`;
    const sent = http({ port, host: hostname, path, headers: { authorization, ...headers } }, (answer) => {
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
])("E27: under the host %s the control interface, the API and data return %i", async (host, status) => {
  await using one = await cloud();
  expect(await asking(one, { host })).toBe(status);
  expect(await asking(one, { host }, "/v4/volumes")).toBe(status);
  expect(await asking(one, { host }, "/objects/us-east-1/none/a")).toBe(status === 200 ? 404 : status);
});

test.each(["http://evil.example", "http://localhost:3000", "null"])(
  "a page of the origin %s cannot call the control interface, or send a token to the API",
  async (origin) => {
    await using one = await cloud();
    expect(await asking(one, { origin })).toBe(403);
    const asked = { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" };
    const { headers } = await fetch(`${one.url}/volumes`, { method: "OPTIONS", headers: asked });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  },
);

test("the error contains the host of the request and the allowed ones", async () => {
  await using one = await cloud();
  const { port } = new URL(one.url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ port: Number(port), host: "127.0.0.1" });
    let got = "";
    socket.on("data", (part) => (got += part)).on("close", () => resolve(got));
    socket.on("error", reject).write("GET /v4/volumes HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
  });
  expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toEqual({
    errors: [
      {
        reason:
          'The request\'s Host header is "rebound.example", which is not a loopback name: use localhost or 127.0.0.1 in the URL',
      },
    ],
  });
});

/** Sends the text as a request, and returns what the server sends until it closes the connection. */
const rawResponse = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    // A client that does not close its end of the connection when the server does.
    const socket = createConnection({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    let got = "";
    socket.on("data", (part) => (got += part)).on("end", () => resolve(got));
    socket.on("error", reject).write(text);
  });

test.each([
  ["no header Host", "GET /v4/regions HTTP/1.1\r\nConnection: close\r\n\r\n", 0],
  [
    "two headers Host",
    "GET /v4/regions HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\nConnection: close\r\n\r\n",
    2,
  ],
])("a request with %s is rejected with an error as JSON", async (_, request, count) => {
  await using one = await cloud();
  const text = await rawResponse(one.url, request);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toEqual({
    errors: [{ reason: `The header Host must be set once; it was set ${count} times` }],
  });
});

test("a client that never completes its headers keeps no connection open after the response", async () => {
  await using one = await cloud({ requestTimeout: 300 });
  const { port } = new URL(one.url);
  const open = await new Promise<boolean>((resolve) => {
    const socket = createConnection({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => resolve(false)).write("GET /v4/regions HTTP/1.1\r\nHost: localhost\r\n");
    socket.on("end", () => {
      // The server has closed its end. If it has destroyed the connection, further data causes a reset.
      setTimeout(() => socket.write("X: 1\r\n"), 100);
      setTimeout(() => socket.write("X: 1\r\n"), 300);
      setTimeout(() => resolve(true), 1000);
    });
    socket.resume();
  });
  expect(open).toBe(false);
});

test("listens on loopback only, unless another address is given", async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address;
  const reaches = (host: string, { url }: Cloud) =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection({ port: Number(new URL(url).port), host });
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  await using one = await cloud();
  await using open = await cloud({ host: "0.0.0.0" });
  expect(await reaches("127.0.0.1", one)).toBe(true);
  expect(await reaches("127.0.0.2", one)).toBe(false);
  expect(await reaches("127.0.0.2", open)).toBe(true);
  if (outside) expect([await reaches(outside, one), await reaches(outside, open)]).toEqual([false, true]);
});

test("S10: the OpenAPI document is generated once, with the URL of the request", async () => {
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
