import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type Area, operations } from "../../../api";
import { inputFields } from "../../../provider/client/flat-input";
import {
  CancelledError,
  CloudInfra,
  type CloudInfraOptions,
  type ReceivedResponse,
  type SentRequest,
  SettingError,
} from "../../../provider/client/public";
import { failureOf, json, pageOf, serve, TOKEN, volume } from "./scripted";

afterEach(() => vi.unstubAllEnvs());

function cloudAt(url: string, options: CloudInfraOptions = {}): CloudInfra {
  const cloud = new CloudInfra({ url, token: TOKEN, retry: { firstMs: 1 }, ...options });
  onTestFinished(() => void cloud.close());
  return cloud;
}

const all = Object.entries<Area>(operations).flatMap(([area, known]) =>
  Object.entries(known).map(([key, operation]) => ({ name: `${area}.${key}`, area, key, operation })),
);

test("path, query and body of an operation have no names in common, so that one object can contain them", () => {
  const twice = all.filter(({ operation }) => {
    const names = inputFields(operation).map(([name]) => name);
    return new Set(names).size < names.length;
  });
  expect(twice.map(({ name }) => name)).toEqual([]);
});

test("has every operation by area, with all() and pages() for lists", () => {
  const cloud = cloudAt("http://127.0.0.1:1/v4") as unknown as Record<string, Record<string, { all?: unknown }>>;
  for (const { name, area, key, operation } of all) {
    expect(cloud[area]?.[key], name).toBeTypeOf("function");
    const isList = inputFields(operation).some(([, part]) => part === "filter");
    expect(typeof cloud[area]?.[key]?.all, name).toBe(isList ? "function" : "undefined");
  }
});

test("splits one object into path, query and body", async () => {
  const { url, seen } = await serve(() => volume(123));
  const cloud = cloudAt(url);
  await cloud.volumes.attach({ volumeId: 123, compute_id: 456, config_id: undefined });
  await cloud.instances.boot({ computeId: 7 });
  await cloud.volumes.view({ volumeId: 1, page_size: 50 });
  expect(seen.map(({ method, path, body }) => [method, path, method === "GET" ? "none" : body])).toEqual([
    ["POST", "/v4/volumes/123/attach", { compute_id: 456 }],
    ["POST", "/v4/compute/instances/7/boot", {}],
    ["GET", "/v4/volumes/1?page_size=50", "none"],
  ]);
});

test("filters a list, and reads its pages in order", async () => {
  const { url, seen } = await serve(
    () => pageOf([volume(1)], 1, 2),
    () => pageOf([volume(2)], 2, 2),
  );
  const cloud = cloudAt(url);
  const ids: number[] = [];
  const filter = { label: { "+contains": "data" }, tags: "web", "+order_by": "label" } as const;
  for await (const { id } of cloud.volumes.list.all({ filter })) ids.push(id);
  expect(ids).toEqual([1, 2]);
  expect(seen.map(({ headers }) => JSON.parse(String(headers["x-filter"])))).toEqual([filter, filter]);
  for await (const { page } of cloud.volumes.list.pages({ page: 2 })) expect(page).toBe(2);
  expect((await cloud.volumes.list()).data[0]?.label).toBe("data-2");
});

test("reports an unknown field with the most similar one", async () => {
  const { url, seen } = await serve(() => volume(1));
  const cloud = cloudAt(url);
  const untyped = (input: object) => input as { volumeId: number };
  expect((await failureOf(cloud.volumes.delete(untyped({ volumId: 1 })))).message).toBe(
    'volumes.delete: unknown field "volumId"; did you mean "volumeId"?',
  );
  expect((await failureOf(cloud.volumes.delete(untyped({})))).message).toMatch(
    /^volumes\.delete: missing required parameter "volumeId"/,
  );
  await expect(async () => {
    for await (const _ of cloud.domainRecords.list.all(untyped({}) as never));
  }).rejects.toThrow('missing required parameter "domainId"');
  expect(seen).toEqual([]);
});

test("url and token default to the environment variables", async () => {
  const { url, seen } = await serve(() => pageOf([]));
  vi.stubEnv("CLOUDINFRA_URL", url);
  vi.stubEnv("CLOUDINFRA_TOKEN", TOKEN);
  await using cloud = new CloudInfra({ url: undefined });
  await cloud.volumes.list();
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test.each(["url", "token"] as const)("explains what to do without %s", (setting) => {
  vi.stubEnv(`CLOUDINFRA_${setting.toUpperCase()}`, "");
  const options = { url: "http://127.0.0.1:1/v4", token: TOKEN };
  const make = () => new CloudInfra({ ...options, [setting]: undefined });
  expect(make).toThrow(SettingError);
  expect(make).toThrow(`pass it to new CloudInfra({ ${setting} }) or set CLOUDINFRA_${setting.toUpperCase()}`);
});

test("no text of the client contains the token", () => {
  const cloud = cloudAt("http://127.0.0.1:1/v4");
  expect(inspect(cloud)).toBe("CloudInfra { url: 'http://127.0.0.1:1/v4' }");
  expect(JSON.stringify({ cloud })).toBe('{"cloud":{"url":"http://127.0.0.1:1/v4"}}');
  expect(inspect(cloud, { showHidden: true, depth: 9, customInspect: false })).not.toContain(TOKEN);
  expect(inspect({ ...cloud }, { depth: 9 })).not.toContain(TOKEN);
});

test("a signal cancels a call, and so does its timeout", async () => {
  const { url } = await serve(() => new Promise(() => {}));
  const cloud = cloudAt(url);
  const stop = new AbortController();
  const calls = [
    cloud.volumes.list({}, { signal: stop.signal }),
    cloud.volumes.list({}, { timeoutMs: 20 }),
    cloud.volumes.list({}, { deadline: new Date(Date.now() + 20) }),
    cloudAt(url, { timeoutMs: 20 }).volumes.list(),
    cloudAt(url, { timeoutMs: 20 }).volumes.list.all()[Symbol.asyncIterator]().next(),
  ].map(failureOf);
  stop.abort();
  const errors = (await Promise.all(calls)) as CancelledError[];
  for (const error of errors) expect(error).toBeInstanceOf(CancelledError);
  expect(errors.map(({ by }) => by)).toEqual(["caller", "deadline", "deadline", "deadline", "deadline"]);
});

test("after close() calls fail", async () => {
  const { url } = await serve(() => pageOf([]));
  const cloud = cloudAt(url);
  await cloud.volumes.list();
  await cloud.close();
  await cloud.close();
  await expect(cloud.volumes.list()).rejects.toThrow(/cannot reach|closed|destroyed/i);
});

test("hooks see every attempt, without the token and without secrets", async () => {
  const root_pass = "Correct-Horse-42";
  const { url } = await serve(
    json(429, { errors: [{ reason: "Too many requests" }] }),
    json(400, { errors: [{ field: "root_pass", reason: `${root_pass} is too common` }] }),
  );
  const sent: SentRequest[] = [];
  const received: ReceivedResponse[] = [];
  const hooks = {
    request: (one: SentRequest) => sent.push(one),
    response: (one: ReceivedResponse) => received.push(one),
  };
  const cloud = cloudAt(url, { hooks, userAgent: "tests/1" });
  await failureOf(cloud.instances.resetPassword({ computeId: 7, root_pass }));

  const about = { operation: "instances.resetPassword", method: "POST", url: `${url}/compute/instances/7/password` };
  expect(sent).toMatchObject([
    { ...about, attempt: 1, body: { root_pass: "[secret]" }, headers: { "content-type": "application/json" } },
    { ...about, attempt: 2 },
  ]);
  expect(sent[0]?.headers["user-agent"]).toMatch(/ tests\/1$/);
  expect(received).toMatchObject([
    { ...about, attempt: 1, status: 429 },
    { ...about, attempt: 2, status: 400, body: { errors: [{ reason: "[secret] is too common" }] } },
  ]);
  for (const { ms } of received) expect(ms).toBeGreaterThanOrEqual(0);
  const shown = JSON.stringify([sent, received]);
  for (const secret of [TOKEN, root_pass, "authorization"]) expect(shown).not.toContain(secret);
});

test("a hook is called for an attempt without a response, and its failure has no effect", async () => {
  const warnings: string[] = [];
  const warn = vi.spyOn(process, "emitWarning").mockImplementation((warning) => void warnings.push(String(warning)));
  onTestFinished(() => warn.mockRestore());
  const { url } = await serve(
    (_request, response) => void response.socket?.destroy(),
    () => volume(1),
  );
  const received: ReceivedResponse[] = [];
  const hooks = {
    request: async () => {
      throw new Error("later");
    },
    response: (one: ReceivedResponse) => {
      received.push(one);
      throw new Error("at once");
    },
  };
  expect((await cloudAt(url, { hooks }).volumes.view({ volumeId: 1 })).id).toBe(1);
  expect(received.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, undefined],
    [2, 200],
  ]);
  expect(received[0]?.error).toBeInstanceOf(Error);
  expect(warnings).toHaveLength(4);
});

const folder = join(__dirname, "../../../provider/client");

test.each(["generated/areas", "generated/records", "options", "errors"])("%s.ts imports no schemas", (file) => {
  const text = readFileSync(join(folder, `${file}.ts`), "utf8");
  for (const [, module] of text.matchAll(/\bfrom "([^"]+)"/g))
    expect(module).toMatch(/^\.{1,2}\/(options|records|generated\/records|address)$/);
});
