import { describe, expect, test } from "vitest";
import { ApiError } from "../../../provider/client/errors";
import type { Kind } from "../../../provider/engine/definition";
import { destroy } from "../../../provider/engine/delete";
import { ownedIds } from "../../../provider/engine/identity";
import { foundMissing } from "../../../provider/engine/planned";
import { Service, widget } from "./widgets";

const state = { label: "data" };
const note = "Deleting the resource keeps the widget.";

test("calls the area's delete operation, and succeeds if the object does not exist", async () => {
  const service = new Service();
  service.add();
  await destroy(widget(), service.host(), "1", state);
  expect(service.calls).toEqual(["delete 1"]);
  await expect(destroy(widget(), service.host(), "1", state)).resolves.toBeUndefined();
});

describe("an object that the plan of this update did not find", () => {
  /** Destroys widgets of a kind that were not found. Returns the names of the errors, or `deleted`. */
  async function destroyed(kind: Kind, count: number): Promise<string[]> {
    const service = new Service();
    const host = service.host({ account: async () => "account 1 at http://service" });
    const ids = Array.from({ length: count }, (_, i) => i + 1);
    for (const volumeId of ids) foundMissing(kind, host, { volumeId }, true);
    const results = ids.map((id) =>
      destroy(kind, host, String(id), state).then(
        () => "deleted",
        ({ name }: Error) => name,
      ),
    );
    const names = await Promise.all(results);
    expect(service.calls).toEqual([]);
    return names;
  }

  test("counts as deleted without a request, unless many are missing and none was found", async () => {
    expect(await destroyed(widget(), 3)).toEqual(Array(3).fill("deleted"));
    expect(await destroyed(widget(), 4)).toEqual(Array(4).fill("AllMissingError"));
    expect(await destroyed(widget({ delete: { run: async () => undefined } }), 4)).toEqual(
      Array(4).fill("AllMissingError"),
    );
  });

  test("counts as deleted if a deletion of its kind keeps the object anyway", async () => {
    const retaining = widget({ delete: { run: async () => undefined, retained: { note } } });
    expect(await destroyed(retaining, 4)).toEqual(Array(4).fill("deleted"));
  });

  test("is not deleted if it is found again", async () => {
    const service = new Service();
    service.add();
    const kind = widget();
    foundMissing(kind, service.host(), { volumeId: 1 }, true);
    await expect(destroy(kind, service.host(), "1", state)).rejects.toThrow(
      'Widget "data" (1) was not found when this update was planned, but it exists. Nothing was deleted. Run the update again',
    );
    expect(service.calls).toEqual([]);
  });

  test("may be managed by another resource afterwards", async () => {
    const service = new Service();
    const kind = widget();
    foundMissing(kind, service.host(), { volumeId: 1 }, true);
    ownedIds(kind, service.host()).add("1");
    await destroy(kind, service.host(), "1", state);
    expect(ownedIds(kind, service.host()).has("1")).toBe(false);
  });
});

test("waits while `blockedBy` returns a reason", async () => {
  const service = new Service();
  const row = service.add({ visits: 1 });
  service.onPoll = () => void Object.assign(row, { visits: 0 });
  const blockedBy = ({ visits }: { visits?: number | undefined }) => (visits ? "it has a visitor" : undefined);
  await destroy(widget({ delete: { blockedBy } }), service.host(), "1", state);
  expect(service.rows.size).toBe(0);
});

test("`none` keeps the object, and a deletion does not wait for an object that is `kept`", async () => {
  const service = new Service();
  service.add();
  await destroy(widget({ delete: { run: "none" } }), service.host(), "1", state);
  await destroy(widget({ delete: { run: async () => undefined, retained: { note } } }), service.host(), "1", state);
  await destroy(
    widget({ delete: { run: async () => undefined, retained: { note, when: () => true } } }),
    service.host(),
    "1",
    state,
  );
  expect(service.rows.size).toBe(1);
});

test("waits for an object that still exists after `run`, and for what is `pending`", async () => {
  const service = new Service();
  service.add();
  let left = 2;
  service.onPoll = () => void service.rows.clear();
  const pending = async () => (left-- > 0 ? "1 node" : undefined);
  await destroy(widget({ delete: { run: async () => undefined, pending } }), service.host(), "1", state);
  expect(left).toBe(-1);
});

test("a 404 in `run` is an error while the object exists", async () => {
  const service = new Service();
  service.add();
  const run = async () => {
    throw new ApiError("volumes.detach", 404, [{ reason: "Not found" }]);
  };
  const deleted = widget({ delete: { run } });
  await expect(destroy(deleted, service.host(), "1", state)).rejects.toThrow("volumes.detach: 404 Not found");
  service.rows.clear();
  await expect(destroy(deleted, service.host(), "1", state)).resolves.toBeUndefined();
});

test("does not wait for an object that is kept since the last read", async () => {
  const service = new Service();
  const row = service.add();
  const run = async () => {
    row.status = "broken";
  };
  const when = ({ status }: { status?: string | undefined }) => status === "broken";
  const stored = widget({ delete: { run, retained: { note, when } } as never });
  let polls = 0;
  service.onPoll = () => void polls++;
  await destroy(stored, service.host(), "1", state);
  expect(polls).toBe(1);
});

test("deletions of a kind that takes long do not delay those of another kind", async () => {
  const service = new Service();
  const expected: (number | undefined)[] = [];
  const host = service.host({
    pollSchedule: (_, expectedMs) => async () => {
      expected.push(expectedMs?.());
      service.now += 60_000;
    },
  });
  const slow = widget({ name: "Slow", delete: { run: async () => void service.rows.clear() } });
  const other = widget({ name: "Other", delete: { run: async () => void service.rows.clear() } });
  for (const kind of [slow, slow, other]) await destroy(kind, host, String(service.add().id), state);
  // 100 ms until a deletion of the kind was measured. Half of its 60 s then, to find out whether it is faster.
  expect(expected).toEqual([100, 30_000, 100]);
});
