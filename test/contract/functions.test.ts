import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { camel, fieldsOf, pathNames, toWire } from "../../api";
import { connect } from "../../provider/client";
import type { Bag } from "../../provider/engine/values";
import { call, FunctionError } from "../../provider/functions/call";
import { functions, type ReadFunction } from "../../provider/functions/functions";
import { type Account, freshAccount, type Plan } from "./matrix/plan";
import { plans } from "./matrix/plans";
import type { Input } from "./matrix/request";

const planOf = ({ area, key }: ReadFunction): ((account: Account) => Promise<Input>) =>
  (plans as unknown as Record<string, Record<string, Plan<never>>>)[area]?.[key] as never;

/** Converts an operation's input, which separates path, query and body, to the arguments of a function. */
const argsOf = ({ path, query, body }: Input): Bag =>
  Object.fromEntries(
    Object.entries({ ...path, ...query, ...(body as Bag | undefined) }).map(([key, value]) => [camel(key), value]),
  );

/** All keys in a result, except in maps whose keys are user data. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** Replaces an argument by the id or name of an object that does not exist. */
const absent = (value: unknown): unknown => (typeof value === "number" ? 987_654_321 : `${String(value)}-not`);

describe.each(functions)("$name", (called) => {
  let created: Account;
  let args: Bag;

  beforeAll(async () => {
    created = await freshAccount();
    // The prepared request may contain path, query and body fields that the function does not accept, so they are
    // removed.
    const declared = argsOf(await planOf(called)(created));
    const known = Object.keys(fieldsOf(called.inputs)).map(camel);
    args = Object.fromEntries(Object.entries(declared).filter(([key]) => known.includes(key)));
  });
  afterAll(() => created.close());

  test("returns its declared result, with the names that programs use", async () => {
    const response = await call(called, created.api, args);
    expect(keysIn(response).filter((key) => key.includes("_"))).toEqual([]);
    expect(z.safeParse(called.result, toWire(called.result, response)).error?.issues).toBeUndefined();
    if (called.items) expect(Object.keys(response)).toEqual([called.items]);
  });

  test("accepts ids as strings", async () => {
    const asText = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, /Id$/.test(key) ? String(value) : value]),
    );
    await call(called, created.api, asText);
  });

  const [last] = pathNames(called.operation.path).slice(-1);
  if (last && called.operation.params?.[last] === undefined)
    test("reports an object that does not exist", async () => {
      const rejected = call(called, created.api, { ...args, [last]: absent(args[last]) });
      await expect(rejected).rejects.toThrow(FunctionError);
      await expect(rejected).rejects.toThrow(
        new RegExp(`^${called.name}: no object with .*${last} 987654321 exists \\(404 `),
      );
    });

  const { lookup } = called;
  if (lookup)
    test("finds an object by its name", async () => {
      const response = await call(called, created.api, args);
      const { [lookup.id]: _, ...others } = args;
      const wanted = response[lookup.by];
      expect(await call(called, created.api, { ...others, [lookup.by]: wanted })).toEqual(response);
      await expect(call(called, created.api, { ...others, [lookup.by]: "missing" })).rejects.toThrow(
        `${called.name}: no object has the ${lookup.by} "missing"`,
      );
    });
});

const lists = new Map(functions.map((one) => [one.name, one]));
const invoke = (name: string, { api }: Account, args: Bag) => call(lists.get(name) as ReadFunction, api, args);

test("an error does not contain a secret argument", async () => {
  await using created = await disposable();
  const token = "3f2c8a10-8f6e-4d5b-9c55-2f7a90bb1c11";
  const error = await invoke("getEntityTransfer", created, { token }).catch((error: Error) => error);
  expect(String(error)).toMatch(/^FunctionError: getEntityTransfer: no object with token "\[secret\]" exists/);
  expect(String(error)).not.toContain(token);
});

test("an object is found by a name in another form", async () => {
  await using created = await disposable();
  const soa = { type: "master", soa_email: "me@example.org" } as const;
  const { id } = await created.api.domains.create({ body: { domain: "example.org", ...soa } });
  await created.api.domains.create({ body: { domain: "other.example.org", ...soa } });
  const read = vi.spyOn(created.api.domains.list, "all");
  expect(await invoke("getDomain", created, { domain: "Example.ORG" })).toMatchObject({ id, domain: "example.org" });
  expect(read.mock.calls).toEqual([[{ path: {} }, { filter: { domain: "example.org" } }]]);
});

test("a list contains the entries of all pages, filtered and sorted", async () => {
  await using created = await disposable();
  const labels = Array.from({ length: 120 }, (_, i) => `data-${String(i).padStart(3, "0")}`);
  for (const label of labels) await created.api.volumes.create({ body: { label, region: "us-east", tags: ["prod"] } });
  created.settle();
  const labelsOf = async (args: Bag) =>
    ((await invoke("listVolumes", created, args)).volumes as { label: string }[]).map(({ label }) => label);
  expect(await labelsOf({})).toEqual(labels);
  expect(await labelsOf({ orderBy: "label", descending: true })).toEqual([...labels].reverse());
  expect(await labelsOf({ filter: { label: { contains: "-11" }, tags: "prod" } })).toEqual(labels.slice(110));
  expect(await labelsOf({ filter: { or: [{ label: "data-007" }, { label: { lt: "data-001" } }] } })).toEqual([
    "data-000",
    "data-007",
  ]);
});

test("several objects with the same name are distinguished by id", async () => {
  await using created = await disposable();
  const ids: number[] = [];
  for (const size of [100, 200]) {
    const computeId = await running(created);
    const { id } = await created.api.instanceDisks.create({ path: { computeId }, body: { label: "same", size } });
    created.settle();
    ids.push(id, computeId);
  }
  const computeId = ids[1] as number;
  const { id } = await created.api.instanceDisks.create({ path: { computeId }, body: { label: "same", size: 100 } });
  created.settle();
  await expect(invoke("getInstanceDisk", created, { computeId, label: "same" })).rejects.toThrow(
    `getInstanceDisk: 2 objects have the label "same": set diskId to one of ${ids[0]}, ${id}`,
  );
});

test("lists the objects of a bucket beyond one page", async () => {
  await using created = await disposable();
  const path = { clusterId: "us-east-1", bucket: "photos" };
  await created.api.objectStorageBuckets.create({ body: { label: path.bucket, cluster: path.clusterId } });
  const names = Array.from({ length: 130 }, (_, i) => `${String(i).padStart(3, "0")}.txt`);
  for (const name of names) {
    const args = { ...path, name, method: "PUT", contentType: "text/plain" };
    const { url } = (await invoke("getObjectUrl", created, args)) as { url: string };
    await fetch(url, { method: "PUT", headers: { "content-type": "text/plain" }, body: "meow" });
  }
  const { objectStorageObjects } = await invoke("listObjectStorageObjects", created, path);
  expect((objectStorageObjects as { name: string }[]).map(({ name }) => name)).toEqual(names);
});

test("lists the objects of a tag with the names that programs use, whatever their type", async () => {
  await using created = await disposable();
  await created.api.volumes.create({ body: { label: "data", region: "us-east", tags: ["prod"] } });
  await created.api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "a@example.org", tags: ["prod"] },
  });
  created.settle();
  const { tagObjects } = await invoke("listTagObjects", created, { label: "prod" });
  expect(tagObjects).toMatchObject([
    { type: "domain", data: { soaEmail: "a@example.org" } },
    { type: "volume", data: { filesystemPath: expect.any(String) } },
  ]);
});

test("an API error contains the name of the function and advice", async () => {
  await using created = await disposable();
  const { api } = connect({ url: created.url, token: "wrong" });
  await expect(call(lists.get("getAccount") as ReadFunction, api, {})).rejects.toThrow(
    /^getAccount: 401 .*\(check cloudinfra:token or CLOUDINFRA_TOKEN\)$/,
  );
});

async function disposable(): Promise<Account & AsyncDisposable> {
  const created = await freshAccount();
  return { ...created, [Symbol.asyncDispose]: () => created.close() };
}

async function running({ api, settle }: Account): Promise<number> {
  const { id } = await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } });
  settle();
  return id;
}
