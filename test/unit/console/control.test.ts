import { afterEach, expect, test, vi } from "vitest";
import { messageOf, Rejected, send } from "../../../console/control";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const failure = (): Promise<unknown> => send("GET", "console/object").catch((error: unknown) => error);

test("a request without a response within 60 seconds fails with an error that names the time limit", async () => {
  const controller = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(controller.signal);
  vi.stubGlobal(
    "fetch",
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const failed = failure();
  controller.abort(new DOMException("", "TimeoutError"));
  expect(messageOf(await failed)).toMatch(/^The emulator did not respond within 60 seconds\./);
  expect(timeout).toHaveBeenCalledWith(60_000);
});

test("a request fails with a message if the emulator is not reachable, or ends during the response", async () => {
  const cut = new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("terminated")) }));
  for (const fetched of [() => Promise.reject(new TypeError("fetch failed")), () => Promise.resolve(cut)]) {
    vi.stubGlobal("fetch", fetched);
    expect(messageOf(await failure())).toBe("The emulator does not respond. Check that it is running.");
  }
});

test("a rejected request has the reasons and the status of its response", async () => {
  const errors = [{ field: "username", reason: "Already exists (given ada)" }];
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ errors }, { status: 400 })));
  const rejected = await failure();
  expect(rejected).toBeInstanceOf(Rejected);
  expect(rejected).toMatchObject({ status: 400, message: "username: Already exists (given ada)" });
});
