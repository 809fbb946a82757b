import { expect, test } from "vitest";
import {
  ApiError,
  CancelledError,
  isInDoubt,
  LostResponseError,
  UnreachableError,
} from "../../../provider/client/errors";
import { retryAfterMs } from "../../../provider/client/interceptors/response-signals";
import { drip } from "../../listening";
import { connected, cut, cutInside, failureOf, json, rejection, type Step, serve, volume } from "./scripted";

const view = { path: { volumeId: 1 } };
const create = { body: { label: "data" } };
const ok: Step = () => volume(1);

test.each<[string, Step]>([
  ["a 500", rejection(500, "Internal error")],
  ["a 503 of something in between", json(503, "down")],
  ["a cut before the response", cut],
  ["a cut inside the response", cutInside],
  [
    "a response without length that ends too early",
    (_request, response) => {
      response.useChunkedEncodingByDefault = false;
      response
        .writeHead(200, { "content-type": "application/json", connection: "close" })
        .end('{"id": 1, "label": "da');
    },
  ],
])("retries a read after %s", async (_what, step) => {
  const { url, seen } = await serve(step, step, ok);
  const { api, slept } = connected(url);
  expect(await api.volumes.view(view)).toEqual(volume(1));
  expect(seen).toHaveLength(3);
  expect(slept).toEqual([500, 1000]);
});

test("retries changes that are idempotent", async () => {
  const { url, seen } = await serve(cut, ok, rejection(500, "Internal error"), json(200, {}));
  const { api } = connected(url);
  expect(await api.volumes.update({ ...view, body: { label: "new" } })).toEqual(volume(1));
  expect(await api.volumes.delete(view)).toEqual({});
  expect(seen.map(({ method }) => method)).toEqual(["PUT", "PUT", "DELETE", "DELETE"]);
  expect(seen[1]?.body).toEqual({ label: "new" });
});

test("a 404 for a delete whose earlier response was lost counts as success", async () => {
  const { url } = await serve(cut, rejection(404, "Not found"));
  const { api } = connected(url);
  expect(await api.volumes.delete(view)).toEqual({});
  await expect(api.volumes.delete(view)).rejects.toThrow("volumes.delete: 404 Not found");
});

test("a rejection after a lost response leaves open whether the change was carried out", async () => {
  const { url } = await serve(cut, rejection(401, "Invalid Token"));
  const { api } = connected(url);
  const change = { ...view, body: { label: "new" } };
  const lost = await failureOf(api.volumes.update(change));
  expect(lost).toMatchObject({ status: 401, mayBeDone: true });
  expect(String(lost)).toContain("Invalid Token");
  expect(String(lost)).toMatch(/; an earlier attempt of the request may have been carried out$/);
  const rejected = await failureOf(api.volumes.update(change));
  expect(rejected).toMatchObject({ status: 401, mayBeDone: false });
  expect(String(rejected)).not.toContain("carried out");
});

test.each<[string, (stop: () => Promise<void>) => Step]>([
  ["a 500", () => rejection(500, "Internal error")],
  ["a page of a proxy", () => json(404, "Not here")],
  [
    "no connection",
    (stop) => (_request, response) => {
      response.socket?.destroy();
      void stop();
    },
  ],
])("a change is in doubt if its last attempt gets %s after a lost response", async (_what, last) => {
  const stops: (() => Promise<void>)[] = [];
  const step = last(async () => stops.forEach((stop) => void stop()));
  const { url, stop } = await serve(ok, cut, step);
  stops.push(stop);
  const { api } = connected(url, { retry: { max: 2 } });
  await api.volumes.view(view);
  const error = await failureOf(api.volumes.update({ ...view, body: { label: "new" } }));
  expect(isInDoubt(error)).toBe(true);
  expect(String(error)).toMatch(/may have been carried out/);
});

test("a change that ends at its deadline while it waits for a retry is in doubt", async () => {
  const { url } = await serve(cut);
  const { api, time } = connected(url);
  const update = api.volumes.update({ ...view, body: { label: "new" } }, { deadline: time.now() + 600 });
  expect(isInDoubt(await failureOf(update))).toBe(true);
});

test("a change that no attempt has sent is not in doubt", async () => {
  const { url, stop } = await serve(ok);
  const { api } = connected(url, { retry: { max: 2 } });
  await api.volumes.view(view);
  await stop();
  const error = await failureOf(api.volumes.update({ ...view, body: { label: "new" } }));
  expect(error).toBeInstanceOf(UnreachableError);
});

test("a rejected read is not in doubt, also if an earlier response was lost", async () => {
  const { url } = await serve(cut, rejection(401, "Invalid Token"));
  const { api } = connected(url);
  expect(await failureOf(api.volumes.view(view))).toMatchObject({ status: 401, mayBeDone: false });
});

test("a permanent failure is reported after the last retry", async () => {
  const { url, seen } = await serve(rejection(500, "Internal error"));
  const { api, slept } = connected(url, { retry: { max: 6 } });
  await expect(api.volumes.view(view)).rejects.toThrow("volumes.view: 500 Internal error");
  expect(seen).toHaveLength(7);
  expect(slept).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
});

test("after the last lost response, a read reports an unreachable service, and a change that it may have been carried out", async () => {
  const { url } = await serve(cut);
  const { api } = connected(url);
  expect(await failureOf(api.volumes.view(view))).toBeInstanceOf(UnreachableError);
  expect(await failureOf(api.volumes.delete(view))).toBeInstanceOf(LostResponseError);
});

test("retries every call while a server restarts that has responded before", async () => {
  const { url, stop, seen } = await serve(ok);
  const { api, slept } = connected(url, { retry: { max: 2 } });
  await api.volumes.view(view);
  await stop();
  expect(await failureOf(api.volumes.create(create))).toBeInstanceOf(UnreachableError);
  expect(slept).toEqual([500, 1000]);
  expect(seen).toHaveLength(1);
});

test("waits for the whole Retry-After with every method (linode/terraform-provider-linode#2250)", async () => {
  const { url, seen } = await serve(rejection(429, "Too many requests", { "retry-after": 60 }), ok);
  const { api, slept } = connected(url);
  await api.volumes.create(create);
  expect(slept).toEqual([60_000]);
  expect(seen).toHaveLength(2);
});

test("does not wait for a Retry-After beyond the deadline", async () => {
  const { url, seen } = await serve(rejection(429, "Too many requests", { "retry-after": 60 }));
  const { api, slept, time } = connected(url);
  const error = await failureOf(api.volumes.view(view, { deadline: time.now() + 59_000 }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error.message).toBe(
    "volumes.view: 429 Too many requests (rate limit: retry after 60 s, which exceeds the timeout of this call)",
  );
  expect(slept).toEqual([]);
  expect(seen).toHaveLength(1);
});

test("accepts a date in Retry-After, by the service's clock", () => {
  const date = "Sat, 01 Jan 2022 00:00:00 GMT";
  expect(retryAfterMs({ headers: { date, "retry-after": "Sat, 01 Jan 2022 00:01:30 GMT" } })).toBe(90_000);
  expect(retryAfterMs({ headers: { date, "retry-after": "7" } })).toBe(7000);
  expect(retryAfterMs({ headers: { date, "retry-after": "soon" } })).toBeUndefined();
  expect(retryAfterMs({ headers: {} })).toBeUndefined();
});

test("retries the busy error until the instance is idle, and no other errors", async () => {
  const busy = rejection(400, "Compute busy.");
  const { url, seen } = await serve(busy, busy, busy, json(200, {}), rejection(400, "Not so."));
  const { api, slept } = connected(url);
  await api.instances.boot({ path: { computeId: 1 } });
  expect(slept).toEqual([500, 1000, 2000]);
  await expect(api.instances.boot({ path: { computeId: 1 } })).rejects.toThrow("instances.boot: 400 Not so.");
  expect(seen).toHaveLength(5);
});

test("reports the busy error at the deadline", async () => {
  const { url } = await serve(rejection(400, "Compute busy."));
  const { api, time } = connected(url);
  const deadline = time.now() + 120_000;
  const boot = api.instances.boot({ path: { computeId: 1 } }, { deadline });
  await expect(boot).rejects.toThrow("instances.boot: 400 Compute busy.");
  expect(time.now()).toBeGreaterThan(deadline - 10_000);
  expect(time.now()).toBeLessThanOrEqual(deadline);
});

test("does not send a call whose deadline has passed", async () => {
  const { url, seen } = await serve(ok);
  const { api, time } = connected(url);
  const error = await failureOf(api.volumes.create(create, { deadline: time.now() }));
  expect(error).toBeInstanceOf(CancelledError);
  expect(error).toMatchObject({ message: "volumes.create: timed out before it was sent", by: "deadline" });
  expect(seen).toHaveLength(0);
});

test("ends an attempt in progress at the deadline", async () => {
  const { url } = await serve(() => undefined);
  const { api, time } = connected(url);
  const error = await failureOf(api.volumes.view(view, { deadline: time.now() + 30 }));
  expect(error).toBeInstanceOf(CancelledError);
});

test("ends an attempt that takes too long, even if bytes arrive, and retries a read", async () => {
  const { url, seen } = await serve((_request, response) => drip(response.req, response), ok);
  const { api } = connected(url, { retry: { attemptMs: 200 } });
  expect(await api.volumes.view(view)).toEqual(volume(1));
  expect(seen).toHaveLength(2);
});

test("cancelling ends the delay before a retry", async () => {
  const { url } = await serve(rejection(429, "Too many requests", { "retry-after": 60 }));
  const { api } = connected(url, { sleep: undefined as never, now: Date.now });
  const error = await failureOf(api.volumes.create(create, { signal: AbortSignal.timeout(50) }));
  expect(error).toMatchObject({ name: "CancelledError", by: "caller" });
});
