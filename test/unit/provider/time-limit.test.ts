import { describe, expect, test } from "vitest";
import { connect } from "../../../provider/client";
import { realTime } from "../../../provider/client/time";
import { read } from "../../../provider/engine/observe";
import { hostOf } from "../../../provider/pulumi/connection";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import { volume } from "../../../provider/resources/volume";
import { drip, listening } from "../../listening";

/** A clock whose timers run when the test calls them, in the order of their times. */
function manualTimers() {
  const timers: { ms: number; work: () => void }[] = [];
  let now = 0;
  return {
    now: () => now,
    timer(ms: number, work: () => void) {
      const timer = { ms: now + ms, work };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    pass(ms: number) {
      now += ms;
      for (const timer of timers.filter((one) => one.ms <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.work();
      }
    },
  };
}

describe("the time limit of a command", () => {
  test("ends requests to a service that drips, and says which limit it was", async () => {
    await using service = await listening(drip);
    const client = connect({ url: `${service.url}/v4`, token: "planted" });
    using limit = new TimeLimit("300ms", () => {}, realTime);
    const host = limit.bound(hostOf(client, realTime, { warn: () => {}, progress: () => {} }));
    const errors = await Promise.all(
      [
        read(volume, host, "5", {}, []),
        host.reads.view("volumes", { volumeId: 6 }, { age: "now" }),
        host.api.volumes.view({ path: { volumeId: 7 } }),
        Array.fromAsync(host.api.volumes.list.all()),
      ].map((call) => Promise.resolve(call).then(() => undefined, limit.explain.bind(limit))),
    );
    expect(errors.map((error) => error?.message)).toEqual(
      ["view", "view", "view", "list"].map(
        (key) =>
          `volumes.${key}: timed out while waiting for the response within the time limit of 300ms. To allow more time, set --timeout`,
      ),
    );
    await client.close();
  });

  test("ends other work", async () => {
    using limit = new TimeLimit("20ms", () => {}, realTime);
    let isAborted = false;
    const work = limit.wait("pulumi stack export", (signal) => {
      signal.addEventListener("abort", () => {
        isAborted = true;
      });
      return new Promise(() => {});
    });
    await expect(work).rejects.toThrow(
      /^pulumi stack export did not end within the time limit of 20ms\. To allow more time, set --timeout$/,
    );
    expect(isAborted).toBe(true);
  });

  test("does not change other errors", async () => {
    using limit = new TimeLimit("10m", () => {}, realTime);
    const rejected = new Error("refused");
    await expect(limit.wait("it", () => Promise.reject(rejected))).rejects.toBe(rejected);
    expect(limit.explain(rejected)).toBe(rejected);
  });
});

describe("a command that waits", () => {
  test("says after 10 seconds and then every minute what it waits for, until it ends", () => {
    const time = manualTimers();
    const lines: string[] = [];
    const limit = new TimeLimit("10m", (line) => lines.push(line), time);
    const never = () => new Promise<never>(() => {});
    for (const what of ["volumes.list", "volumes.view", "volumes.view", "domains.list", "images.list"])
      void limit.wait(what, never);
    time.pass(9_999);
    expect(lines).toEqual([]);
    time.pass(1);
    expect(lines).toEqual([
      "still waiting after 10 s for volumes.list, volumes.view (2 times), domains.list and 1 more; the time limit is 10m (--timeout)",
    ]);
    time.pass(60_000);
    expect(lines).toHaveLength(2);
    limit[Symbol.dispose]();
    time.pass(60_000);
    expect(lines).toHaveLength(2);
  });

  test("prints no line if it does not wait for anything", async () => {
    const time = manualTimers();
    const lines: string[] = [];
    using limit = new TimeLimit("10m", (line) => lines.push(line), time);
    await limit.wait("pulumi config", async () => {});
    time.pass(10_000);
    expect(lines).toEqual([]);
  });
});

test.each(["", "5", "0s", "5 m", "-1s", "1d"])("rejects %j as a time limit", (text) => {
  expect(() => new TimeLimit(text, () => {}, realTime)).toThrow(
    `--timeout ${text}: must be a duration such as 90s, 20m or 1h30m`,
  );
});
