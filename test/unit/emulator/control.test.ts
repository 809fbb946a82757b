import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test as vitest } from "vitest";
import { paces, startEmulator } from "../../../emulator";
import { actions } from "../../../emulator/areas";
import { controlPaths } from "../../../emulator/http/control";
import { type Cloud, cloud } from "../../contract/cloud";
import { fresh } from "../../fresh";

const test = vitest.extend("one", fresh(cloud));

const create = ({ send }: Cloud, label = "data") => send("POST /volumes", { body: { label, region: "us-east" } });
const cut = /fetch failed|terminated|other side closed|aborted/;

test("faults: a status with Retry-After, for the nth request and a number of times", async ({ one }) => {
  const { send } = one;
  await send("POST /_emulator/faults", {
    body: { method: "GET", path: "/v4/volumes", nth: 2, times: 2, kind: "status", status: 429, retryAfter: 7 },
  });
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) statuses.push((await send("GET /volumes")).status);
  expect(statuses).toEqual([200, 429, 429, 200]);
  one.faults.add({ path: "/volumes", kind: "status", status: 503, retryAfter: 7 });
  expect((await send("GET /volumes")).headers.get("retry-after")).toBe("7");
});

test("faults: a request that is carried out late has its effect after the delay", async ({ one }) => {
  one.faults.add({ path: "volumes.create", kind: "cut-late", delay: 3000 });
  await expect(create(one, "data")).rejects.toThrow(cut);
  const seen = async () => ((await one.send("GET /volumes")).body as { data: { label: string }[] }).data;
  one.advance(2000);
  expect(await seen()).toEqual([]);
  one.advance(1000);
  expect(await seen()).toMatchObject([{ label: "data" }]);
});

test.for<[string, (one: Cloud) => Promise<unknown>]>([
  ["a reset", ({ send }) => send("POST /_emulator/reset")],
  [
    "a snapshot was loaded",
    async ({ send }) => send("PUT /_emulator/state", { body: (await send("GET /_emulator/state")).body }),
  ],
])("faults: a request that would be carried out late is forgotten after %s", async ([_, replace], { one }) => {
  one.faults.add({ path: "volumes.create", kind: "cut-late", delay: 3000 });
  await expect(create(one)).rejects.toThrow(cut);
  await replace(one);
  one.advance(3000);
  expect((await one.send("GET /volumes")).body.data).toEqual([]);
});

test("faults: only a request that is cut before its handling changes nothing", async ({ one }) => {
  for (const [kind, volumes] of [
    ["cut-before", 0],
    ["cut-after", 1],
    ["cut-mid", 2],
  ] as const) {
    one.faults.add({ path: "volumes.create", kind });
    await expect(create(one, `data-${kind}`)).rejects.toThrow(cut);
    expect(one.world.volumes.size).toBe(volumes);
  }
});

test("faults: a stalled request gets no response, and is carried out only with stall-after", async ({ one }) => {
  for (const [kind, volumes] of [
    ["stall-before", 0],
    ["stall-after", 1],
  ] as const) {
    one.faults.add({ path: "volumes.create", kind });
    const signal = AbortSignal.timeout(100);
    const headers = { authorization: `Bearer ${one.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ label: `data-${kind}`, region: "us-east" });
    await expect(fetch(`${one.url}/volumes`, { method: "POST", headers, body, signal })).rejects.toThrow("timeout");
    expect(one.world.volumes.size).toBe(volumes);
  }
});

test("faults: HTML, busy and a delay", async ({ one }) => {
  one.faults.add({ path: "/v4/volumes/**", kind: "html", status: 502 });
  const html = await one.send("GET /volumes/7");
  expect(html).toMatchObject({ status: 502, body: expect.stringContaining("<html>") });
  one.faults.add({ path: "volumes.*", kind: "busy" });
  expect((await create(one)).body.errors).toEqual([{ reason: "Compute busy." }]);
  one.faults.add({ path: "volumes.list", kind: "delay", delay: 80 });
  const before = performance.now();
  await one.send("GET /volumes");
  expect(performance.now() - before).toBeGreaterThan(75);
});

test("faults: HTML, busy and a status with Retry-After of an upload, which is not carried out", async ({ one }) => {
  const { body } = await one.send("POST /images/upload", { body: { label: "own", region: "us-east" } });
  const upload = async () => {
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch(body.upload_to, { method: "PUT", headers, body: gzipSync("image") });
    const [type, after] = ["content-type", "retry-after"].map((name) => response.headers.get(name));
    return [response.status, type, after, await response.text()];
  };
  const path = "/image-uploads/*";
  one.faults.add({ path, kind: "html", status: 502 });
  expect(await upload()).toEqual([502, "text/html; charset=utf-8", null, "<html><body><h1>502</h1></body></html>"]);
  one.faults.add({ path, kind: "busy" });
  expect(await upload()).toEqual([400, "application/json", null, '{"errors":[{"reason":"Compute busy."}]}']);
  one.faults.add({ path, kind: "status", status: 503, reason: "Down", retryAfter: 7 });
  expect(await upload()).toEqual([503, "application/json", "7", '{"errors":[{"reason":"Down"}]}']);
  expect((await one.send(`GET /images/${body.image.id}`)).body.status).toBe("pending_upload");
  expect((await upload())[0]).toBe(200);
});

test.for(["/objects/**", "/image-uploads/*"])(
  "faults: a request to %s that is carried out late is rejected, because it never would be",
  async (path, { one }) => {
    const { status, body } = await one.send("POST /_emulator/faults", { body: { kind: "cut-late", path } });
    const reason = `Must not be "cut-late" for "${path}": uploads and downloads cannot be carried out late, because their bodies are not stored; use "cut-before" or "cut-after"`;
    expect([status, body.errors]).toEqual([400, [{ field: "kind", reason }]]);
    expect(one.faults.list()).toEqual([]);
  },
);

test("faults: a status with its reason", async ({ one }) => {
  one.faults.add({ path: "volumes.create", kind: "status", status: 400, reason: "Volume is busy" });
  expect(await create(one)).toMatchObject({ status: 400, body: { errors: [{ reason: "Volume is busy" }] } });
  expect((await create(one)).status).toBe(200);
});

test("faults: a status has its reason, or that of the fault; an empty reason is rejected", async ({ one }) => {
  one.faults.add({ path: "volumes.create", kind: "status", status: 503 });
  expect((await create(one)).body.errors).toEqual([{ reason: "Injected by a fault: 503" }]);
  const { status } = await one.send("POST /_emulator/faults", { body: { kind: "status", reason: "" } });
  expect(status).toBe(400);
});

test("faults: a reason or a Retry-After of another kind than status is rejected, because it would have no effect", async ({
  one,
}) => {
  const { body } = await one.send("POST /_emulator/faults", { body: { kind: "busy", reason: "Full", retryAfter: 1 } });
  expect(body.errors).toEqual([
    { field: "reason", reason: 'Only applies to faults of the kind "status", not "busy"' },
    { field: "retryAfter", reason: 'Only applies to faults of the kind "status", not "busy"' },
  ]);
});

test("faults: a stalled job continues when the faults are cleared", async ({ one }) => {
  one.faults.add({ path: "volumes.create", kind: "job-stall" });
  const { body } = await create(one);
  one.advance(3_600_000);
  expect((await one.send(`GET /volumes/${body.id}`)).body.status).toBe("creating");
  await one.send("DELETE /_emulator/faults");
  one.advance(10_000);
  expect((await one.send(`GET /volumes/${body.id}`)).body.status).toBe("active");
});

test("faults: rejects invalid faults with the allowed values", async ({ one }) => {
  const { status, body } = await one.send("POST /_emulator/faults", { body: { kind: "boom", nth: 0, foo: 1 } });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    { field: "nth", reason: "Must be at least 1" },
    { field: "kind", reason: expect.stringContaining('"cut-mid"') },
    { field: "foo", reason: "Is not a known field" },
  ]);
});

test("requests: a log without secrets, and counts per operation", async ({ one }) => {
  const { send } = one;
  await create(one);
  const planted = { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Planted-1!" };
  await send("POST /compute/instances", { body: planted });
  await send("GET /volumes?page=2");
  const { body } = await send("GET /_emulator/requests");
  expect(body.counts).toEqual({ "instances.create": 1, "volumes.create": 1, "volumes.list": 1 });
  expect(body.requests[2]).toMatchObject({ n: 3, path: "/v4/volumes", query: { page: "2" }, status: 200 });
  expect(body.requests[0]).toMatchObject({
    operation: "volumes.create",
    username: "emulator",
    body: { label: "data" },
  });
  expect(body.requests[1].body).toMatchObject({ image: "compute/debian11", root_pass: "[secret]" });
  expect(JSON.stringify(body)).not.toContain("Bearer");
  await send("DELETE /_emulator/requests");
  expect((await send("GET /_emulator/requests")).body).toEqual({ counts: {}, requests: [] });
});

test("state: saved, changed, restored; rejects a newer version and unknown tables", async ({ one }) => {
  const { send } = one;
  await create(one);
  const stored = (await send("GET /_emulator/state")).body;
  expect(JSON.stringify(stored)).not.toContain('"id":"emulator","username"');
  await create(one, "more");
  expect((await send("PUT /_emulator/state", { body: { ...stored, version: 2 } })).body.errors[0].field).toBe(
    "version",
  );
  const odd = { ...stored, tables: { ...stored.tables, foo: { next: 1, rows: [] } } };
  expect((await send("PUT /_emulator/state", { body: odd })).body.errors[0].field).toBe("tables.foo");
  expect(one.world.volumes.size).toBe(2);
  expect((await send("PUT /_emulator/state", { body: stored })).status).toBe(200);
  expect((await send("GET /volumes")).body.data).toMatchObject([{ label: "data", status: "creating" }]);
  one.advance(10_000);
  expect((await send("GET /volumes")).body.data).toMatchObject([{ status: "active" }]);
});

test("reset: creates a new account with the same ids", async ({ one }) => {
  const first = (await create(one)).body;
  one.faults.add({ path: "volumes.create", kind: "busy" });
  await one.send("POST /_emulator/reset");
  expect((await create(one)).body).toEqual(first);
});

test("clock: advances by seconds, and to the end of all jobs", async ({ one }) => {
  const { body } = await create(one);
  const clock = await one.send("POST /_emulator/clock", { body: { seconds: 5, ms: 500 } });
  expect(clock.body).toMatchObject({ time: "2022-01-01T00:00:05", pace: "stepped" });
  await one.send("POST /_emulator/clock", { body: { settle: true } });
  expect((await one.send("GET /_emulator/clock")).body.time).toBe("2022-01-01T00:00:10");
  expect((await one.send(`GET /volumes/${body.id}`)).headers.get("date")).toBe("Sat, 01 Jan 2022 00:00:10 GMT");
});

test("instant: the jobs of a request have ended at the next request, a second later", async () => {
  await using one = await cloud({ pace: "instant", seed: 1 });
  const { body } = await create(one);
  expect(body).toMatchObject({ status: "creating", created: "2022-01-01T00:00:01" });
  const view = await one.send(`GET /volumes/${body.id}`);
  expect(view.body).toMatchObject({ status: "active", updated: "2022-01-01T00:00:11" });
});

test("fast: a job of ten seconds takes a third of a second, and dates are current", async () => {
  await using one = await cloud({ pace: "fast" });
  const { body } = await create(one);
  expect(Math.abs(Date.parse(`${body.created}Z`) - Date.now())).toBeLessThan(5_000);
  expect(one.world.clock.takes(10)).toBe(333);
  one.advance(333);
  expect((await one.send(`GET /volumes/${body.id}`)).body.status).toBe("active");
});

test("accepts control requests from programs on this machine, but not from web pages", async ({ one }) => {
  // The request is sent with node:http, because fetch does not allow setting the header Origin.
  const { port } = new URL(one.url);
  const status = await new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", path: "/_emulator/reset", method: "POST" };
    const requested = request({ ...options, headers: { origin: "http://evil.example" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    requested.on("error", reject).end();
  });
  expect(status).toBe(403);
  expect((await one.send("GET /_emulator/nothing")).status).toBe(404);
  expect((await one.send("DELETE /_emulator/state")).headers.get("allow")).toBe("GET, PUT");
});

test("every pace starts within half a second", async () => {
  for (const pace of paces) {
    const before = performance.now();
    await using emulator = await startEmulator({ pace });
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v4$/);
    expect(performance.now() - before).toBeLessThan(500);
  }
});

test("docs/emulator.md describes every path of the control interface, and no others", () => {
  const text = readFileSync(join(__dirname, "../../../docs/emulator.md"), "utf8");
  const messages = [...text.matchAll(/^\| `(\w+) \/_emulator\/([\w/-]+)`/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(messages.sort()).toEqual(
    controlPaths(actions)
      .map(({ path }) => path)
      .sort(),
  );
});
