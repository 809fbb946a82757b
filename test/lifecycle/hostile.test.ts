import { describe, expect, test as vitest } from "vitest";
import { connect } from "../../provider/client";
import { hostOf } from "../../provider/pulumi/connection";
import { type Cloud, cloud } from "../../testing/cloud";
import { Managed } from "../../testing/provider";
import { fresh } from "../fresh";
import { EVIL, hostile, nameless, pages, refusals, type Scenario, steering, unusable } from "../hostile";

const test = vitest.extend("account", fresh(cloud));

const base = { label: "data", region: "us-east" };
const cases = (scenarios: Record<string, Scenario>) => Object.entries(scenarios);

/**
 * A `Volume` resource whose provider is connected to a proxy in front of the emulator, which falsifies the responses to
 * the requests that `when` selects.
 */
async function facing(account: Cloud, scenario: Scenario, when: (method: string, path: string) => boolean) {
  const service = await hostile(scenario, { target: account.emulator.url, when });
  const { now, timer, pollSchedule: _, ...rest } = account.host;
  const sleep = async (ms: number) => void account.emulator.advance(ms);
  const client = connect({ url: service.url, token: account.emulator.token, now, sleep, timer });
  const messages: string[] = [];
  const report = (message: string) => void messages.push(message);
  const host = hostOf(client, { now, timer }, { warn: report, progress: report }, rest.settings);
  return {
    service,
    messages,
    volume: new Managed("Volume", host),
    volumes: () => account.world.volumes.all().map(({ id }) => id),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("it succeeded"),
    (error) => error,
  );

const once = (method: string, end: string) => {
  let done = false;
  return (value: string, path: string) => {
    const hit = !done && value === method && path.split("?")[0]?.endsWith(end) === true;
    done ||= hit;
    return hit;
  };
};

describe("a create request that is carried out", () => {
  test.for(cases(nameless))("with a response %s is found by its key", async ([_, scenario], { account }) => {
    await using it = await facing(account, scenario, once("POST", "/volumes"));
    await it.volume.up(base);
    expect(it.volumes().map(String)).toEqual([it.volume.id]);
    expect(it.service.followed).toEqual([]);
    expect(await it.volume.preview(base)).toMatchObject({ op: "same" });
  });

  test.for(cases({ ...unusable, ...pages }))(
    "with a response without an id, and a list %s, is reported as possibly carried out",
    async ([_, scenario], { account }) => {
      let created = false;
      const both: Scenario = (exchange) => {
        if (exchange.request.method === "POST") created = true;
        return exchange.request.method === "POST" ? nameless["no id"](exchange) : scenario(exchange);
      };
      await using it = await facing(
        account,
        both,
        (method, path) => /\/volumes(\?|$)/.test(path) && (method === "POST" || created),
      );
      const error = await failure(it.volume.up(base));
      expect(error.message).toContain("the request may have been carried out");
      expect(error.message).toContain("If it exists, delete it before the next update");
      expect(steering(error.message)).toEqual([]);
      expect(it.volumes()).toHaveLength(1);
      expect(it.volume.state).toBeUndefined();
    },
  );

  test("with a response without an id, and a list without valid times, is found by its key", async ({ account }) => {
    const scenario: Scenario = async (exchange) => {
      if (exchange.request.method === "POST") return nameless["no id"](exchange);
      const { status, body } = await exchange.real();
      const { data, ...page } = body as { data: object[] };
      const text = JSON.stringify({ ...page, data: data.map((row) => ({ ...row, created: "just now" })) });
      exchange.response.writeHead(status, { "content-type": "application/json" }).end(text);
    };
    await using it = await facing(account, scenario, (_, path) => /\/volumes(\?|$)/.test(path));
    await it.volume.up(base);
    expect(it.volumes().map(String)).toEqual([it.volume.id]);
  });
});

test.for(cases({ ...unusable, ...refusals }))(
  "a refresh whose response is %s keeps the volume",
  async ([_, scenario], { account }) => {
    let broken = false;
    await using it = await facing(
      account,
      scenario,
      (method, path) => broken && method === "GET" && path.includes("/volumes"),
    );
    await it.volume.up(base);
    const { state } = it.volume;
    broken = true;
    const error = await failure(it.volume.refresh());
    expect(error.message).toMatch(/^volumes\.view: /);
    expect(steering(error.message)).toEqual([]);
    expect(it.service.followed).toEqual([]);
    expect(it.volume.state).toEqual(state);
  },
);

test.for(cases({ ...unusable, ...refusals }))(
  "a deletion whose response is %s does not count as done",
  async ([_, scenario], { account }) => {
    await using it = await facing(account, scenario, (method) => method === "DELETE");
    await it.volume.up(base);
    const error = await failure(it.volume.destroy());
    expect(error.message).toMatch(/^volumes\.delete: /);
    expect(steering(error.message)).toEqual([]);
    expect(it.volume.state).toBeDefined();
    expect(it.service.followed).toEqual([]);
  },
);

test("a status with control characters does not control the terminal in messages about a wait", async ({ account }) => {
  const unexpected: Scenario = async (exchange) => {
    const { status, body } = await exchange.real();
    const text = JSON.stringify({ ...(body as object), status: EVIL });
    exchange.response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
  await using it = await facing(
    account,
    unexpected,
    (method, path) => method === "GET" && /\/volumes\/\d+$/.test(path),
  );
  const error = await failure(it.volume.up(base));
  expect(error.message).toMatch(/^Volume "data" \(\d+\): create timed out after 600 s: state "/);
  expect(it.messages.length).toBeGreaterThan(3);
  expect([error.message, ...it.messages, ...(it.volume.state?.initErrors ?? [])].flatMap(steering)).toEqual([]);
});
