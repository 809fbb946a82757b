import { expect, test } from "vitest";
import { CloudInfra } from "../../../provider/client/public";
import { realTime } from "../../../provider/client/time";
import { connected, failureOf, json, rejection, type Step, serve } from "./scripted";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Wraps a request handler, and records the highest number of requests that run at the same time. */
function counting(step: Step) {
  const max = { all: 0 };
  let now = 0;
  const counted: Step = async (request, response) => {
    max.all = Math.max(max.all, ++now);
    await pause(15);
    now--;
    return step(request, response);
  };
  return { max, counted };
}

test("sends changes of one instance one after the other, in order", async () => {
  const { max, counted } = counting(json(200, {}));
  const { url, seen } = await serve(counted);
  const { api } = connected(url);
  const path = { computeId: 5 };
  await Promise.all([api.instances.boot({ path }), api.instances.update({ path }), api.instances.boot({ path })]);
  expect(max.all).toBe(1);
  expect(seen.map(({ method }) => method)).toEqual(["POST", "PUT", "POST"]);
});

test("a request whose body contains the instance is a change of it", async () => {
  const { max, counted } = counting(json(200, {}));
  const { url } = await serve(counted);
  const { api } = connected(url);
  await Promise.all([
    api.instances.boot({ path: { computeId: 5 } }),
    api.volumes.attach({ path: { volumeId: 1 }, body: { compute_id: 5 } }),
  ]);
  expect(max.all).toBe(1);
});

test("does not delay other instances and reads", async () => {
  const { max, counted } = counting(json(200, {}));
  const { url } = await serve(counted);
  const { api } = connected(url);
  await Promise.all([
    api.instances.boot({ path: { computeId: 5 } }),
    api.instances.boot({ path: { computeId: 6 } }),
    api.volumes.view({ path: { volumeId: 1 } }),
  ]);
  expect(max.all).toBe(3);
});

test("sends the next change after one that fails or is cancelled while it waits", async () => {
  const { url, seen } = await serve(async () => void (await pause(30)), json(200, {}));
  const { api } = connected(url, { retry: { attemptMs: 200 } });
  const path = { computeId: 5 };
  const first = failureOf(api.instances.boot({ path }));
  const value = failureOf(api.instances.boot({ path }, { signal: AbortSignal.timeout(10) }));
  const third = api.instances.boot({ path });
  expect(await value).toMatchObject({ name: "CancelledError" });
  expect(await first).toMatchObject({ name: "LostResponseError" });
  expect(await third).toEqual({});
  expect(seen).toHaveLength(2);
});

test("a change keeps its place in the queue while the instance is busy", async () => {
  const { url, seen } = await serve(rejection(400, "Compute busy."), json(200, {}));
  const { api } = connected(url);
  const path = { computeId: 5 };
  await Promise.all([api.instances.boot({ path }), api.instances.update({ path })]);
  expect(seen.map(({ method }) => method)).toEqual(["POST", "POST", "PUT"]);
});

const stalled = () => serve(() => undefined, json(200, {}));

test.each([
  ["its deadline", { deadline: () => Date.now() + 50 }, "timed out while waiting for other calls to instance 5"],
  ["its timeout", { timeoutMs: () => 50 }, "timed out while waiting for other calls to instance 5"],
  ["its caller's signal", { signal: () => AbortSignal.timeout(50) }, "cancelled"],
])("a call that waits in the queue of an instance ends at %s", async (_what, limit, messages) => {
  const { url, seen } = await stalled();
  await using cloud = new CloudInfra({ url, token: "t", retry: { attemptMs: 2000, max: 0 } });
  const first = failureOf(cloud.instances.boot({ computeId: 5 }));
  const options = Object.fromEntries(Object.entries(limit).map(([key, value]) => [key, value()]));
  const startedAt = Date.now();
  const error = await failureOf(cloud.instances.reboot({ computeId: 5 }, options));
  expect(Date.now() - startedAt).toBeLessThan(1000);
  expect(error).toMatchObject({ name: "CancelledError", message: `instances.reboot: ${messages}` });
  await first;
  expect(seen).toHaveLength(1);
});

test("a call that waits for a connection ends when it is cancelled or times out, and is not sent afterwards", async () => {
  const { url, seen } = await serve(() => undefined);
  const { api } = connected(url, { retry: { attemptMs: 1000, max: 0 }, now: Date.now });
  const held = Array.from({ length: 16 }, (_, i) => failureOf(api.volumes.view({ path: { volumeId: i + 1 } })));
  const startedAt = Date.now();
  const cancelled = failureOf(api.volumes.create({ body: { label: "a" } }, { signal: AbortSignal.timeout(50) }));
  const late = failureOf(api.volumes.create({ body: { label: "b" } }, { deadline: Date.now() + 50 }));
  expect(await cancelled).toMatchObject({ name: "CancelledError", by: "caller" });
  expect(await late).toMatchObject({ name: "CancelledError", by: "deadline" });
  expect(Date.now() - startedAt).toBeLessThan(800);
  await Promise.all(held);
  await pause(50);
  expect(seen.map(({ method }) => method)).toEqual(Array.from({ length: 16 }, () => "GET"));
});

test.each([
  ["in the queue of an instance", async () => void (await pause(200))],
  ["for a retry", rejection(400, "Compute busy.")],
] as const)("a change that waits %s is not sent once its caller cancels what is not sent yet", async (_where, step) => {
  const { url, seen } = await serve(step);
  const retry = { attemptMs: 1000, max: 0, firstMs: 2000 };
  const { api } = connected(url, { ...realTime, retry });
  const path = { computeId: 5 };
  const stop = new AbortController();
  const options = { signalUntilSent: stop.signal };
  const first = failureOf(api.instances.boot({ path }, options));
  const second = failureOf(api.instances.boot({ path }, options));
  await pause(100);
  stop.abort(new Error("interrupted"));
  expect(await second).toMatchObject({ name: "CancelledError", by: "caller" });
  await first;
  await pause(50);
  expect(seen).toHaveLength(1);
});

test("a change in progress is completed when its caller cancels what is not sent yet", async () => {
  const { url } = await serve(async (request, response) => {
    await pause(100);
    return json(200, { id: 7 })(request, response);
  });
  const { api } = connected(url, { now: Date.now });
  const stop = new AbortController();
  const created = api.volumes.create({ body: { label: "a" } }, { signalUntilSent: stop.signal });
  await pause(50);
  stop.abort(new Error("interrupted"));
  expect(await created).toMatchObject({ id: 7 });
});
