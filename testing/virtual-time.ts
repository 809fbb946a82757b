import type { Emulator } from "../emulator";
import type { Hooks } from "../provider/client/options";
import type { Time } from "../provider/client/time";
import type { Traffic } from "./native-plugin";

/**
 * A clock for tests, in which waiting immediately advances the emulator's clock. If all pending calls are stalled, the
 * clock jumps to the next timer.
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
  // Calls are counted only after a fault has been added that stalls calls, because the hooks for counting take a
  // seventh of the time of the lifecycle tests.
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
 * A clock for tests with many concurrent operations. It stops while a call is pending, and then jumps to the next
 * timer. `speed` is the factor by which the service's clock is faster than the client's.
 */
export function busyTime(
  emulator: Pick<Emulator, "world" | "advance">,
  speed = 1,
): Time & { hooks: Hooks; traffic: Traffic; stall(): () => void } {
  const timers = new Set<{ at: number; work: () => void }>();
  let underWay = 0;
  /** Sleepers and stalled calls. Without them, nothing waits for a timer. */
  let waiting = 0;
  let isWatched = false;
  let at = emulator.world.clock.now();

  const traffic: Traffic = { began: () => void underWay++, ended: () => void underWay-- };
  const now = (): number => at;
  const timer = (ms: number, work: () => void) => {
    const timer = { at: at + Math.max(0, ms), work };
    timers.add(timer);
    if (waiting) void watch();
    return () => void timers.delete(timer);
  };
  /** Waits until the code after a response has run, which takes a few rounds of the event loop. */
  const rest = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) {
      await new Promise(setImmediate);
      if (underWay) turns = 0;
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
  /** Counts a sleeper or a stalled call until the returned function is called. */
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
    hooks: { request: traffic.began, response: traffic.ended },
    traffic,
    /** A stalled call waits until the returned function is called. */
    stall: wait,
  };
}
