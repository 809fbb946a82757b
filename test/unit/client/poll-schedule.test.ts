import { expect, test } from "vitest";
import { type NextPoll, pollSchedule } from "../../../provider/client/poll-schedule";

const START = 1_000_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that the test advances from the end of one sleep to the next. */
function stepped() {
  let now = START;
  const sleeps: { at: number; wake: () => void }[] = [];
  const time = {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleeps.push({ at: now + ms, wake })),
  };
  const polls: number[] = [];
  return {
    schedule: pollSchedule(time),
    /** The times of all polls, in milliseconds since the start. Simultaneous polls count once. */
    polls,
    async wait(nextPoll: NextPoll, times: number, deadline?: number) {
      for (let i = 0; i < times; i++) {
        await nextPoll(deadline);
        if (polls.at(-1) !== now - START) polls.push(now - START);
      }
    },
    async until(ms: number) {
      for (;;) {
        for (let i = 0; i < 5; i++) await turn();
        sleeps.sort((a, b) => a.at - b.at);
        const [next] = sleeps;
        if (!next || next.at > START + ms) break;
        sleeps.shift();
        now = next.at;
        next.wake();
      }
      now = START + ms;
    },
  };
}

const after = (ms: number) => () => ms;

const gaps = (polls: readonly number[]) => polls.map((at, i) => at - (polls[i - 1] ?? 0));

test("a waiter polls less often the longer it waits", async () => {
  const { schedule, polls, wait, until } = stepped();
  void wait(schedule("volumes"), 40);
  await until(120_000);
  expect(gaps(polls).slice(0, 3)).toEqual([500, 500, 500]);
  expect(gaps(polls).slice(-5)).toEqual([5000, 5000, 5000, 5000, 5000]);
});

test("waiters that started at different times poll together", async () => {
  const { schedule, polls, wait, until } = stepped();
  for (const startedAt of [0, 200, 700, 3_100]) {
    await until(startedAt);
    void wait(schedule("volumes"), 100);
  }
  await until(60_000);
  // Waits that have lasted more than half a minute poll every five seconds. From 40 s on, this applies to all four
  // waits, which then poll at the same times.
  expect(gaps(polls.filter((at) => at > 40_000)).slice(1)).toEqual([5000, 5000, 5000]);
});

test("a wait that is expected to take a minute is first polled then", async () => {
  const { schedule, polls, wait, until } = stepped();
  void wait(schedule("volumes", after(60_000)), 3);
  await until(120_000);
  expect(polls).toEqual([60_000, 65_000, 70_000]);
});

test("one poll serves waiters that start shortly after each other, when the last one is due", async () => {
  const { schedule, polls, wait, until } = stepped();
  for (let i = 0; i < 8; i++) {
    void wait(schedule("instances", after(1_000)), 1);
    await until((i + 1) * 40);
  }
  await until(5_000);
  expect(polls).toEqual([1_280]);
});

test("a poll is delayed for others by at most a fraction of its wait", async () => {
  const { schedule, polls, wait, until } = stepped();
  void wait(schedule("instances", after(1_000)), 1);
  await until(900);
  void wait(schedule("instances", after(1_000)), 1);
  await until(5_000);
  expect(polls).toEqual([1_000, 1_900]);
});

test("waiters for other collections are not waited for", async () => {
  const { schedule, polls, wait, until } = stepped();
  void wait(schedule("instances", after(1_000)), 1);
  void wait(schedule("volumes", after(300)), 1);
  await until(5_000);
  expect(polls).toEqual([300, 1_000]);
});

test("polls at the deadline", async () => {
  const { schedule, polls, wait, until } = stepped();
  void wait(schedule("volumes", after(60_000)), 1, START + 1_234);
  await until(5_000);
  expect(polls).toEqual([1_234]);
});

test("polls again at the expected end after an early poll", async () => {
  const { schedule, polls, wait, until } = stepped();
  const expected = () => (polls.length ? 41_000 : 40_000);
  void wait(schedule("volumes", expected), 3);
  await until(120_000);
  expect(polls).toEqual([40_000, 41_000, 46_000]);
});

test("a poll that is due does not wait for more than six waiters, unless more have polled together before", async () => {
  const { schedule, polls, wait, until } = stepped();
  const join = async (count: number) => {
    for (let i = 0; i < count; i++) void wait(schedule("instances", after(10)), 1);
  };
  await join(5);
  await until(2_000);
  await join(6);
  await until(4_000);
  await join(20);
  await until(6_000);
  await join(6);
  await until(8_000);
  expect(polls).toEqual([100, 2_010, 4_010, 6_100]);
});
