import type { Emulator } from "../emulator";
import type { Hooks } from "../provider/client/options";
import type { Time } from "../provider/client/time";

/**
 * Time that takes none: a wait moves the emulator's clock at once, and where no call under way will ever be answered, the
 * clock jumps to the timer that is due next.
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
    hooks: {
      request() {
        underWay++;
      },
      response({ error }) {
        underWay--;
        if (error && stalled) stalled--;
        setImmediate(jump);
      },
    },
  };
}
