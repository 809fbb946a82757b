import { expect, test } from "vitest";
import { type Host, within } from "../../../provider/engine/host";
import type { Target } from "../../../provider/engine/observe";
import { poll, ready } from "../../../provider/engine/wait";
import { Service, widget, widgetDefinition } from "./widgets";

const target = (service: Service, overrides: Partial<Target> = {}): Target => ({
  kind: widget(),
  host: within(service.host(), 60_000),
  path: { volumeId: 1 },
  want: { label: "data" },
  state: {},
  purpose: "create",
  ...overrides,
});

test("a poll goes on until nothing is missing, and reports a long wait", async () => {
  const service = new Service();
  let polls = 0;
  const get = async () => ++polls;
  const missing = (seen: number) => (seen < 6 ? `${6 - seen} to go` : undefined);
  expect(await poll({ host: within(service.host(), 60_000), what: "a widget", get, missing })).toBe(6);
  expect(service.said).toEqual(["a widget: waiting: 2 to go, 15 s"]);
});

test("the poll at the deadline decides", async () => {
  const service = new Service();
  const host = within(service.host(), 12_000);
  const end = host.deadline;
  const missing = () => (service.now >= end ? undefined : "time");
  await expect(poll({ host, what: "a widget", get: async () => "seen", missing })).resolves.toBe("seen");
  const late = within(service.host(), 12_000);
  await expect(
    poll({ host: late, what: "a widget", get: async () => "seen", missing: () => "2 of 3 parts" }),
  ).rejects.toThrow("2 of 3 parts");
});

test("a slow poll begins with the next time of the schedule", async () => {
  const service = new Service();
  const began = service.now;
  await poll({
    host: service.host(),
    what: "a deletion",
    get: async () => 1,
    missing: () => undefined,
    expectedMs: 100,
  });
  expect(service.now).toBe(began + 5000);
});

test("the first poll of a deletion comes when the shortest one so far had ended", async () => {
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
    await poll({ host, what: "a deletion", get: async () => 1, missing: () => undefined, expectedMs: 100, sort: "d" });
  // No deletion was measured so far, so the next poll is after a shorter time.
  expect(expected).toEqual([100, 30, 30]);
});

test("an object is ready by its status", async () => {
  const service = new Service();
  const row = service.add({ status: "new" });
  service.onPoll = (poll) => {
    if (poll === 2) row.status = "active";
  };
  expect(await ready(target(service))).toMatchObject({ status: "active" });
  row.status = "broken";
  await expect(ready(target(service))).rejects.toThrow('Widget "data" (1): failed after 0 s: state "broken"');
});

test("what a status means may depend on the inputs and the purpose", async () => {
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
  await expect(ready(target(service, { kind, purpose: "update" }))).resolves.toMatchObject({ id: 1 });
  await expect(ready(target(service, { kind }))).rejects.toThrow("failed");
});

test("a status that the definition does not name is waited out; without `byStatus` every object is ready", async () => {
  const service = new Service();
  const row = service.add({ status: "strange" as never });
  service.onPoll = () => {
    row.status = "active";
  };
  expect(await ready(target(service))).toMatchObject({ status: "active" });
  row.status = "new";
  expect(await ready(target(service, { kind: widget({ readiness: {} }) }))).toMatchObject({ status: "new" });
});

test("`pending` says what is missing although the status is ready", async () => {
  const service = new Service();
  const row = service.add();
  const pending = ({ visits = 0 }: { visits?: number | undefined }) => (visits ? undefined : "no visit yet");
  const kind = widget({ readiness: { pending } });
  service.onPoll = () => {
    row.visits = 1;
  };
  expect(await ready(target(service, { kind }))).toMatchObject({ visits: 1 });
});

test("given inputs are awaited until they are observed as declared", async () => {
  const service = new Service();
  const row = service.add({ size: 20 });
  service.onPoll = (poll) => {
    if (poll === 3) row.size = 40;
  };
  expect(await ready(target(service, { want: { size: 40 } }), ["size"])).toMatchObject({ size: 40 });
  await expect(ready(target(service, { want: { size: 60 } }), ["size"])).rejects.toThrow("size not changed yet");
});

test("an object that does not exist is not waited for", async () => {
  await expect(ready(target(new Service()))).rejects.toThrow('Widget "data" (1) no longer exists');
});
