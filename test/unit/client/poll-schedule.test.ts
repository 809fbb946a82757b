import { expect, test } from "vitest";
import { pollSchedule } from "../../../provider/client/poll-schedule";

/** Time that passes when it is told to, with all sleeps that it ends. */
function stepped() {
  let now = 1_000_000;
  const sleeps: { at: number; wake: () => void }[] = [];
  return {
    sleeps,
    time: {
      now: () => now,
      sleep: (ms: number) => new Promise<void>((wake) => sleeps.push({ at: now + ms, wake })),
    },
    async next() {
      sleeps.sort((a, b) => a.at - b.at);
      const { at = now, wake } = sleeps.shift() ?? {};
      now = at;
      wake?.();
      await new Promise((resolve) => setImmediate(resolve));
      return now - 1_000_000;
    },
  };
}

test("a waiter looks often at first and seldom later", async () => {
  const { time, next } = stepped();
  const nextPoll = pollSchedule(time)();
  let waits = 0;
  const waiting = (async () => {
    for (; waits < 40; waits++) await nextPoll();
  })();
  const woken: number[] = [];
  while (waits < 40) woken.push(await next());
  await waiting;
  const gaps = woken.map((at, i) => at - (woken[i - 1] ?? 0));
  expect(gaps.slice(0, 3)).toEqual([500, 500, 500]);
  expect(gaps.slice(-5)).toEqual([5000, 5000, 5000, 5000, 5000]);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(7500);
});

test("waiters that began at different moments wake from the same sleep", async () => {
  const { time, next, sleeps } = stepped();
  const newWaiter = pollSchedule(time);
  const begin = async () => {
    const nextPoll = newWaiter();
    for (let i = 0; i < 100; i++) await nextPoll();
  };
  void begin();
  for (let i = 0; i < 3; i++) await next();
  void begin();
  for (let i = 0; i < 5; i++) await next();
  void begin();
  while ((await next()) < 60_000);
  // All three look every five seconds by now, and one sleep wakes them.
  expect(sleeps).toHaveLength(1);
});

test("a wait that is expected to take a minute is polled first shortly before", async () => {
  const { time, next } = stepped();
  const nextPoll = pollSchedule(time)(60_000);
  const woken: number[] = [];
  for (let i = 0; i < 3; i++) {
    const polled = nextPoll();
    woken.push(await next());
    await polled;
  }
  expect(woken).toEqual([54_000, 60_000, 65_000]);
});
