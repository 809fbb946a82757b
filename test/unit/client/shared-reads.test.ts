import { expect, test } from "vitest";
import { connected, failureOf, json, pageOf, refusal, type Seen, type Step, serve, volume } from "./scripted";

/** A service with the volumes 1 to `count`, and the notes of any book. */
async function service(count: number, overrides: (request: Seen) => Step | undefined = () => undefined) {
  const volumes = Array.from({ length: count }, (_, i) => volume(i + 1));
  const { url, seen } = await serve((request, response) => {
    const override = overrides(request);
    if (override) return override(request, response);
    const { pathname, searchParams } = new URL(request.path, "http://x");
    const one = /(volumes|notes)\/(\d+)$/.exec(pathname);
    if (one?.[1] === "notes") return { id: Number(one[2]), text: pathname };
    if (one) return volumes.find(({ id }) => id === Number(one[2])) ?? refusal(404, "Not found")(request, response);
    const page = Number(searchParams.get("page"));
    if (pathname.endsWith("notes")) {
      const filter = JSON.parse(String(request.headers["x-filter"])) as { "+or": { id: number }[] };
      return pageOf(filter["+or"].map(({ id }) => ({ id, text: pathname })));
    }
    return pageOf(volumes.slice((page - 1) * 100, page * 100), page, Math.ceil(count / 100));
  });
  const client = connected(url);
  const view = (volumeId: number, fresh = false) =>
    client.reads.view("volumes", { volumeId }, { age: fresh ? "now" : "young" });
  const calls = () =>
    seen.splice(0).map(({ method, path }) => `${method} ${path.replace(/\?page=(\d+)&page_size=100$/, "#$1")}`);
  return { ...client, view, calls, seen, volumes };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

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

/** A service that carries out changes of volumes. */
const changing = (count: number) => {
  const made = service(count, ({ method, path }) => {
    if (method === "GET") return undefined;
    if (method === "DELETE") return json(200, {});
    const id = Number(/volumes\/(\d+)/.exec(path)?.[1] ?? count + 1);
    const changed = { ...volume(id), label: "new" };
    void made.then(({ volumes }) => void volumes.splice(id - 1, 1, changed));
    return json(200, changed);
  });
  return made;
};

test("the response to a create is the first look at the object; the next look is a call", async () => {
  const { api, reads, calls } = await changing(20);
  const { id } = await api.volumes.create({ body: { label: "new", size: 20, region: "us-east" } });
  const look = () => reads.view("volumes", { volumeId: id }, { age: "changed" });
  expect((await look())?.label).toBe("new");
  expect(calls()).toEqual(["POST /v4/volumes"]);
  await look();
  expect(calls()).toEqual([`GET /v4/volumes/${id}`]);
});

test("the response to an update is the first look at the object, and the other objects are still known", async () => {
  const { api, reads, view, calls } = await changing(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await api.volumes.update({ path: { volumeId: 12 }, body: { label: "new" } });
  expect((await reads.view("volumes", { volumeId: 12 }, { age: "changed" }))?.label).toBe("new");
  await view(11);
  expect(calls()).toEqual(["PUT /v4/volumes/12"]);
});

test("a second change makes the response to the first one old", async () => {
  const { api, reads, calls } = await changing(20);
  await api.volumes.update({ path: { volumeId: 12 }, body: { label: "new" } });
  await api.volumes.detach({ path: { volumeId: 12 } });
  await reads.view("volumes", { volumeId: 12 }, { age: "changed" });
  expect(calls()).toEqual(["PUT /v4/volumes/12", "POST /v4/volumes/12/detach", "GET /v4/volumes/12"]);
});

test("a list that is read while an object changes says nothing of that object", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { api, view, calls } = await service(20, ({ method, path }) => {
    if (method === "PUT") return json(200, { id: 12 });
    if (path.includes("?"))
      return async (_, response) =>
        void (await held.then(() =>
          json(200, { data: [volume(11), volume(12), volume(13)], page: 1, pages: 1, results: 3 })(_, response),
        ));
    return undefined;
  });
  const read = Promise.all([view(11), view(12), view(13)]);
  await api.volumes.update({ path: { volumeId: 12 }, body: { label: "new" } });
  release();
  await read;
  calls();
  await view(11);
  expect(calls()).toEqual([]);
  await view(12);
  expect(calls()).toHaveLength(1);
});

test("several objects that we have deleted are looked for with one list; one that is still there is shown by it", async () => {
  const { reads, calls } = await service(20);
  const look = (volumeId: number) => reads.view("volumes", { volumeId }, { age: "deleted" });
  expect(await Promise.all([look(98), look(99), look(7)])).toEqual([undefined, undefined, volume(7)]);
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test("what a list of several pages does not show is looked at alone, after a deletion as well", async () => {
  const { reads, calls } = await service(150);
  const look = (volumeId: number) => reads.view("volumes", { volumeId }, { age: "deleted" });
  expect(await Promise.all([look(998), look(999)])).toEqual([undefined, undefined]);
  expect(calls()).toContain("GET /v4/volumes/998");
});

test("after a deletion everything is read again: what hung on the object may have changed with it", async () => {
  const { api, view, calls } = await changing(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await api.volumes.delete({ path: { volumeId: 12 } });
  await view(11);
  expect(calls()).toEqual(["DELETE /v4/volumes/12", "GET /v4/volumes/11"]);
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
