import { expect } from "vitest";
import { ErrorBody } from "../../api";
import { type Cloud, cloud, test } from "./cloud";
import { proves } from "./proves";
import { raw } from "./raw";

const head = (lines: string, length?: number): string =>
  `${lines}\r\nHost: localhost\r\nAuthorization: Bearer emulator\r\nContent-Type: application/json\r\n${length === undefined ? "" : `Content-Length: ${length}\r\n`}Connection: close\r\n\r\n`;

/**
 * Expects that a raw request fails with a 4xx error in the API's format, and that the server still responds to other
 * requests.
 */
async function rejected(one: Cloud, response: string): Promise<number> {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
  expect(status, response.slice(0, 200)).toBeGreaterThanOrEqual(400);
  expect(status, response.slice(0, 200)).toBeLessThan(500);
  const body = JSON.parse(response.slice(response.indexOf("\r\n\r\n") + 4));
  expect(ErrorBody.safeParse(body).success, JSON.stringify(body)).toBe(true);
  expect((await one.send("GET /regions")).status).toBe(200);
  return status;
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each<[string, string | Buffer, number]>([
  ["broken JSON", '{"label": "da', 400],
  ["no JSON at all", "label=data", 400],
  ["a list", "[]", 400],
  ["a number", "7", 400],
  ["null", "null", 400],
  ["a key __proto__", '{"__proto__": {"admin": true}, "label": "data", "region": "us-east"}', 400],
  ["a key __proto__ inside", '{"label": "data", "region": "us-east", "tags": [{"__proto__": 1}]}', 400],
  ["a key constructor", '{"constructor": {"prototype": {"x": 1}}, "label": "data", "region": "us-east"}', 400],
  ["the same key twice, the last one bad", '{"label": "data", "region": "us-east", "label": 7}', 400],
  ["deep nesting", nested(100_000), 400],
  ["bad UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ["a lone half of a character in a label", '{"label": "\\ud800", "region": "us-east"}', 400],
  ["a character 0", '{"label": "da\\u0000ta", "region": "us-east"}', 400],
  ["a number beyond all numbers", '{"label": "data", "region": "us-east", "size": 1e999}', 400],
  ["a body of 10 MB", JSON.stringify({ label: "x".repeat(10 * 1024 * 1024) }), 413],
  [
    "40,000 unknown keys",
    JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))),
    400,
  ],
])("rejects a body with %s", async (one, _, body, status) => {
  const response = await raw(one, [head("POST /v4/volumes HTTP/1.1", Buffer.byteLength(body)), body]);
  expect(await rejected(one, response)).toBe(status);
  expect(one.world.volumes.size).toBe(0);
});

test.each(["\ud800ab", "\udc00ab", "ab\ud800"])("creates no tag with half of a character (%j)", async (one, label) => {
  const { status, body } = await one.send("POST /tags", { body: { label } });
  expect([status, body.errors]).toEqual([
    400,
    [{ field: "label", reason: "Must not contain half of a surrogate pair" }],
  ]);
  expect((await one.send("GET /tags")).body.data).toEqual([]);
  const tags = await one.send("POST /volumes", { body: { label: "data", region: "us-east", tags: ["plain", label] } });
  expect(tags.body.errors).toEqual([{ field: "tags.1", reason: "Must not contain half of a surrogate pair" }]);
});

test.each([
  ["another content type", "text/plain"],
  ["a form", "application/x-www-form-urlencoded"],
  ["almost JSON", "application/jsonp"],
])("rejects a body with the content type %s", async (one, _, type) => {
  proves("part 1 · Endpoints · Common rules · rule 1");
  const response = await one.send("POST /volumes", { body: "{}", headers: { "content-type": type } });
  expect([response.status, response.body.errors[0].reason]).toEqual([415, expect.any(String)]);
});

test.each([
  ["an id beyond all numbers", "/v4/volumes/99999999999999999999999999999999", 404],
  ["a negative id", "/v4/volumes/-1", 404],
  ["an id in hex", "/v4/volumes/0x10", 404],
  ["an id that begins with 0", "/v4/volumes/07", 404],
  ["an id of a million digits", `/v4/volumes/${"9".repeat(12_000)}`, 404],
  ["a step up", "/v4/volumes/../account", 404],
  ["an encoded step up", "/v4/volumes/%2e%2e/regions", 404],
  ["an encoded slash", "/v4%2fvolumes", 404],
  ["two slashes", "/v4//volumes", 404],
  ["two slashes at its end", "/v4/volumes//", 404],
  ["a broken escape", "/v4/volumes/%zz", 400],
  ["no UTF-8", "/v4/volumes/%ff%fe", 400],
  ["a character 0", "/v4/volumes/%00", 404],
  ["another version", "/v5/volumes", 404],
  ["no version", "/volumes", 404],
  ["a whole address of another host", "http://other.example/v4/volumes/1", 404],
  ["an unknown path", "/v4/nothing", 404],
  ["a control constructor", "/_emulator/constructor", 404],
  ["a backslash", "/v4\\volumes", 404],
])("rejects a path with %s", async (one, _, path, status) => {
  expect(await rejected(one, await raw(one, [head(`GET ${path} HTTP/1.1`)]))).toBe(status);
});

test("rejects input that is not HTTP", async (one) => {
  expect(await rejected(one, await raw(one, ["HELLO\r\n\r\n"]))).toBe(400);
});

test.each(["constructor", "__proto__", "toString"])("rejects a filter on %s", async (one, name) => {
  for (const filter of [`{"${name}": 1}`, `{"label": {"${name}": 1}}`, `{"+order_by": "${name}"}`])
    expect((await one.send("GET /volumes", { filter })).status).toBe(400);
});

test.each([
  ["too many headers", Array.from({ length: 5000 }, (_, at) => `X-Flood-${at}: 1`).join("\r\n")],
  ["one huge header", `X-Flood: ${"x".repeat(200_000)}`],
  ["a header without a name", ": nothing"],
  ["a header with a line break in it", "X-Odd: a\r\n\u0001b: c"],
  ["two lengths", "Content-Length: 5\r\nContent-Length: 6"],
  ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked"],
  ["a length that is none", "Content-Length: many"],
])("rejects a request with %s", async (one, _, lines) => {
  await rejected(one, await raw(one, [`GET /v4/volumes HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n`]));
});

test("a body that arrives too slowly times out, and does not delay other requests", async () => {
  await using one = await cloud({ requestTimeout: 300 });
  const slow = raw(one, [head("POST /v4/volumes HTTP/1.1", 100), ...Array.from({ length: 20 }, () => "{")], 100);
  expect((await one.send("GET /regions")).status).toBe(200);
  expect(await rejected(one, await slow)).toBe(408);
});

test("a connection whose headers arrive too slowly is closed", async () => {
  await using one = await cloud({ requestTimeout: 300 });
  const response = await raw(
    one,
    ["GET /v4/volumes HTTP/1.1\r\n", ...Array.from({ length: 20 }, (_, at) => `X-${at}: 1\r\n`)],
    100,
  );
  expect(await rejected(one, response)).toBe(408);
});

test("hundreds of rejected bodies of two megabytes do not use more memory", async (one) => {
  const body = Buffer.alloc(2 * 1024 * 1024, "x");
  const flood = async (times: number) => {
    for (let at = 0; at < times; at++) expect((await one.send("POST /volumes", { body })).status).toBe(413);
  };
  await flood(50);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  await flood(300);
  globalThis.gc?.();
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});
