import { expect } from "vitest";
import { test } from "./cloud";
import { raw } from "./raw";

const volume = { label: "data", region: "us-east" };

test.each<[number, `${string} /${string}`, object]>([
  [200, "GET /volumes", {}],
  [200, "POST /volumes", { body: volume }],
  [200, "DELETE /tags/none", {}],
  [400, "POST /volumes", { body: { label: 7 } }],
  [401, "GET /volumes", { token: "unknown" }],
  [404, "GET /volumes/1", {}],
  [404, "GET /nothing", {}],
  [405, "PATCH /volumes", {}],
  [413, "POST /volumes", { body: "x".repeat(2 * 1024 * 1024) }],
  [415, "POST /volumes", { body: "{}", headers: { "content-type": "text/plain" } }],
  [500, "GET /regions", {}],
  [200, "GET /_emulator/clock", {}],
  [200, "POST /_emulator/reset", { body: {} }],
  [400, "POST /_emulator/clock", { body: { seconds: -1 } }],
  [403, "GET /_emulator/clock", { headers: { origin: "http://elsewhere.example" } }],
  [404, "GET /_emulator/nothing", {}],
])("the content type is application/json without a charset (%i for %s)", async (one, status, request, sending) => {
  await one.send("POST /tags", { body: { label: "none" } });
  if (status === 500) one.faults.add({ path: "regions.list", kind: "status", status });
  const { status: response, headers } = await one.send(request, sending);
  expect([response, headers.get("content-type")]).toEqual([status, "application/json"]);
});

test("the content type is application/json without a charset (invalid HTTP, truncated responses, the OpenAPI document)", async (one) => {
  const invalid = await raw(one, ["nonsense\r\n\r\n"]);
  expect(invalid).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Type: application\/json\r\n/i);
  one.faults.add({ path: "regions.list", kind: "cut-mid" });
  const cut = await raw(one, ["GET /v4/regions HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]);
  expect(cut).toMatch(/\r\ncontent-type: application\/json\r\n/i);
  const origin = one.url.slice(0, -"/v4".length);
  expect((await fetch(`${origin}/openapi.json`)).headers.get("content-type")).toBe("application/json");
  const upload = await fetch(`${origin}/image-uploads/1?token=none`, { method: "PUT", body: "x" });
  expect([upload.status, upload.headers.get("content-type")]).toEqual([404, "application/json"]);
});
