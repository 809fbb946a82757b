import { describe, expect, test } from "vitest";
import { LateError } from "../../../provider/engine/errors";
import { type Host, perConnection } from "../../../provider/engine/host";
import { defaultTimeout, hostWithLimit, parseDuration, withTimeLimit } from "../../../provider/engine/time-limits";
import { Service, widget } from "./widgets";

const run = (service: Service, work: () => Promise<unknown>, overrides = {}) =>
  withTimeLimit(
    {
      kind: widget({ timeouts: { create: 90 } }),
      host: service.host(overrides),
      operation: "create",
      name: () => "the widget",
    },
    work,
  );

test("what is remembered for a connection is shared by its resources, and hidden from other connections", () => {
  const labelsOf = perConnection(() => new Set<string>());
  const [service, other] = [new Service(), new Service()];
  labelsOf(service.host()).add("data");
  expect([...labelsOf(service.host())]).toEqual(["data"]);
  expect([...labelsOf(other.host())]).toEqual([]);
});

test("a timeout explains what the operation waited for, and how to increase the limit", async () => {
  const service = new Service();
  const late = async () => {
    service.now += 90_000;
    throw new LateError("2 of 3 parts");
  };
  await expect(run(service, late)).rejects.toThrow(
    "the widget: create timed out after 90 s: 2 of 3 parts. To allow more time, set create in the resource option customTimeouts",
  );
  await expect(run(service, () => Promise.reject(new Error("refused")))).rejects.toThrow(/^refused$/);
});

test("a time limit is that of the resource, else of the stack for the kind, else of the stack, else the default", async () => {
  const service = new Service();
  const kind = widget({ timeouts: { create: 90 } });
  const limit = (overrides: object) =>
    withTimeLimit(
      { kind, host: service.host(overrides), operation: "create", name: () => "" },
      async ({ deadline }) => (deadline - service.now) / 1000,
    );
  const timeouts = { create: "5m", Widget: { create: "4m" } };
  expect(await limit({ limits: { create: "3m" }, settings: { timeouts } })).toBe(180);
  expect(await limit({ settings: { timeouts } })).toBe(240);
  expect(await limit({ settings: { timeouts: { create: "5m" } } })).toBe(300);
  expect(await limit({})).toBe(90);
  expect(defaultTimeout(kind, "read")).toBe(300_000);
  expect(parseDuration("1h30m")).toBe(5_400_000);
  // The units and forms of durations that Pulumi accepts in customTimeouts.
  expect(
    ["90s", "1.5h", ".5s", "1m30s", "500ms", "250000us", "250000µs", "250000μs", "5000000ns"].map(parseDuration),
  ).toEqual([90_000, 5_400_000, 500, 90_000, 500, 250, 250, 250, 5]);
  for (const wrong of ["soon", "", "10", "5 m", "1h30", "1e-7s"])
    expect(() => parseDuration(wrong)).toThrow(
      `customTimeouts: "${wrong}" is not a duration such as "90s", "20m" or "1h30m"`,
    );
});

test.each(["check", "preview"] as const)(
  "a %s ends at the limit of the change that follows it, and names that limit",
  async (operation) => {
    const service = new Service();
    const kind = widget({ timeouts: { create: 5 } });
    const limit = async (overrides: object) => {
      const host = service.host(overrides);
      let seconds = 0;
      const late = withTimeLimit({ kind, host, operation, name: () => "the widget" }, async ({ deadline }) => {
        seconds = (deadline - service.now) / 1000;
        throw new LateError("waiting for a list");
      });
      const error = await late.catch((error: Error) => error.message);
      return [seconds, /set (\w+) in/.exec(String(error))?.[1]];
    };
    expect(await limit({})).toEqual([300, "read"]);
    expect(await limit({ limits: { create: "10s" } })).toEqual([10, "create"]);
    expect(await limit({ limits: { create: "20s", update: "15s" } })).toEqual([15, "update"]);
    expect(await limit({ limits: { read: "5s", update: "15s" } })).toEqual([5, "read"]);
    expect(await limit({ limits: { create: "1h" } })).toEqual([300, "read"]);
    expect(await limit({ settings: { timeouts: { Widget: { create: "30s" } } } })).toEqual([30, "create"]);
  },
);

describe("a call that takes more than ten seconds", () => {
  const kind = widget();
  /** Runs an operation that reads a widget three times. Each timer ends at once, so that every call is slow. */
  async function messagesOf(operation: "check" | "preview" | "update", isSlow = true): Promise<string[]> {
    const service = new Service();
    const waits: number[] = [];
    const timer: Host["timer"] = (ms, run) => {
      waits.push(ms);
      if (isSlow) run();
      return () => waits.pop();
    };
    const host = service.host({ timer });
    await withTimeLimit({ kind, host, operation, name: () => "the widget" }, async ({ api, reads }) => {
      await reads.view("volumes", { volumeId: 1 });
      await reads.view("volumes", { volumeId: 2 });
      await api.volumes.create({ body: { label: "more" } });
    });
    expect(waits, "all timers have ended").toEqual([]);
    return service.messages;
  }

  test.each(["check", "preview"] as const)("is named by a %s, once for all resources", async (operation) => {
    expect(await messagesOf(operation)).toEqual([
      "the widget: still waiting after 10 s for volumes.view",
      "the widget: still waiting after 10 s for volumes.create",
    ]);
    expect(await messagesOf(operation, false)).toEqual([]);
  });

  test("is not named by an update, which says itself what it waits for", async () => {
    expect(await messagesOf("update")).toEqual([]);
  });
});

test("an inner operation ends at the outer deadline, and the additional time is half of the limit or 30 seconds", () => {
  const service = new Service();
  const host = hostWithLimit(service.host(), 20_000);
  expect(hostWithLimit(host, 60_000).deadline).toBe(host.deadline);
  expect(host.grace().deadline - host.deadline).toBe(10_000);
  const long = hostWithLimit(service.host(), 600_000);
  expect(long.grace().deadline - long.deadline).toBe(30_000);
});
