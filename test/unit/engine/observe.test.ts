import { expect, test } from "vitest";
import { z } from "zod";
import type { Age } from "../../../provider/client/observations";
import { LateError } from "../../../provider/engine/errors";
import { readForRefresh } from "../../../provider/engine/missing";
import {
  migrated,
  observe,
  observedInputs,
  read,
  STATE_VERSION,
  stateOf,
  type Target,
} from "../../../provider/engine/observe";
import { Service, widget, widgetDefinition } from "./widgets";

const { identity, fields } = widgetDefinition;
const path = { volumeId: 1 };

const target = (service: Service, overrides: Partial<Target> = {}): Target => ({
  kind: widget(),
  host: service.host(),
  path,
  want: {},
  state: {},
  purpose: "update",
  ...overrides,
});

test("an object is the record of the view operation, and missing required fields keep their values in state", async () => {
  const service = new Service();
  expect(await observe(target(service), "now")).toBeUndefined();
  service.add({ label: undefined as never });
  expect(await observe(target(service, { state: { label: "kept" } }), "now")).toMatchObject({ id: 1, label: "kept" });
});

test("`extend` may return other fields than the record, of which absent ones keep their values, and `lookup` reads an object without a view operation", async () => {
  const service = new Service();
  service.add();
  const extend = async (_: unknown, record: object) => ({ ...record, visits: 7 });
  const extended = widget({ identity: { ...identity, extend } as never });
  expect(await observe(target(service, { kind: extended }), "now")).toMatchObject({ visits: 7 });
  const nested = async (_: unknown, { label }: { label?: string }) => ({ label, size: undefined });
  const partial = widget({ identity: { ...identity, extend: nested } as never });
  const before = { label: "kept", size: 20, status: "active" };
  expect(await observe(target(service, { kind: partial, state: before }), "now")).toEqual({
    ...before,
    label: "widget-1",
  });
  const get = async ({ age }: { age: Age }) => ({ label: age });
  const part = widget({
    identity: { ...identity, lookup: { path: z.strictObject({ volumeId: z.int() }), get } } as never,
  });
  expect(await observe(target(service, { kind: part }), "recent")).toEqual({ label: "recent" });
  expect(await observe(target(service, { kind: part }), "now")).toEqual({ label: "now" });
});

test("a record may be as old as the caller allows", async () => {
  const service = new Service();
  const view = async (_area: string, _path: object, { age }: { age?: Age }) => ({ label: age });
  const host = service.host({ reads: { view } as never });
  expect(await observe(target(service, { host }), "now")).toMatchObject({ label: "now" });
  expect(await observe(target(service, { host }), "deleted")).toMatchObject({ label: "deleted" });
});

test("the current value of an input is the output of the same name, or the result of `current`", () => {
  const kind = widget({
    fields: { ...fields, region: { change: "replace", current: ({ region }) => region?.toUpperCase() } },
  });
  const seen = { label: "data", size: null, region: "eu", tags: [] };
  expect(observedInputs(kind, path, seen, {})).toEqual({ label: "data", region: "EU", tags: [] });
});

test("state contains equivalent inputs as written in the program, and no volatile outputs", () => {
  const observed = { id: 1, label: "data", size: 40, tags: ["a", "b"], status: "active", visits: 9 };
  const want = { label: "data", size: 20, tags: ["b", "a"], password: "s3cret" };
  expect(stateOf(widget(), path, { want, observed })).toEqual({
    label: "data",
    size: 40,
    tags: ["b", "a"],
    status: "active",
    password: "s3cret",
  });
});

test("a write-only input keeps the value in state with which the object was created", () => {
  const kind = widget({ fields: { ...fields, password: { change: "writeOnly", note: "used once" } } });
  const observed = { label: "data" };
  expect(stateOf(kind, path, { want: { password: "new" }, observed, state: { password: "old" } }).password).toBe("old");
  expect(stateOf(kind, path, { want: { password: "new" }, observed }).password).toBe("new");
});

test("a read returns the inputs that the program declares, or all that the API returns", async () => {
  const service = new Service();
  service.add({ label: "data", size: 40 });
  const host = service.host();
  expect((await read(widget(), host, "1", { size: 20 }, ["size"]))?.inputs).toEqual({ size: 40 });
  expect((await read(widget(), host, "1", {}))?.inputs).toMatchObject({ label: "data", size: 40, region: "us-east" });
});

test("a missing object is reported once", async () => {
  const service = new Service();
  expect(await read(widget(), service.host(), "1", { label: "data" }, ["label"])).toBeUndefined();
  expect(service.messages).toEqual(['Widget "data" (1) no longer exists: the next update creates it again']);
  expect(await read(widget(), service.host(), "1", {})).toBeUndefined();
  expect(service.messages).toHaveLength(1);
});

test("a missing object is reported within its time limit, even if its parent is still being read", async () => {
  const { promise: later, resolve: finish } = Promise.withResolvers<undefined>();
  let timeUp = () => {};
  const service = new Service();
  const host = service.host({
    timer: (_: number, work: () => void) => {
      timeUp = work;
      return () => {};
    },
  });
  const lookup = (of: Promise<undefined>, parts: string[]) => ({
    path: z.object(Object.fromEntries(parts.map((part) => [part, z.int()]))),
    get: () => of,
  });
  const parent = widget({ identity: { ...identity, lookup: lookup(later, ["zoneId"]) } as never });
  const child = widget({
    identity: { ...identity, lookup: lookup(Promise.resolve(undefined), ["zoneId", "volumeId"]) } as never,
  });
  const parents = read(parent, host, "1", { label: "zone" }, ["label"]);
  const reading = read(child, host, "1/2", { label: "record" }, ["label"]);
  await new Promise(setImmediate);
  expect(service.messages).toEqual([]);
  timeUp();
  expect(await reading).toBeUndefined();
  expect(service.messages).toEqual(['Widget "record" (1/2) no longer exists: the next update creates it again']);
  finish(undefined);
  await parents;
});

test("the error of a read that reaches its time limit names the object", async () => {
  const service = new Service();
  service.fail("view", new LateError("volumes.view: no response"));
  await expect(read(widget(), service.host(), "1", { label: "data" }, ["label"])).rejects.toThrow(
    /^Widget "data" \(1\): read timed out after 0 s: volumes\.view: no response\. /,
  );
});

test("a refresh that has looked for another object during its pause pauses again before it fails", async () => {
  const pauses: (() => void)[] = [];
  const sleep = () => new Promise<void>((end) => pauses.push(end));
  const host = new Service().host({ sleep, account: async () => "another account" });
  const target = { kind: widget(), host, path: { id: 1 }, want: {}, state: {} };
  const looked = (found?: object) => readForRefresh(target, Promise.resolve(found));
  const missing = [looked(), looked(), looked()];
  await new Promise(setImmediate);
  missing.push(looked());
  await new Promise(setImmediate);
  pauses[0]?.();
  await new Promise(setImmediate);
  await looked({});
  expect(await Promise.all(missing)).toEqual([undefined, undefined, undefined, undefined]);
});

test("`migrate` upgrades only state of an earlier version", () => {
  const migrate = ({ name, ...state }: Record<string, unknown>, from: number) => ({ ...state, label: name, from });
  const kind = widget({ migrate });
  expect(migrated(kind, { name: "data" })).toEqual({ label: "data", from: 0 });
  expect(migrated(kind, { label: "data" }, STATE_VERSION)).toEqual({ label: "data" });
  expect(migrated(widget(), { label: "data" })).toEqual({ label: "data" });
});
