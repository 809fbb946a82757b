import { createHash, randomBytes } from "node:crypto";
import { request as http } from "node:http";
import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { gzipSync } from "node:zlib";
import { describe, expect, vi, test as vitest } from "vitest";
import type { EmulatorOptions } from "../../../emulator";
import { accessLine } from "../../../emulator/http/access-log";
import { startPage } from "../../../emulator/http/start-page";
import { type Cloud, cloud } from "../../contract/cloud";
import { bucket, data } from "../../contract/object-storage/bucket";
import { fresh } from "../../fresh";

const test = vitest.extend("one", fresh(cloud));

const original = JSON.stringify;

test("rejects a filter with 1,400 nested levels", async ({ one }) => {
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
    const startedAt = performance.now();
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
      resolve({ ms: performance.now() - startedAt, text });
    });
  });

test.each([
  ["a body that drips", "POST /v4/volumes HTTP/1.1\r\nContent-Type: application/json", "408"],
  ["a body whose request was rejected at once", "BREW /v4/volumes HTTP/1.1\r\nX: 1", ""],
  ["a body on the data plane that was rejected at once", "PUT /objects/us-east-1/none/a HTTP/1.1\r\nX: 1", ""],
  ["a body whose request names another host", "POST /v4/volumes HTTP/1.1\r\nHost: rebound.example", ""],
  ["a body whose request has an invalid path", "POST /v4/%ff HTTP/1.1\r\nX: 1", ""],
])("the connection of %s is closed", async (_, head, status) => {
  await using one = await cloud({ requestTimeout: 400 });
  const { ms, text } = await drip(one.url, head);
  expect(ms).toBeLessThan(5000);
  expect(text).toContain(status);
});

test("a response with a header that HTTP does not allow is a 500, and the others of the same moment are sent", async ({
  one,
}) => {
  const photos = await bucket(one);
  await photos.put("cat");
  const [cat] = one.world.objectStorageObjects.all();
  one.world.objectStorageObjects.patch(cat?.id ?? "", { etag: "a\nb" });
  const url = await photos.url("GET", "cat");
  const [broken, ...others] = await Promise.all([
    data(one, `GET ${url}`),
    one.send("GET /volumes"),
    one.send("GET /regions"),
  ]);
  expect([broken.status, broken.text]).toEqual([500, expect.stringContaining("please report this")]);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
});

test("closes the connection of a very slow upload", async () => {
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
    const sent = http({ port, host: hostname, path, headers: { authorization, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });

test.for<[string, number]>([
  ["localhost:4108", 200],
  ["127.0.0.1", 200],
  ["127.9.9.9:1", 200],
  ["[::1]:4108", 200],
  ["rebound.example", 403],
  ["127.0.0.1.rebound.example", 403],
  ["localhost.rebound.example:80", 403],
])("under the host %s the control interface, the API and data return %i", async ([host, status], { one }) => {
  expect(await asking(one, { host })).toBe(status);
  expect(await asking(one, { host }, "/v4/volumes")).toBe(status);
  expect(await asking(one, { host }, "/objects/us-east-1/none/a")).toBe(status === 200 ? 404 : status);
});

test.for(["http://evil.example", "http://localhost:3000", "null"])(
  "a page of the origin %s cannot call the control interface, or send a token to the API",
  async (origin, { one }) => {
    expect(await asking(one, { origin })).toBe(403);
    const requested = {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    };
    const { headers } = await fetch(`${one.url}/volumes`, { method: "OPTIONS", headers: requested });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  },
);

test("the error contains the host of the request and the allowed ones", async ({ one }) => {
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

test.for<[string, string, number]>([
  ["no header Host", "GET /v4/regions HTTP/1.1\r\nConnection: close\r\n\r\n", 0],
  [
    "two headers Host",
    "GET /v4/regions HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\nConnection: close\r\n\r\n",
    2,
  ],
])("a request with %s is rejected with an error as JSON", async ([_, request, count], { one }) => {
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

test("the OpenAPI document is generated once, with the URL of the request", async ({ one }) => {
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

describe("the page at /", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const page = async ({ url }: Cloud, accept: string, method = "GET") => {
    const response = await fetch(new URL("/", url), { method, headers: { accept } });
    return { response, text: await response.text() };
  };

  test("a browser gets a page with the address of the API and how to call it, without a token", async () => {
    await using one = await cloud({ token: "a-token-of-my-own" });
    const { response, text } = await page(one, browser);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(text).toContain("<h1>Emulator of the Cloud Infrastructure API</h1>");
    expect(text).toContain("<dt>API version</dt><dd>4.108.1</dd>");
    expect(text).toContain(`<code>${one.url}</code>`);
    expect(text).toContain(`curl -H "Authorization: Bearer emulator" ${one.url}/volumes`);
    expect(text).toContain(`pulumi config set cloudinfra:url ${one.url}\n`);
    expect(text).not.toContain("a-token-of-my-own");
  });

  test.for(["TEXT/HTML", "application/json, text/html;q=0.5", "text/html ; q=0.001"])(
    "a client that accepts %s gets the page",
    async (accept, { one }) => {
      expect((await page(one, accept)).response.status).toBe(200);
    },
  );

  test.for(["*/*", "application/json", "text/*", "text/html;q=0", "text/html; q=0.000", "text/htmlx"])(
    "a client that accepts %s gets the error of an unknown path as JSON",
    async (accept, { one }) => {
      const { response, text } = await page(one, accept);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(JSON.parse(text)).toEqual({ errors: [{ reason: "Not found" }] });
    },
  );

  test("only reads of / return it", async ({ one }) => {
    expect(await page(one, browser, "HEAD")).toMatchObject({ response: { status: 200 }, text: "" });
    expect((await page(one, browser, "POST")).response.status).toBe(404);
    const other = await fetch(new URL("/v4", one.url), { headers: { accept: browser } });
    expect([other.status, other.headers.get("content-type")]).toEqual([404, "application/json"]);
  });

  test("nothing in it runs or is loaded, and no other page can embed it", async ({ one }) => {
    const { response, text } = await page(one, browser);
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, style = ""] = /<style>(.*)<\/style>/s.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/<script|<form|<img|\son\w+=|\ssrc=/i);
  });

  const withHost = ({ url }: Cloud, host: string) =>
    rawResponse(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);

  test.each(["localhost:999", "LOCALHOST", "127.9.9.9:80"])(
    "its address is that of the server, not that of the header Host (%s)",
    async (host) => {
      await using open = await cloud({ host: "::" });
      const text = await withHost(open, host);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(text).toContain(`<code>http://127.0.0.1:${new URL(open.url).port}/v4</code>`);
      expect(text).not.toContain(host);
    },
  );

  test.for(["rebound.example", 'localhost"><b>', "<script>alert(1)</script>"])(
    "the host %s gets an error as JSON",
    async (host, { one }) => {
      expect(await withHost(one, host)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\ncontent-type: application\/json\r\n/);
    },
  );

  test("its address is escaped", () => {
    const { body } = startPage(`http://"><b>'&`);
    expect(body).not.toContain("<b>");
    expect(body).toContain("<code>http://&#34;&#62;&#60;b&#62;&#39;&#38;/v4</code>");
  });
});

describe("the log of requests", () => {
  /** An emulator and the lines that it logs, each as `METHOD URL STATUS`. */
  async function logging(options: EmulatorOptions = {}) {
    const lines: string[] = [];
    const one = await cloud({ ...options, log: (line) => lines.push(line) });
    const short = (line: string) => line.replace(/^\S+ (.*) \d+ ms$/, "$1");
    /** Waits for the lines, because a line is written after the client has received the response. */
    const logged = async (count: number) => {
      await vi.waitFor(() => expect(lines).toHaveLength(count));
      return lines.map(short);
    };
    return { one, lines, logged, [Symbol.asyncDispose]: one.close };
  }

  test("has a line with time, method, path with query, status and duration for each request", async () => {
    await using log = await logging({ latency: 30 });
    const before = Date.now();
    await log.one.send("GET /regions?page=1&page_size=100");
    await log.logged(1);
    const [, time = "", ms] =
      /^(\S+) GET \/v4\/regions\?page=1&page_size=100 200 (\d+) ms$/.exec(log.lines[0] ?? "") ?? [];
    expect(new Date(time).toISOString()).toBe(time);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    expect(Number(ms)).toBeGreaterThanOrEqual(29);
  });

  test("contains requests to all parts of the emulator, also rejected ones", async () => {
    await using log = await logging();
    const { origin } = new URL(log.one.url);
    await log.one.send("POST /volumes", { body: { label: "Correct-Horse-42", region: "us-east" } });
    await log.one.send("GET /volumes", { token: null });
    await log.one.send("GET /_emulator/clock");
    await fetch(`${origin}/openapi.json`);
    await fetch(origin, { headers: { accept: "text/html" } });
    await fetch(`${origin}/objects/us-east-1/none/a`);
    await fetch(`${origin}/v4/%ff`);
    await asking(log.one, { host: "rebound.example" }, "/v4/volumes");
    expect(await log.logged(8)).toEqual([
      "POST /v4/volumes 200",
      "GET /v4/volumes 401",
      "GET /_emulator/clock 200",
      "GET /openapi.json 200",
      "GET / 200",
      "GET /objects/us-east-1/none/a 404",
      "GET /v4/%ff 400",
      "GET /v4/volumes 403",
    ]);
  });

  test("contains no token, in whatever part of the address it is, and no body", async () => {
    await using log = await logging({ token: "a-token-of-my-own" });
    const token = "123e4567-e89b-42d3-a456-426614174000";
    const { body } = await log.one.send("POST /images/upload", { body: { label: "own", region: "us-east" } });
    await fetch(body.upload_to, { method: "PUT", body: "no gzip" });
    await log.one.send(`GET /account/entity-transfers/${token}`);
    await log.one.send(`PATCH /account/entity-transfers/${token}`);
    await log.one.send(`POST /account/service-transfers/%31${token.slice(1)}/accept`);
    await log.one.send("GET /volumes?access_token=a-token-of-my-own&page=1");
    await log.one.send("GET /nothing?token=a-token-of-my-own&b&=a-token-of-my-own");
    expect(await log.logged(7)).toEqual([
      "POST /v4/images/upload 200",
      expect.stringMatching(/^PUT \/image-uploads\/\d+\?token=\[secret\] 415$/),
      "GET /v4/account/entity-transfers/[secret] 404",
      "PATCH /v4/account/entity-transfers/[secret] 405",
      "POST /v4/account/service-transfers/[secret]/accept 404",
      "GET /v4/volumes?access_token=[secret]&page=1 200",
      "GET /v4/nothing?token=[secret]&b&=[secret] 404",
    ]);
    const all = JSON.stringify([log.lines, log.one.requests.list()]);
    for (const secret of ["a-token-of-my-own", token.slice(1), new URL(body.upload_to).search.slice(7)])
      expect(all).not.toContain(secret);
  });

  test("says if the connection was closed before the whole response was sent", async () => {
    await using log = await logging();
    for (const kind of ["cut-before", "cut-mid"] as const) {
      log.one.faults.add({ path: "regions.list", kind });
      await expect(log.one.send("GET /regions")).rejects.toThrow();
    }
    expect(await log.logged(2)).toEqual(["GET /v4/regions cut", "GET /v4/regions cut"]);
  });

  test.each([
    ["a line break", "/v4/a\n2026-01-01T00:00:00.000ZGET/v4/forged", "GET /v4/a 404"],
    ["an escape sequence", "/v4/a\u001b[2K\u001b[1A", "- - 400"],
    ["a control character of Latin-1", "/v4/a\u0085\u009b31m", "- - 400"],
  ])("%s in a path writes no line of its own", async (_, path, line) => {
    await using log = await logging();
    await rawResponse(log.one.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await log.logged(1)).toEqual([line]);
    await rawResponse(log.one.url, `GET ${encodeURI(path)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect((await log.logged(2))[1]).toBe(`GET ${encodeURI(path)} 404`);
  });

  test("a line consists of visible ASCII characters, and is at most about 1,000 long", () => {
    const line = accessLine("GET", "/v4/a b\r\n\u001b[31m\u0085\u009b2J\u00a0é", "404", 1.4);
    expect(line.replace(/^\S+ /, "")).toBe("GET /v4/a\\x20b\\x0d\\x0a\\x1b[31m\\x85\\x9b2J\\xa0\\xe9 404 1 ms");
    expect(accessLine("GET", `/${"a".repeat(9999)}`, "404", 0)).toMatch(/^\S+ GET \/a{999}… 404 0 ms$/);
  });
});
