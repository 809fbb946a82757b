import { expect, test } from "vitest";
import { changing, numbers, service } from "./collection";
import { failureOf, json, refusal, volume } from "./scripted";

test("reads of one moment are a list; what it does not show is looked at alone", async () => {
  const { view, calls } = await service(50);
  const found = await Promise.all([view(1), view(2), view(1), view(99)]);
  expect(found.map((record) => record?.id)).toEqual([1, 2, 1, undefined]);
  expect(calls()).toEqual(["GET /v4/volumes#1", "GET /v4/volumes/99"]);
});

test("one object is asked for once, however many read it at that moment", async () => {
  const { view, calls } = await service(50);
  await Promise.all([view(1), view(1)]);
  expect(calls()).toEqual(["GET /v4/volumes/1"]);
});

test("more reads of one moment are a list", async () => {
  const { view, calls } = await service(50);
  const found = await Promise.all(numbers(5).map((id) => view(id)));
  expect(found).toEqual(numbers(5).map(volume));
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test.each([100, 150])("a hundred reads at once of %d objects take at most two calls", async (count) => {
  const { view, calls } = await service(count);
  const found = await Promise.all(numbers(100).map((id) => view(id)));
  expect(found.map((record) => record?.id)).toEqual(numbers(100));
  expect(calls().length).toBeLessThanOrEqual(2);
});

test("reads one after the other are views at first, then the collection is read whole and serves the rest", async () => {
  const { view, calls } = await service(60);
  for (const id of numbers(60)) expect((await view(id))?.id).toBe(id);
  expect(calls()).toEqual(["GET /v4/volumes/1", "GET /v4/volumes/2", "GET /v4/volumes#1"]);
});

test("eight reads at a time, as the Pulumi engine shows them", async () => {
  const { view, calls } = await service(400);
  const ids = numbers(400);
  await Promise.all(
    numbers(8).map(async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) expect((await view(id))?.id).toBe(id);
    }),
  );
  expect(calls().length).toBeLessThan(20);
});

test("who reads while the whole collection is being read waits for it", async () => {
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

test("a snapshot serves for five seconds", async () => {
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

test("a fact that does not change is read once in a run", async () => {
  const { api, reads, calls, time } = await changing(20);
  const view = () => reads.view("volumes", { volumeId: 12 }, { age: "any" });
  await view();
  time.advance(3_600_000);
  await api.volumes.delete({ path: { volumeId: 11 } });
  await view();
  expect(calls()).toEqual(["GET /v4/volumes/12", "DELETE /v4/volumes/11"]);
});

test("what the whole list does not show is looked at alone before it counts as gone", async () => {
  const { view, calls, volumes } = await service(20);
  for (const id of numbers(9)) await view(id);
  calls();
  volumes.push(volume(21));
  expect((await view(21))?.id).toBe(21);
  expect(await view(22)).toBeUndefined();
  expect(calls()).toEqual(["GET /v4/volumes/21", "GET /v4/volumes/22"]);
});

test("a fresh read is never served from a snapshot, but shares the call of its moment", async () => {
  const { view, calls } = await service(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await view(1, true);
  expect(calls()).toEqual(["GET /v4/volumes/1"]);
  await Promise.all(numbers(10).map((id) => view(id, true)));
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test("few objects of a large collection are not searched for through all of its pages", async () => {
  const { view, calls } = await service(2_000);
  await Promise.all([1_900, 1_901, 1_902, 1_903].map((id) => view(id)));
  expect(calls()).toHaveLength(5);
});

test("a large collection is read whole only once as many reads were made as it has pages", async () => {
  const { view, calls } = await service(2_000);
  for (const id of numbers(300)) await view(id);
  expect(calls().length).toBeLessThan(80);
});

test("where lists can be filtered by id, only what is asked for is listed, parent by parent", async () => {
  const { reads, calls, seen } = await service(0);
  const view = (bookId: number, noteId: number) => reads.view("notes", { bookId, noteId }, { age: "now" });
  const found = await Promise.all([...numbers(120).map((id) => view(7, id)), view(8, 1)]);
  expect(found[119]).toEqual({ id: 120, text: "/v4/books/7/notes" });
  expect(found[120]).toEqual({ id: 1, text: "/v4/books/8/notes/1" });
  expect(JSON.parse(String(seen[0]?.headers["x-filter"]))).toEqual({ "+or": numbers(100).map((id) => ({ id })) });
  expect(calls().sort()).toEqual(["GET /v4/books/7/notes#1", "GET /v4/books/7/notes#1", "GET /v4/books/8/notes/1"]);
});

test("an area without list is read one by one", async () => {
  const { reads, calls } = await service(0, () => json(200, { kubeconfig: "x" }));
  await Promise.all(["a", "b", "c", "d", "e"].map((name) => reads.view("secrets", { name })));
  expect(calls()).toHaveLength(5);
});

test("a token that may view but not list still reads, each read with its own error", async () => {
  const { view, calls } = await service(20, ({ path }) => {
    if (path.includes("?")) return refusal(403, "Unauthorized");
    return path.endsWith("/3") ? refusal(400, "Broken.") : undefined;
  });
  const found = await Promise.allSettled(numbers(5).map((id) => view(id)));
  expect(found.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(found[2]).toMatchObject({ reason: { message: "volumes.view: 400 Broken." } });
  expect(calls()).toHaveLength(6);
});

test("who gives up a read leaves it to the others", async () => {
  const { reads, view } = await service(20);
  const given = failureOf(reads.view("volumes", { volumeId: 1 }, { signal: AbortSignal.abort() }));
  expect((await view(1))?.id).toBe(1);
  expect(await given).toMatchObject({ name: "CancelledError", message: "volumes.view: cancelled" });
});
