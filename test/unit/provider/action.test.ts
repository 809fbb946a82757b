import { describe, expect, onTestFinished, test } from "vitest";
import type { Event } from "../../../api";
import { connect } from "../../../provider/client";
import { ApiError, LostResponseError } from "../../../provider/client/errors";
import { realTime } from "../../../provider/client/time";
import type { Host } from "../../../provider/engine/host";
import { hostOf } from "../../../provider/pulumi/connection";
import { rejectFailed, runAction } from "../../../provider/resources/action";
import { pageOf, rejection, type Step, serve, TOKEN } from "../client/scripted";

const entity = { type: "compute", id: 12 } as const;

const event = (id: number, changes: Partial<Event> = {}): Event => ({
  id,
  action: "compute_reboot",
  created: "2022-01-01T00:00:00",
  status: "finished",
  percent_complete: 100,
  time_remaining: null,
  rate: null,
  duration: 1,
  entity: { ...entity, label: "web", url: "/v4/compute/instances/12" },
  secondary_entity: null,
  username: "emulator",
  message: null,
  read: false,
  seen: false,
  ...changes,
});
const failed = (id: number, changes: Partial<Event> = {}): Event => event(id, { status: "failed", ...changes });

async function hostOfService(...steps: Step[]): Promise<Host> {
  const { url } = await serve(...steps);
  const client = connect({ url, token: TOKEN, ...realTime });
  onTestFinished(() => client.close());
  return hostOf(client, realTime, { warn: () => {}, progress: () => {} });
}

/** A service whose list of events has the given ones, newest first. Responds with the first page. */
const hostWith = (events: Event[]): Promise<Host> =>
  hostOfService(({ headers, path }) => {
    const filter = JSON.parse(String(headers["x-filter"] ?? "{}"));
    const size = Number(new URL(path, "http://service").searchParams.get("page_size") ?? 25);
    expect(filter).toMatchObject({ "+order_by": "id", "+order": "desc" });
    const actions = filter["+or"].map(({ action }: Partial<Event>) => action);
    const found = events.filter(({ action }) => actions.includes(action)).toSorted((a, b) => b.id - a.id);
    return pageOf(found.slice(0, size));
  });

/** Runs a reboot. `call` returns the event that it adds, or throws an error after it has added the event. */
async function rebooted(before: Event[], added: Event | undefined, error?: Error, abandoned?: AbortSignal) {
  const events = [...before];
  const host = await hostWith(events);
  const steps: string[] = [];
  const message = await runAction({
    host: { ...host, ...(abandoned && { abandoned }) },
    entity,
    events: ["compute_reboot"],
    async call() {
      steps.push("call");
      if (added) events.push(added);
      if (error) throw error;
    },
    onStarted: () => void steps.push("started"),
    onFailed: () => void steps.push("failed"),
    settle: async () => void steps.push("settled"),
  }).then(
    () => undefined,
    (failure: Error) => failure.message,
  );
  return { steps, message };
}

const done = { steps: ["call", "started", "settled"], message: undefined };

describe("an action", () => {
  test("is done if no event shows a failure, even if there are no events", async () => {
    expect(await rebooted([], event(1))).toEqual(done);
    expect(await rebooted([], undefined)).toEqual(done);
    expect(await rebooted([event(1)], event(2))).toEqual(done);
  });

  test("has failed if its event has", async () => {
    const steps = [...done.steps, "failed"];
    expect(await rebooted([], failed(1))).toEqual({ steps, message: "compute 12: compute_reboot failed" });
    expect(await rebooted([event(1)], failed(2, { message: "no host" }))).toEqual({
      steps,
      message: "compute 12: compute_reboot failed: no host",
    });
  });

  test("has failed also if many other objects have newer events", async () => {
    const { entity } = event(1);
    const others = Array.from({ length: 99 }, (_, i) => event(i + 2, { entity: { ...entity, id: 13 + i } }));
    const { message } = await rebooted(others, failed(1));
    expect(message).toBe("compute 12: compute_reboot failed");
  });

  test("is not the one that failed before it, or that of another object or of another type", async () => {
    expect(await rebooted([failed(1)], undefined)).toEqual(done);
    expect(await rebooted([failed(1)], event(2))).toEqual(done);
    const { entity } = event(1);
    for (const changes of [
      { entity: { ...entity, id: 13 } },
      { entity: { ...entity, type: "volume" } },
      { action: "compute_shutdown" },
    ] as const)
      expect(await rebooted([event(1)], failed(2, changes)), JSON.stringify(changes)).toEqual(done);
  });

  const lost = new LostResponseError("instances.reboot", "socket closed", undefined);

  test("whose response was lost has started if there is a new event", async () => {
    expect(await rebooted([event(1)], event(2), lost)).toEqual(done);
    expect(await rebooted([], event(1), lost)).toEqual(done);
  });

  test("whose response was lost has not started if there is no new event", async () => {
    for (const before of [[], [event(1)], [failed(1)]])
      expect(await rebooted(before, undefined, lost)).toEqual({ steps: ["call"], message: lost.message });
  });

  test("that the service has rejected has not started, although another client has started one", async () => {
    const busy = new ApiError("instances.reboot", 400, [{ reason: "Compute busy." }]);
    expect(await rebooted([], event(1), busy)).toEqual({ steps: ["call"], message: busy.message });
  });

  test("is not started once Pulumi has ended", async () => {
    const abandoned = AbortSignal.abort(new Error("Pulumi has ended"));
    expect(await rebooted([], event(1), undefined, abandoned)).toEqual({ steps: [], message: "Pulumi has ended" });
  });
});

describe("a change that has not taken effect", () => {
  const moved = (host: Host): Promise<void> => rejectFailed(host, 12, "migrated", "compute_migrate_datacenter");
  const action = "compute_migrate_datacenter";

  test("has failed if its last event has", async () => {
    const host = await hostWith([event(1, { action }), failed(2, { action, message: "no host" }), event(3)]);
    await expect(moved(host)).rejects.toThrow(
      "Instance 12 was not migrated: compute_migrate_datacenter failed: no host. Run the update again",
    );
  });

  test("can still take effect if its last event has not failed, or if there is none", async () => {
    const { entity } = event(1);
    for (const events of [
      [],
      [failed(1, { action }), event(2, { action })],
      [failed(1)],
      [failed(1, { action, entity: { ...entity, id: 13 } })],
      [failed(1, { action, entity: { ...entity, type: "volume" } })],
    ] as const)
      await expect(moved(await hostWith([...events]))).resolves.toBeUndefined();
  });

  test("can still take effect if the token may not read events", async () => {
    for (const status of [401, 403])
      await expect(moved(await hostOfService(rejection(status, "no")))).resolves.toBeUndefined();
    await expect(moved(await hostOfService(rejection(418, "teapot")))).rejects.toThrow("events.list: 418 teapot");
  });
});
