import type { Emulator } from "../emulator";
import type { Hooks } from "../provider/client/options";
import type { Time } from "../provider/client/time";
import type { Traffic } from "./native-plugin";

/**
 * A virtual clock for tests: a wait returns immediately and advances the emulator's clock. If no pending request ever
 * receives a response, the clock jumps to the next timeout.
 */
export function virtualTime({ world, faults, advance }: Emulator): Time & { hooks: Hooks } {
  const timers = new Set<{ at: number; work: () => void }>();
  let underWay = 0;
  let stalled = 0;

  const now = (): number => world.clock.now();
  const pass = (ms: number): void => {
    advance(ms);
    const due = [...timers].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at);
    for (const timer of due) if (timers.delete(timer)) timer.work();
  };
  const jump = (): void => {
    if (!stalled || stalled < underWay || !timers.size) return;
    pass(Math.max(0, Math.min(...[...timers].map(({ at }) => at)) - now()));
  };

  const hooks: Hooks = {};
  // Requests are counted only after the test has added a fault of type `stall`, because counting takes a seventh of the
  // time of these tests.
  faults.added = ({ kind }) => {
    if (!kind.startsWith("stall")) return;
    hooks.request = () => void underWay++;
    hooks.response = ({ error }) => {
      underWay--;
      if (error && stalled) stalled--;
      setImmediate(jump);
    };
  };
  faults.stalls = () => {
    stalled++;
    setImmediate(jump);
  };
  return {
    now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      pass(ms);
    },
    timer(ms, work) {
      const timer = { at: now() + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    hooks,
  };
}

/**
 * Whether Node.js reads or writes a file, such as one that a program uploads. On a busy machine, that takes many turns
 * of the event loop.
 */
const readsFiles = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));

/**
 * A virtual clock for tests with many concurrent operations: when no request is pending, it jumps to the end of the
 * next wait. The emulator's clock runs faster than this clock by the factor `speed`.
 */
export function busyTime(
  emulator: Pick<Emulator, "world" | "advance">,
  speed = 1,
): Time & { hooks: Hooks; traffic: Traffic; stall(): () => void } {
  const timers = new Set<{ at: number; work: () => void }>();
  let underWay = 0;
  /** Number of waits and of requests that never receive a response. Time passes only if there are any. */
  let waiting = 0;
  let isWatched = false;
  let at = emulator.world.clock.now();

  const traffic: Traffic = { started: () => void underWay++, ended: () => void underWay-- };
  const now = (): number => at;
  const timer = (ms: number, work: () => void) => {
    const timer = { at: at + Math.max(0, ms), work };
    timers.add(timer);
    if (waiting) void watch();
    return () => void timers.delete(timer);
  };
  /**
   * Lets the code that follows a response run, which takes several turns of the event loop and can send further
   * requests.
   */
  const rest = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) {
      await new Promise(setImmediate);
      if (underWay || readsFiles()) turns = 0;
    }
  };
  async function watch(): Promise<void> {
    if (isWatched) return;
    isWatched = true;
    for (await rest(); waiting > 0 && timers.size > 0; await rest()) {
      const next = [...timers].reduce((first, timer) => (timer.at < first.at ? timer : first));
      const ms = Math.max(0, next.at - at);
      at += ms;
      emulator.advance(ms * speed);
      timers.delete(next);
      next.work();
    }
    isWatched = false;
  }
  /** Counts a wait, or a request that never receives a response, until the returned function is called. */
  const wait = (): (() => void) => {
    let isOver = false;
    waiting++;
    void watch();
    return () => {
      if (!isOver) waiting--;
      isOver = true;
    };
  };
  return {
    now,
    timer,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const end = (work: () => void) => {
          over();
          stop();
          signal?.removeEventListener("abort", abort);
          work();
        };
        const abort = () => end(() => reject(signal?.reason));
        const stop = timer(ms, () => end(resolve));
        const over = wait();
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      });
    },
    hooks: { request: traffic.started, response: traffic.ended },
    traffic,
    stall: wait,
  };
}
