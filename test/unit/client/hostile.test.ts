import { describe, expect, test } from "vitest";
import { CloudInfra } from "../../../provider/client/public";
import { hostile, pages, refusals, type Scenario, steering, unusable } from "../../hostile";
import { failureOf, TOKEN } from "./scripted";

const cases = (scenarios: Record<string, Scenario>) => Object.entries(scenarios);

async function facing(scenario: Scenario) {
  const service = await hostile(scenario);
  const lines: string[] = [];
  const log = { debug: print, info: print, warn: print };
  function print(line: string) {
    lines.push(line);
  }
  const cloud = new CloudInfra({ url: service.url, token: TOKEN, retry: { max: 0, firstMs: 1 }, log });
  return {
    service,
    cloud,
    lines,
    async [Symbol.asyncDispose]() {
      await cloud.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

type Cloud = CloudInfra["volumes"];
const calls: Record<string, (volumes: Cloud) => Promise<unknown>> = {
  view: (volumes) => volumes.view({ volumeId: 1 }),
  list: (volumes) => volumes.list(),
  create: (volumes) => volumes.create({ label: "data", region: "us-east" }),
};

describe.each(Object.entries(calls))("%s", (name, call) => {
  test.each(cases({ ...unusable, ...refusals }))("no part of %s controls the terminal", async (_, scenario) => {
    await using it = await facing(scenario);
    const error = await failureOf(call(it.cloud.volumes));
    expect(error.message).toMatch(new RegExp(`^volumes\\.${name}: `));
    expect(steering(error.message)).toEqual([]);
    expect(error.message).not.toContain("\n");
    expect(error.message.length).toBeLessThan(60_000);
    expect(it.lines.flatMap(steering)).toEqual([]);
    expect(it.service.followed).toEqual([]);
  });

  test.each(cases(unusable))("%s violates the contract", async (_, scenario) => {
    await using it = await facing(scenario);
    expect(await failureOf(call(it.cloud.volumes))).toMatchObject({
      name: "ContractError",
      mayBeDone: name === "create",
    });
  });
});

test.each([
  ["a body without an end", "is larger than 4 MiB"],
  ["a body of 8 GB by its length", "is larger than 4 MiB"],
  ["a million values", "contains more than 200000 values"],
  ["200,000 levels of nesting", "is nested more than 64 levels deep"],
] as const)("%s is reported once with the operation, and closes the connection", async (scenario, what) => {
  await using it = await facing(unusable[scenario]);
  const { message } = await failureOf(it.cloud.volumes.view({ volumeId: 1 }));
  expect(message).toBe(
    `volumes.view: the response (200, application/json) ${what}. Check that cloudinfra:url is the address of the API. Run "npx cloudinfra doctor" to check the connection`,
  );
  expect(it.service.requested).toHaveLength(1);
  if (what.includes("MiB")) await expect.poll(it.service.connections).toBe(0);
});

test("binary responses may be larger, but not unlimited", async () => {
  const endless: Scenario = async ({ response }) => {
    response.writeHead(200, { "content-type": "image/png" });
    while (!response.destroyed) {
      response.write(Buffer.alloc(65_536));
      await new Promise((go) => setImmediate(go));
    }
  };
  await using it = await facing(endless);
  const { message } = await failureOf(it.cloud.oauthClients.viewThumbnail({ clientId: "a" }));
  expect(message).toContain("oauthClients.viewThumbnail: the response (200, image/png) is larger than 16 MiB");
  await expect.poll(it.service.connections).toBe(0);
  const large: Scenario = ({ response }) =>
    void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(8 * 1024 * 1024));
  await using that = await facing(large);
  expect((await that.cloud.oauthClients.viewThumbnail({ clientId: "a" })).length).toBe(8 * 1024 * 1024);
});

test.each([
  ["pages without an end", "declares 1000000000000000 pages, which is more than any list has"],
  ["empty pages", "is an empty page of a list, 1 of 9"],
  ["a number of pages that is a word", "is not a page of a list: its number of pages is not a number"],
  ["entries that are not objects", "is not a page of a list: entry 0 is not an object with a valid id"],
] as const)("%s end after the first page", async (scenario, what) => {
  const page = { data: [{ id: 1 }], page: 1, pages: 1, results: 1 };
  await using it = await facing((exchange) =>
    pages[scenario]({ ...exchange, real: async () => ({ status: 200, body: page }) }),
  );
  const { message } = await failureOf(Array.fromAsync(it.cloud.volumes.list.all()));
  expect(message).toContain(`volumes.list: the response (200, application/json) ${what}`);
  expect(it.service.requested).toHaveLength(1);
});

test.each([
  ["an empty object", {}],
  ["a path as id", { id: "../../account" }],
  ["a negative id", { id: -1 }],
  ["an id beyond all numbers", { id: 1e300 }],
])("a create request whose response is %s may have been carried out", async (_, body) => {
  await using it = await facing(({ response }) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  expect((await failureOf(it.cloud.volumes.create({ label: "data", region: "us-east" }))).message).toBe(
    "volumes.create: the response (200, application/json) has no valid id; the request may have been carried out. " +
      'Check that cloudinfra:url is the address of the API. Run "npx cloudinfra doctor" to check the connection',
  );
  expect((await failureOf(it.cloud.images.upload({ region: "us-east", label: "i" }))).message).toContain(
    "has no valid id; the request may have been carried out",
  );
  // The client accepts this response without an id, because the path of the request contains the id.
  expect(await it.cloud.volumes.attach({ volumeId: 1, compute_id: 2 })).toEqual(body);
});
