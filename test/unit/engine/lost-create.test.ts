import { expect, test } from "vitest";
import { ApiError, LostResponseError } from "../../../provider/client/errors";
import { createObject, earlierObject } from "../../../provider/engine/lost-create";
import type { Bag } from "../../../provider/engine/values";
import { Service, widget, widgetDefinition } from "./widgets";

const { identity } = widgetDefinition;
const want = { label: "data", size: 20 };

test("finds and adopts an object whose create response was lost", async () => {
  const service = new Service();
  service.lose("create");
  expect(await createObject(widget(), service.host(), want)).toEqual({ volumeId: 1 });
  expect(service.calls).toHaveLength(1);
});

test("`found: recreate` deletes the object whose secret was lost and creates another one", async () => {
  const service = new Service();
  service.lose("create");
  const kind = widget({ identity: { ...identity, lostCreate: { match: ["label"], found: "recreate" } } });
  expect(await createObject(kind, service.host(), want)).toEqual({ volumeId: 2 });
  expect(service.calls.map((call) => call.split(" ")[0])).toEqual(["create", "delete", "create"]);
});

test("`repeat` sends the request again without a search", async () => {
  const service = new Service();
  service.lose("create");
  const kind = widget({ identity: { ...identity, lostCreate: "repeat" } });
  const pauses: number[] = [];
  const host = service.host({ sleep: async (milliseconds) => void pauses.push(milliseconds) });
  expect(await createObject(kind, host, want)).toEqual({ volumeId: 2 });
  expect(pauses).toEqual([]);
});

test("a rejected repeat is reported at once, although a lost request is searched for several seconds", async () => {
  const service = new Service();
  service.fail("create", new LostResponseError("volumes.create", "socket closed", undefined));
  service.fail("create", new ApiError("volumes.create", 401, [{ reason: "Invalid Token" }]));
  const pauses: number[] = [];
  const host = service.host({ sleep: async (milliseconds) => void pauses.push(milliseconds) });
  await expect(createObject(widget(), host, want)).rejects.toThrow("volumes.create: 401 Invalid Token");
  // Those of the search before the repeat, in which the service may still carry out the lost request.
  expect(pauses).toEqual([1000, 2000, 4000, 8000]);
});

test("a rejected repeat after a lost response reports that the object may exist, and keeps the record of the request", async () => {
  const service = new Service();
  service.lose("create");
  service.fail("create", new ApiError("volumes.create", 401, [{ reason: "Invalid Token" }]));
  const kind = widget({ identity: { ...identity, lostCreate: "repeat" } });
  const messages: string[] = [];
  const attempts = {
    begin: () => messages.push("begin"),
    lost: () => {},
    created: () => {},
    rejected: () => messages.push("refused"),
  };
  await expect(createObject(kind, { ...service.host(), attempts }, want)).rejects.toThrow(
    "volumes.create: the response was lost (socket closed); the request may have been carried out, and repeating the " +
      "request failed too: volumes.create: 401 Invalid Token. The next update repeats it; if you remove the Widget " +
      "from the program instead, first delete it by hand if it exists",
  );
  expect(messages).toEqual(["begin"]);
});

test("an interrupted create in an object that has been deleted since left nothing behind", async () => {
  const service = new Service();
  const candidates = () => Promise.reject(new ApiError("volumes.list", 404, [{ reason: "Not found" }]));
  const kind = widget({ identity: { ...identity, lostCreate: { match: ["label"], candidates } } });
  const attempts = { begin: () => {}, lost: () => {}, created: () => {}, rejected: () => {} };
  const host = { ...service.host(), attempts: { ...attempts, earlier: { since: service.now, match: {} } } };
  expect(await earlierObject(kind, host, want)).toBeUndefined();
});

test("does not adopt an object whose id another resource has in the journal", async () => {
  const service = new Service();
  const host = service.host();
  const since = service.now;
  service.add({ label: "data" });
  const attempts = { begin: () => {}, lost: () => {}, created: () => {}, rejected: () => {} };
  const match = { label: "data" };
  const found = await Promise.all([
    earlierObject(widget(), { ...host, attempts: { ...attempts, earlier: { since, match, id: "1" } } }, want),
    earlierObject(widget(), { ...host, attempts: { ...attempts, earlier: { since, match } } }, want),
  ]);
  expect(found).toEqual([{ volumeId: 1 }, undefined]);
});

test("does not adopt an older object, or one of another resource", async () => {
  const service = new Service();
  const host = service.host();
  service.add({ label: "data" });
  const candidates = async () => [...service.rows.keys()].map((volumeId) => ({ volumeId }));
  const kind = widget({ identity: { ...identity, lostCreate: { match: ["label"], candidates } } });
  service.lose("create");
  expect(await createObject(kind, host, want)).toEqual({ volumeId: 2 });
});

test("several candidates are an error with their ids", async () => {
  const service = new Service();
  service.lose("create");
  const candidates = async () =>
    service.rows.size ? [{ volumeId: 1 }, { volumeId: service.add({ label: "data" }).id }] : [];
  const kind = widget({ identity: { ...identity, lostCreate: { match: ["label"], candidates } } });
  await expect(createObject(kind, service.host(), want)).rejects.toThrow("it created one of the objects 1, 2");
});

test("two equal requests whose responses were lost get an object each", async () => {
  const service = new Service();
  service.lose("create");
  service.lose("create");
  const host = service.host();
  const created = await Promise.all([createObject(widget(), host, want), createObject(widget(), host, want)]);
  expect(created.map(({ volumeId }) => volumeId).sort()).toEqual([1, 2]);
  expect(service.calls).toHaveLength(2);
});

test("of two objects with the label of a lost request, each request gets the one with its other inputs", async () => {
  const service = new Service();
  service.lose("create");
  service.lose("create");
  const host = service.host();
  const created = await Promise.all(
    [20, 30].map((size) => createObject(widget(), host, { ...want, size })).map(async (path) => (await path).volumeId),
  );
  expect(created.map((id) => service.rows.get(Number(id))?.size)).toEqual([20, 30]);
});

test.each([
  { name: "the same inputs in `match`", match: ["label"], isFirst: true },
  { name: "the same inputs in `match`, sent second", match: ["label"], isFirst: false },
  { name: "a further input in `match`", match: ["label", "tags"], isFirst: true },
  { name: "a further input in `match`, sent second", match: ["label", "tags"], isFirst: false },
] as const)("a request that was not carried out leaves the object to another lost one with $name", async (one) => {
  const service = new Service();
  const cut = () => service.fail("create", new LostResponseError("volumes.create", "socket closed", undefined));
  const kind = widget({
    identity: { ...identity, lostCreate: { match: one.match } },
    create: async ({ api, want }) => ({
      volumeId: (await api.volumes.create({ body: { ...want, label: "data" } })).id,
    }),
  });
  const done = { ...want, tags: ["b"] };
  const notDone = { ...want, size: 30 };
  if (!one.isFirst) service.lose("create");
  cut();
  if (one.isFirst) service.lose("create");
  const host = service.host();
  const created = await Promise.all(
    (one.isFirst ? [notDone, done] : [done, notDone]).map((inputs) => createObject(kind, host, inputs)),
  );
  const rows = created.map(({ volumeId }) => service.rows.get(Number(volumeId)));
  expect(rows).toMatchObject(one.isFirst ? [{ size: 30, tags: [] }, done] : [done, { size: 30, tags: [] }]);
  expect(service.rows.size).toBe(2);
});

test("a lost object with other values than its request belongs to the request if no other one was lost", async () => {
  const service = new Service();
  service.lose("create");
  const create = widgetDefinition.create;
  const kind = widget({ create: (context) => create({ ...context, want: { ...context.want, size: 25 } }) });
  expect(await createObject(kind, service.host(), want)).toEqual({ volumeId: 1 });
});

/** A connection of a new process whose journal has two interrupted create requests with the same inputs. */
function interruptedTwice(service: Service, other: Bag = want) {
  const attempts = { begin: () => {}, lost: () => {}, created: () => {}, rejected: () => {}, others: () => [other] };
  return { ...service.host(), attempts: { ...attempts, earlier: { since: service.now, match: want } } };
}

test.each([
  { what: "equal", other: want },
  { what: "with and without an empty list", other: { ...want, tags: [] } },
  { what: "with and without a null", other: { ...want, tags: null } },
])("two requests of an interrupted run, $what, get an object each", async ({ other }) => {
  const service = new Service();
  const host = interruptedTwice(service, other);
  for (const _ of [1, 2]) service.add(want);
  const found = await Promise.all([earlierObject(widget(), host, want), earlierObject(widget(), host, want)]);
  expect(found).toEqual([{ volumeId: 1 }, { volumeId: 2 }]);
});

test("more objects than interrupted requests are an error with their ids", async () => {
  const service = new Service();
  const host = interruptedTwice(service);
  for (const _ of [1, 2, 3]) service.add(want);
  await expect(earlierObject(widget(), host, want)).rejects.toThrow(
    "Widget: the response to its create request was lost, and it created one of the objects 1, 2, 3. " +
      "Adopt or import the one that belongs to this stack before the next update; another client may have created the others",
  );
});

test("a failed search reports that the object may exist", async () => {
  const service = new Service();
  const host = service.host();
  service.lose("create");
  const candidates = async () => {
    if (service.rows.size) throw new Error("no connection");
    return [];
  };
  const kind = widget({ identity: { ...identity, lostCreate: { match: ["label"], candidates } } });
  await expect(createObject(kind, host, want)).rejects.toThrow(
    "no connection. If it exists, delete it before the next update",
  );
});

test("a repeated request that is rejected because the first one was carried out late adopts the object of the first", async () => {
  const service = new Service();
  service.lose("create");
  let searches = 0;
  const candidates = async () => (searches++ === 1 ? [] : [...service.rows.keys()].map((volumeId) => ({ volumeId })));
  const taken = new ApiError("volumes.create", 400, [{ field: "label", reason: "Label must be unique" }]);
  const kind = widget({
    identity: { ...identity, lostCreate: { match: ["label"], candidates } },
    async create(context) {
      if (service.rows.size) throw taken;
      return widgetDefinition.create(context);
    },
  });
  expect(await createObject(kind, service.host(), want)).toEqual({ volumeId: 1 });
  expect(searches).toBe(3);
});

test("the error about a label in use contains the object that has it", async () => {
  const service = new Service();
  service.add({ label: "data" });
  service.fail("create", new ApiError("volumes.create", 400, [{ field: "label", reason: "Label must be unique" }]));
  await expect(createObject(widget(), service.host(), want)).rejects.toThrow("Widget 1 already has this label");
});
