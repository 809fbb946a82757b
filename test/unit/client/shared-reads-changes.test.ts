import { expect, test } from "vitest";
import { changing, numbers, service } from "./collection";
import { json, volume } from "./scripted";

test("the response to a create serves the first read of the object, and the next read is a call", async () => {
  const { api, reads, calls } = await changing(20);
  const { id } = await api.volumes.create({ body: { label: "new", size: 20, region: "us-east" } });
  const look = () => reads.view("volumes", { volumeId: id }, { age: "changed" });
  expect((await look())?.label).toBe("new");
  expect(calls()).toEqual(["POST /v4/volumes"]);
  await look();
  expect(calls()).toEqual([`GET /v4/volumes/${id}`]);
});

test("the response to an update serves the first read of the object, and other objects stay cached", async () => {
  const { api, reads, view, calls } = await changing(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await api.volumes.update({ path: { volumeId: 12 }, body: { label: "new" } });
  expect((await reads.view("volumes", { volumeId: 12 }, { age: "changed" }))?.label).toBe("new");
  await view(11);
  expect(calls()).toEqual(["PUT /v4/volumes/12"]);
});

test("a second change invalidates the response to the first one", async () => {
  const { api, reads, calls } = await changing(20);
  await api.volumes.update({ path: { volumeId: 12 }, body: { label: "new" } });
  await api.volumes.detach({ path: { volumeId: 12 } });
  await reads.view("volumes", { volumeId: 12 }, { age: "changed" });
  expect(calls()).toEqual(["PUT /v4/volumes/12", "POST /v4/volumes/12/detach", "GET /v4/volumes/12"]);
});

test("a list that was read during a change is not used for the changed object", async () => {
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

test("reads several deleted objects with one list, which shows one that still exists", async () => {
  const { reads, calls } = await service(20);
  const look = (volumeId: number) => reads.view("volumes", { volumeId }, { age: "deleted" });
  expect(await Promise.all([look(98), look(99), look(7)])).toEqual([undefined, undefined, volume(7)]);
  expect(calls()).toEqual(["GET /v4/volumes#1"]);
});

test("reads an object separately that a list of several pages does not contain, even after a deletion", async () => {
  const { reads, calls } = await service(150);
  const look = (volumeId: number) => reads.view("volumes", { volumeId }, { age: "deleted" });
  expect(await Promise.all([look(998), look(999)])).toEqual([undefined, undefined]);
  expect(calls()).toContain("GET /v4/volumes/998");
});

test("reads everything again after a deletion, because related objects may have changed", async () => {
  const { api, view, calls } = await changing(20);
  for (const id of numbers(9)) await view(id);
  calls();
  await api.volumes.delete({ path: { volumeId: 12 } });
  await view(11);
  expect(calls()).toEqual(["DELETE /v4/volumes/12", "GET /v4/volumes/11"]);
});
