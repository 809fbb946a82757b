import { expect, test } from "vitest";
import { operations, type volumes } from "../../../api";
import { areas } from "../../../emulator/areas";
import { ErrorResponse } from "../../../emulator/core/error-response";
import { entity } from "../../../emulator/core/events";
import { load, snapshot } from "../../../emulator/core/snapshot";
import { type Row, type TableSpec, table } from "../../../emulator/core/store";
import { addToken } from "../../../emulator/core/users";
import { createWorld, task, type World } from "../../../emulator/core/world";
import type { Handlers } from "../../../emulator/http/handlers";
import { Router } from "../../../emulator/http/router";

interface Item extends Row {
  id: number;
  label: string;
  owner: number | null;
  tags: string[];
  created: string;
  updated: string;
}

const noted = task<{ text: string }>("test.noted", (world, { text }, outcome) => {
  notes.push(`${text} ${outcome} ${world.clock.time().slice(11)} ${world.events.actor}`);
});
const again = task<object>("test.again", (world) => {
  notes.push(world.clock.time().slice(11));
  world.later(again, {}, 3600, { background: true });
});
let notes: string[] = [];

function account(pace: "stepped" | "instant" = "stepped") {
  notes = [];
  const specs = {
    account: table<Row>(),
    things: table<Item>(),
    volumes: table<Row>(),
    regions: table<Row>([{ id: "us-east" }]),
  };
  const world = createWorld({ seed: 1, pace }, specs as unknown as Record<string, TableSpec<Row>>, [noted, again]);
  return { world, things: world.tables.get("things") as unknown as World["volumes"] & ItemTable };
}
type ItemTable = import("../../../emulator/core/store").Table<Item>;

const item = (label: string, owner: number | null = null) => ({ label, owner, tags: [] });
const about = entity("volume", { id: 7, label: "data" });

test("tables update their indexes on insert, patch and remove", () => {
  const { things } = account() as { things: ItemTable };
  const a = things.insert(item("a", 1));
  const b = things.insert(item("b", 1));
  expect(things.by("owner", 1)).toEqual([a, b]);
  things.patch(a.id, { owner: 2, label: undefined });
  expect(things.by("owner", 1)).toEqual([b]);
  expect(things.by("owner", 2)[0]?.label).toBe("a");
  things.remove(b.id);
  expect(things.by("owner", 1)).toEqual([]);
  expect(things.insert(item("c")).id).toBe(b.id + 1);
  expect(() => things.get(b.id)).toThrow("Not found");
});

test("rows are completely frozen, so that only the table can change them", () => {
  const { things } = account() as { things: ItemTable };
  const row = things.insert(item("a"));
  expect(() => row.tags.push("x")).toThrow(TypeError);
});

test("scheduled tasks run in the order of their times, each on behalf of the user who caused it", () => {
  const { world } = account();
  world.events.actor = "ann";
  world.later(noted, { text: "second" }, 20);
  world.events.actor = "bob";
  world.later(noted, { text: "first" }, 10);
  world.later(noted, { text: "same" }, 20);
  world.clock.advance(30_000);
  world.schedule.runDue();
  expect(notes).toEqual(["first finished 00:00:10 bob", "second finished 00:00:20 ann", "same finished 00:00:20 bob"]);
});

test("advancing to the end of all jobs ignores background tasks, but runs those that become due", () => {
  const { world } = account();
  world.later(again, {}, 3600, { background: true });
  world.schedule.settle();
  expect(notes).toEqual([]);
  world.later(noted, { text: "late" }, 5400);
  world.schedule.settle();
  expect(notes).toEqual(["01:00:00", "late finished 01:30:00 null"]);
});

test("jobs of an instance run one after the other, and their events show the progress", () => {
  const { world } = account();
  const start = (text: string, compute?: number) =>
    world.jobs.start({
      entity: about,
      action: "volume_clone",
      seconds: 30,
      task: noted,
      args: { text },
      ...(compute && { compute }),
    });
  const shown = (id: number) => world.events.recordOf(world.events.table.get(id));
  const [first, second, other] = [start("first", 1), start("second", 1), start("other")];
  expect([first, second, other].map(({ status }) => status)).toEqual(["started", "scheduled", "started"]);
  world.clock.advance(7_500);
  expect(shown(first.id)).toMatchObject({ percent_complete: 25, time_remaining: "00:00:23", duration: 7.5 });
  expect(shown(second.id)).toMatchObject({ percent_complete: 0, time_remaining: null, duration: null });
  world.clock.advance(37_500);
  world.schedule.runDue();
  expect(shown(first.id)).toMatchObject({ status: "finished", percent_complete: 100, duration: 30 });
  expect(shown(second.id)).toMatchObject({ status: "started", percent_complete: 50 });
  expect(world.jobs.busy(1)).toBe(true);
  world.schedule.settle();
  expect(world.jobs.busy(1)).toBe(false);
  expect(notes.map((note) => note.split(" ")[0])).toEqual(["first", "other", "second"]);
});

test("dropping an instance's jobs fails their events and runs no task", () => {
  const { world } = account();
  const job = { entity: about, action: "volume_create", seconds: 30, task: noted, args: { text: "never" } } as const;
  const { id } = world.jobs.start({ ...job, compute: 1 });
  world.jobs.start({ ...job, compute: 1 });
  world.jobs.drop(1);
  world.schedule.settle();
  expect(notes).toEqual([]);
  expect(world.events.table.get(id).status).toBe("failed");
  expect(world.jobs.busy(1)).toBe(false);
});

test("a snapshot taken in the middle of a job continues in another emulator", () => {
  const { world } = account();
  world.jobs.start({ entity: about, action: "volume_create", seconds: 30, task: noted, args: { text: "done" } });
  world.clock.advance(10_000);
  const stored = JSON.parse(JSON.stringify(snapshot(world)));
  const other = account();
  load(other.world, stored, snapshot(other.world));
  expect(snapshot(other.world)).toEqual(stored);
  other.world.clock.advance(20_000);
  other.world.schedule.runDue();
  expect(notes).toEqual(["done finished 00:00:30 null"]);
});

test("scheduling an unknown task fails immediately", () => {
  const { world } = account();
  const lost = task<object>("test.lost", () => undefined);
  expect(() => world.later(lost, {}, 1)).toThrow("The task test.lost is not registered");
});

/** Sends a request to a router of the emulator in which the volume operations have only the given handlers. */
async function response(handlers: Partial<Handlers<typeof volumes>>, request: string, body?: object) {
  const { world } = account();
  addToken(world, "emulator");
  const own = { ...areas, volumes: { handlers: handlers as Handlers<typeof volumes> } };
  const router = new Router(world, operations, own, { shuffle: false, rateLimits: false });
  const [method = "", url = ""] = request.split(" ");
  const out = await router.handle({
    method,
    url,
    headers: { authorization: "Bearer emulator", "content-type": "application/json" },
    body: body && Buffer.from(JSON.stringify(body)),
    address: "127.0.0.1",
  });
  return { status: out.status, body: JSON.parse(String(out.body)), world };
}

const row = {
  id: 7,
  label: "data",
  status: "active",
  size: 20,
  region: "us-east",
  hardware_type: "nvme",
  filesystem_path: "/dev/x",
  compute_id: null,
  compute_label: null,
  tags: [],
  created: "2022-01-01T00:00:00",
  updated: "2022-01-01T00:00:00",
} as const;

test("a response contains only fields of the contract", async () => {
  const secret = { ...row, tags: [], digest: "s3cret" };
  const { body } = await response({ view: () => secret, list: () => [secret] }, "GET /v4/volumes/7");
  expect(body).toEqual(row);
  expect((await response({ list: () => [secret] }, "GET /v4/volumes")).body.data).toEqual([row]);
});

test("a response that violates the contract returns 500 and names the field", async () => {
  const { status, body } = await response({ view: () => ({ ...row, tags: [], size: 5 }) }, "GET /v4/volumes/7");
  expect(status).toBe(500);
  expect(body.errors[0].reason).toContain(
    "the emulator's response does not match the schema of the operation volumes.view: size",
  );
});

test("a mutation without its declared event returns 500", async () => {
  const { status, body } = await response(
    {
      delete({ world }) {
        world.users.insert({ id: "ann", restricted: false, grants: { global: {}, entities: {} } });
        return {};
      },
    },
    "DELETE /v4/volumes/7",
  );
  expect(status).toBe(500);
  expect(body.errors[0].reason).toContain(
    "volumes.delete did not write the event volume_delete, which the operation declares",
  );
});

test("a handler that rejects a request after a change returns 500", async () => {
  const { status, body } = await response(
    {
      delete({ world }) {
        world.users.insert({ id: "ann", restricted: false, grants: { global: {}, entities: {} } });
        return world.volumes.get(1) as never;
      },
    },
    "DELETE /v4/volumes/7",
  );
  expect(status).toBe(500);
  expect(body.errors[0].reason).toContain(
    "volumes.delete changed the account before it rejected the request: Not found",
  );
});

test("a handler that changes something cannot return a promise, not even a rejected one", async () => {
  const late = async () => {
    throw new ErrorResponse(400, "Too late");
  };
  // @ts-expect-error a handler that changes state must be synchronous
  const { status, body } = await response({ delete: late }, "DELETE /v4/volumes/7");
  expect(status).toBe(500);
  expect(body.errors[0].reason).toContain("volumes.delete changes state and returns a promise");
});

test("a handler that reads may return a promise", async () => {
  const { body } = await response({ view: async () => ({ ...row, tags: [] }) }, "GET /v4/volumes/7");
  expect(body).toEqual(row);
});
