import { expect, test } from "vitest";
import type { Host } from "../../../provider/engine/host";
import { cancellable } from "../../../provider/plugin/cancellable";

test("passes on the collection and the expected time of a wait, so that its first poll comes then", async () => {
  const requested: unknown[] = [];
  const host = {
    api: {},
    pollSchedule: (...args: unknown[]) => {
      requested.push(args);
      return async () => {};
    },
  } as unknown as Host;
  const expected = () => 4_000;
  await cancellable(host, new AbortController().signal).pollSchedule("volumes", expected)();
  expect(requested).toEqual([["volumes", expected]]);
});

test("ends a wait at once when it is cancelled", async () => {
  const cancel = new AbortController();
  const host = { api: {}, pollSchedule: () => () => new Promise(() => {}) } as unknown as Host;
  const wait = cancellable(host, cancel.signal).pollSchedule("volumes")();
  cancel.abort(new Error("interrupted"));
  await expect(wait).rejects.toThrow("interrupted");
});

test("ends a read of an operation that changes nothing, but not one that looks for the object of a lost response", () => {
  const signals: unknown[] = [];
  const host = {
    api: { volumes: { list: async (_: unknown, { signal }: { signal?: AbortSignal }) => void signals.push(signal) } },
  } as unknown as Host;
  const { signal } = new AbortController();
  for (const isReadOnly of [true, false]) void cancellable(host, signal, { isReadOnly }).api.volumes.list();
  expect(signals).toEqual([signal, undefined]);
});
