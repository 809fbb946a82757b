import { expect, test } from "vitest";
import { changing, numbers, service } from "./collection";
import { failureOf, json, rejection, volume } from "./scripted";

test("combines simultaneous reads in a list, and reads missing objects separately", async () => {
  const { view, calls } = await service(50);
  const found = await Promise.all([view(1), view(2), view(1), view(99)]);
  expect(found.map((record) => record?.id)).toEqual([1, 2, 1, undefined]);
  expect(calls()).toEqual(["GET /v4/volumes#1", "GET /v4/volumes/99"]);
});

test("simultaneous reads of one object are one call", async () => {
  const { view, calls } = await service(50);
  await Promise.all([view(1), view(1)]);
  expect(calls()).toEqual(["GET /v4/volumes/1"]);
});

test("more simultaneous reads are one list", async () => {
  const { view, calls } = await service(50);
  const found = await Promise.all(numbers(5).map((id) => view(id)));
  expect(found).toEqual(numbers(5).map(volume));
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test.each([100, 150])("a hundred simultaneous reads of %d objects take at most two calls", async (count) => {
  const { view, calls } = await service(count);
  const found = await Promise.all(numbers(100).map((id) => view(id)));
  expect(found.map((record) => record?.id)).toEqual(numbers(100));
  expect(calls().length).toBeLessThanOrEqual(2);
});

test("reads in sequence are single views at first, then one list of the collection", async () => {
  const { view, calls } = await service(60);
  for (const id of numbers(60)) expect((await view(id))?.id).toBe(id);
  expect(calls()).toEqual(["GET /v4/volumes/1", "GET /v4/volumes/2", "GET /v4/volumes#1"]);
});

test("takes few calls for eight reads in parallel, as Pulumi sends them", async () => {
  const { view, calls } = await service(400);
  const ids = numbers(400);
  await Promise.all(
    numbers(8).map(async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) expect((await view(id))?.id).toBe(id);
    }),
  );
  expect(calls().length).toBeLessThan(20);
});

test("a read waits for a list of the whole collection that is in progress", async () => {
  const { view, calls } = await service(60);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const reads = [];
  for (const id of numbers(8)) {
    reads.push(view(id));
    await nextTurn();
  }
  await Promise.all(reads);
  expect(calls().filter((call) => call.startsWith("GET /v4/volumes/"))).toHaveLength(2);
});

test("objects of a list are cached for five seconds", async () => {
  const { view, calls, time } = await service(20);
  for (const id of numbers(9)) await view(id);
  calls();
  time.advance(4_900);
  await view(12);
  expect(calls()).toEqual([]);
  time.advance(200);
  await view(12);
  expect(calls()).toEqual(["GET /v4/volumes/12"]);
});

test("data that does not change is read once in a run", async () => {
  const { api, reads, calls, time } = await changing(20);
  const view = () => reads.view("volumes", { volumeId: 12 }, { age: "any" });
  await view();
  time.advance(3_600_000);
  await api.volumes.delete({ path: { volumeId: 11 } });
  await view();
  expect(calls()).toEqual(["GET /v4/volumes/12", "DELETE /v4/volumes/11"]);
});

test("reads an object separately that the list does not contain, before it counts as deleted", async () => {
  const { view, calls, volumes } = await service(20);
  for (const id of numbers(9)) await view(id);
  calls();
  volumes.push(volume(21));
  expect((await view(21))?.id).toBe(21);
  expect(await view(22)).toBeUndefined();
  expect(calls()).toEqual(["GET /v4/volumes/21", "GET /v4/volumes/22"]);
});

test("a fresh read is not served from the cache, but shares the call of simultaneous reads", async () => {
  const { view, calls } = await service(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await view(1, true);
  expect(calls()).toEqual(["GET /v4/volumes/1"]);
  await Promise.all(numbers(10).map((id) => view(id, true)));
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test("does not search a large collection page by page for a few objects", async () => {
  const { view, calls } = await service(2_000);
  await Promise.all([1_900, 1_901, 1_902, 1_903].map((id) => view(id)));
  expect(calls()).toHaveLength(5);
});

test("lists a large collection only after as many reads as it has pages", async () => {
  const { view, calls } = await service(2_000);
  for (const id of numbers(300)) await view(id);
  expect(calls().length).toBeLessThan(80);
});

test("if lists can be filtered by id, lists only the requested objects, for each parent", async () => {
  const { reads, calls, seen } = await service(0);
  const view = (bookId: number, noteId: number) => reads.view("notes", { bookId, noteId }, { age: "now" });
  const found = await Promise.all([...numbers(120).map((id) => view(7, id)), view(8, 1)]);
  expect(found[119]).toEqual({ id: 120, text: "/v4/books/7/notes" });
  expect(found[120]).toEqual({ id: 1, text: "/v4/books/8/notes/1" });
  expect(JSON.parse(String(seen[0]?.headers["x-filter"]))).toEqual({ "+or": numbers(100).map((id) => ({ id })) });
  expect(calls().sort()).toEqual(["GET /v4/books/7/notes#1", "GET /v4/books/7/notes#1", "GET /v4/books/8/notes/1"]);
});

test("reads the objects of an area without a list one by one", async () => {
  const { reads, calls } = await service(0, () => json(200, { kubeconfig: "x" }));
  await Promise.all(["a", "b", "c", "d", "e"].map((name) => reads.view("secrets", { name })));
  expect(calls()).toHaveLength(5);
});

test("reads objects one by one if the token cannot list them, each with its own error", async () => {
  const { view, calls } = await service(20, ({ path }) => {
    if (path.includes("?")) return rejection(403, "Unauthorized");
    return path.endsWith("/3") ? rejection(400, "Broken.") : undefined;
  });
  const found = await Promise.allSettled(numbers(5).map((id) => view(id)));
  expect(found.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(found[2]).toMatchObject({ reason: { message: "volumes.view: 400 Broken." } });
  expect(calls()).toHaveLength(6);
});

test("cancelling one of several shared reads does not affect the others", async () => {
  const { reads, view } = await service(20);
  const value = failureOf(reads.view("volumes", { volumeId: 1 }, { signal: AbortSignal.abort() }));
  expect((await view(1))?.id).toBe(1);
  expect(await value).toMatchObject({ name: "CancelledError", message: "volumes.view: cancelled" });
});
