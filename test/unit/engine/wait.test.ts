import { expect, test } from "vitest";
import type { Host } from "../../../provider/engine/host";
import type { Target } from "../../../provider/engine/observe";
import { hostWithLimit } from "../../../provider/engine/time-limits";
import { poll, waitForReady } from "../../../provider/engine/wait";
import { Service, widget, widgetDefinition } from "./widgets";

const target = (service: Service, overrides: Partial<Target> = {}): Target => ({
  kind: widget(),
  host: hostWithLimit(service.host(), 60_000),
  path: { volumeId: 1 },
  want: { label: "data" },
  state: {},
  purpose: "create",
  ...overrides,
});

test("polls until the condition is met, and reports a long wait", async () => {
  const service = new Service();
  let polls = 0;
  const get = async () => ++polls;
  const unmet = (seen: number) => (seen < 6 ? `${6 - seen} to go` : undefined);
  expect(await poll({ host: hostWithLimit(service.host(), 60_000), what: "a widget", get, unmet })).toBe(6);
  expect(service.messages).toEqual(["a widget: still waiting after 15 s: 2 to go"]);
});

test("the last poll is at the deadline", async () => {
  const service = new Service();
  const host = hostWithLimit(service.host(), 12_000);
  const end = host.deadline;
  const unmet = () => (service.now >= end ? undefined : "time");
  await expect(poll({ host, what: "a widget", get: async () => "seen", unmet })).resolves.toBe("seen");
  const late = hostWithLimit(service.host(), 12_000);
  await expect(
    poll({ host: late, what: "a widget", get: async () => "seen", unmet: () => "2 of 3 parts" }),
  ).rejects.toThrow("2 of 3 parts");
});

test("after a slow poll, the next one follows the schedule", async () => {
  const service = new Service();
  const startedAt = service.now;
  await poll({
    host: service.host(),
    what: "a deletion",
    get: async () => 1,
    unmet: () => undefined,
    expectedMs: 100,
  });
  expect(service.now).toBe(startedAt + 5000);
});

test("the first poll of a deletion is at the end of the shortest one so far", async () => {
  const service = new Service();
  const expected: (number | undefined)[] = [];
  const host: Host = {
    ...service.host(),
    pollSchedule: (_, expectedMs) => async () => {
      expected.push(expectedMs?.());
      service.now += 40;
    },
  };
  for (let i = 0; i < 3; i++)
    await poll({ host, what: "a deletion", get: async () => 1, unmet: () => undefined, expectedMs: 100, wait: "d" });
  // The first deletion is expected to take 100 ms, but its first poll after 40 ms finds it complete. The next deletions
  // are polled after half of these 40 ms, to find out whether deletions are even faster.
  expect(expected).toEqual([100, 20, 20]);
});

test("an object is ready by its status", async () => {
  const service = new Service();
  const row = service.add({ status: "new" });
  service.onPoll = (poll) => {
    if (poll === 2) row.status = "active";
  };
  expect(await waitForReady(target(service))).toMatchObject({ status: "active" });
  row.status = "broken";
  await expect(waitForReady(target(service))).rejects.toThrow(
    'Widget "data" (1) did not become ready: it was in state "broken" after 0 s',
  );
});

test("the meaning of a status can depend on inputs and purpose", async () => {
  const service = new Service();
  service.add({ status: "new" });
  const { byStatus } = widgetDefinition.readiness ?? {};
  const kind = widget({
    readiness: {
      byStatus: {
        ...byStatus,
        new: (_: unknown, purpose: string) => (purpose === "update" ? "ready" : "failed"),
      } as never,
    },
  });
  await expect(waitForReady(target(service, { kind, purpose: "update" }))).resolves.toMatchObject({ id: 1 });
  await expect(waitForReady(target(service, { kind }))).rejects.toThrow("did not become ready");
});

test("waits while the status is unknown to the definition; without `byStatus` every object is ready", async () => {
  const service = new Service();
  const row = service.add({ status: "strange" as never });
  service.onPoll = () => {
    row.status = "active";
  };
  expect(await waitForReady(target(service))).toMatchObject({ status: "active" });
  row.status = "new";
  expect(await waitForReady(target(service, { kind: widget({ readiness: {} }) }))).toMatchObject({ status: "new" });
});

test("`pending` returns what is missing although the status means ready", async () => {
  const service = new Service();
  const row = service.add();
  const pending = ({ visits = 0 }: { visits?: number | undefined }) => (visits ? undefined : "no visit yet");
  const kind = widget({ readiness: { pending } });
  service.onPoll = () => {
    row.visits = 1;
  };
  expect(await waitForReady(target(service, { kind }))).toMatchObject({ visits: 1 });
});

test("waits until given inputs are returned as declared", async () => {
  const service = new Service();
  const row = service.add({ size: 20 });
  service.onPoll = (poll) => {
    if (poll === 3) row.size = 40;
  };
  expect(await waitForReady(target(service, { want: { size: 40 } }), ["size"])).toMatchObject({ size: 40 });
  await expect(waitForReady(target(service, { want: { size: 60 } }), ["size"])).rejects.toThrow("size not changed yet");
});

test("does not wait for an object that does not exist", async () => {
  await expect(waitForReady(target(new Service()))).rejects.toThrow('Widget "data" (1) no longer exists');
});
