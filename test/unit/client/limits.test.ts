import { expect, test } from "vitest";
import { Bucket } from "../../../provider/client/interceptors/bucket";
import { connected, fakeTime, json, pageOf, rejection, type Step, serve, volume } from "./scripted";

const start = Date.UTC(2022, 0, 1);
const view = { path: { volumeId: 1 } };

const limited = (limit: number, remaining: number, resetInS: number, body: unknown = volume(1)): Step =>
  json(200, body, {
    date: new Date(start).toUTCString(),
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": start / 1000 + resetInS,
  });

test("does not delay calls while many requests are left", async () => {
  const { url } = await serve(limited(1600, 1500, 120));
  const { api, slept } = connected(url);
  for (let i = 0; i < 20; i++) await api.volumes.view(view);
  expect(slept).toEqual([]);
});

test("spreads calls over the rest of the window when few requests are left", async () => {
  const { url } = await serve(limited(100, 8, 80));
  const { api, slept } = connected(url);
  for (let i = 0; i < 3; i++) await api.volumes.view(view);
  expect(slept).toHaveLength(1);
  expect(slept[0]).toBeCloseTo(10_000, -2);

  const bucket = new Bucket();
  bucket.reserve(start);
  bucket.release();
  bucket.update(100, 8, start + 80_000);
  const waits = Array.from({ length: 8 }, () => Math.round(bucket.reserve(start) / 1000));
  expect(waits).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
});

test("delays calls to the next window when no requests are left", async () => {
  const { url } = await serve(limited(100, 0, 30), limited(100, 99, 150));
  const { api, slept } = connected(url);
  await api.volumes.view(view);
  await api.volumes.view(view);
  expect(slept).toEqual([30_000]);
});

test("sends a call immediately if its turn would come after its deadline", async () => {
  const { url, seen } = await serve(limited(100, 0, 30));
  const { api, slept, time } = connected(url);
  await api.volumes.view(view);
  await api.volumes.view(view, { deadline: time.now() + 10_000 });
  expect(slept).toEqual([]);
  expect(seen).toHaveLength(2);
});

test("does not delay operations with another limit", async () => {
  const { url } = await serve(limited(100, 50, 30), limited(10, 0, 30), limited(100, 49, 30));
  const { api, slept } = connected(url);
  await api.volumes.view(view);
  await api.volumes.create({ body: { label: "data" } });
  await api.volumes.view(view);
  expect(slept).toEqual([]);
  await api.volumes.create({ body: { label: "data" } });
  expect(slept).toEqual([30_000]);
});

test("delays all calls with the same limit after one 429", async () => {
  const { url, seen } = await serve(rejection(429, "Too many requests", { "retry-after": 20 }), () => pageOf([]));
  const { api, time } = connected(url);
  const first = api.volumes.list();
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  await first;
  expect(time.now() - start).toBe(20_000);
});

test("spaces all calls by the user's own limit", async () => {
  const { url } = await serve(() => volume(1));
  const { api, time } = connected(url, { rateLimit: { perSecond: 4 } });
  for (let i = 0; i < 9; i++) await api.volumes.view(view);
  expect(time.now() - start).toBe(2000);
});

/** Simulates the emulator's rate limit: at most `limit` calls in each window of two minutes. */
function service(limit: number) {
  let windowFrom = start;
  let used = 0;
  let rejected = 0;
  const call = (now: number) => {
    if (now >= windowFrom + 120_000) [windowFrom, used] = [now, 0];
    used < limit ? used++ : rejected++;
    return { left: limit - used, resetAt: windowFrom + 120_000 };
  };
  return { call, rejected: () => rejected };
}

test("five hundred calls at a limit of sixty in two minutes never exceed it (linode/terraform-provider-linode#222)", () => {
  const bucket = new Bucket();
  const { call, rejected } = service(60);
  const { now, advance } = fakeTime();
  for (let i = 0; i < 500; i++) {
    const closed = bucket.closedMs(now());
    if (closed > 0) advance(closed);
    advance(bucket.reserve(now()));
    const { left, resetAt } = call(now());
    bucket.release();
    bucket.update(60, left, resetAt);
  }
  expect(rejected()).toBe(0);
  expect(now() - start).toBeLessThan((500 / 60 + 1) * 120_000);
});

test("calls in progress count before their responses arrive", () => {
  const bucket = new Bucket();
  bucket.reserve(start);
  bucket.release();
  bucket.update(100, 3, start + 60_000);
  expect(bucket.closedMs(start)).toBeLessThanOrEqual(0);
  for (let i = 0; i < 3; i++) bucket.reserve(start);
  expect(bucket.closedMs(start)).toBe(60_000);
  bucket.update(100, 2, start + 60_000);
  expect(bucket.closedMs(start)).toBe(60_000);
  expect(bucket.closedMs(start + 60_000)).toBeLessThanOrEqual(0);
});
