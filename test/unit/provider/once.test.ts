import { expect, test } from "vitest";
import { LateError } from "../../../provider/engine/errors";
import { hostWithLimit } from "../../../provider/engine/time-limits";
import { CachedWork } from "../../../provider/resources/once";
import { hostless } from "../host";

const defaults = () => hostWithLimit(hostless(), 60_000);
const hasty = () => hostWithLimit(hostless(), 20);

/** Work whose result the test sets. `begun` has an entry for each start. */
function controlled() {
  const started: PromiseWithResolvers<string>[] = [];
  return {
    started,
    work(): Promise<string> {
      const one = Promise.withResolvers<string>();
      started.push(one);
      return one.promise;
    },
  };
}

test("an operation whose own deadline passes fails, and the shared work continues for the others", async () => {
  const once = new CachedWork<string>();
  const { started, work } = controlled();
  const first = once.get(defaults(), "list", "the list", work);
  await expect(once.get(hasty(), "list", "the list", work)).rejects.toEqual(new LateError("waiting for the list"));
  const second = once.get(defaults(), "list", "the list", work);
  started[0]?.resolve("one");
  expect(await Promise.all([first, second])).toEqual(["one", "one"]);
  expect(started).toHaveLength(1);
});

test("if the operation that began the work reaches its deadline, one of the others begins it again for all", async () => {
  const once = new CachedWork<string>();
  const { started, work } = controlled();
  const first = once.get(hasty(), "list", "the list", work).catch((error: Error) => error.message);
  const others = [1, 2, 3].map(() => once.get(defaults(), "list", "the list", work));
  started[0]?.reject(new LateError("waiting for the response"));
  expect(await first).toBe("waiting for the response");
  await expect.poll(() => started.length).toBe(2);
  started[1]?.resolve("two");
  expect(await Promise.all(others)).toEqual(["two", "two", "two"]);
  expect(started).toHaveLength(2);
});

test("another error of the work is the error of all who wait for it, and is not cached", async () => {
  const once = new CachedWork<string>();
  const { started, work } = controlled();
  const all = [1, 2].map(() => once.get(defaults(), "list", "the list", work).catch((error: Error) => error.message));
  started[0]?.reject(new Error("503"));
  expect(await Promise.all(all)).toEqual(["503", "503"]);
  const again = once.get(defaults(), "list", "the list", work);
  started[1]?.resolve("two");
  expect(await again).toBe("two");
});
