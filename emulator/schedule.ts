import type { Clock } from "./clock";
import type { Table } from "./store";

/** What is to happen at a time: data, so that a snapshot holds it; the named task knows what to do. */
export interface TimerRow {
  id: number;
  due: number;
  task: string;
  args: unknown;
  /** Who set it in motion; events on the way carry this name. */
  username: string | null;
  /** Upkeep (expiry, nightly backups): happens when time passes, but nobody waits for it. */
  background: boolean;
}

/** Due tasks run when a request comes or time is moved, in due order. No timer of the machine is involved. */
export class Schedule {
  readonly timers: Table<TimerRow>;
  readonly #clock: Clock;
  readonly #run: (timer: TimerRow) => void;
  #queue: { due: number; id: number }[] = [];

  constructor(timers: Table<TimerRow>, clock: Clock, run: (timer: TimerRow) => void) {
    this.timers = timers;
    this.#clock = clock;
    this.#run = run;
  }

  add(timer: Omit<TimerRow, "id">): TimerRow {
    const row = this.timers.insert(timer);
    this.#enqueue(row);
    return row;
  }

  cancel(id: number): void {
    if (this.timers.find(id)) this.timers.remove(id);
    this.#queue = this.#queue.filter((one) => one.id !== id);
  }

  /** Runs what is due by now, each as if at its own time; what that starts can be due as well. */
  runDue(): void {
    const now = this.#clock.now();
    for (let next = this.#queue[0]; next && next.due <= now; next = this.#queue[0]) {
      this.#queue.shift();
      const timer = this.timers.remove(next.id);
      this.#clock.at(timer.due, () => this.#run(timer));
    }
  }

  /** Moves time on until nothing that somebody waits for is left. */
  settle(): void {
    for (let rounds = 0; rounds < 100_000; rounds++) {
      this.runDue();
      const next = this.#queue.find(({ id }) => !this.timers.get(id).background);
      if (!next) return;
      this.#clock.advance(Math.max(0, next.due - this.#clock.now()));
    }
    throw new Error("A task sets itself again without end; declare it as background");
  }

  /** Takes up the timers of a snapshot. */
  reload(): void {
    this.#queue = [];
    for (const row of this.timers.all()) this.#enqueue(row);
  }

  #enqueue({ due, id }: TimerRow): void {
    let at = this.#queue.length;
    while (at > 0 && later(this.#queue[at - 1] as TimerRow, { due, id })) at--;
    this.#queue.splice(at, 0, { due, id });
  }
}

const later = (a: { due: number; id: number }, b: { due: number; id: number }): boolean =>
  a.due > b.due || (a.due === b.due && a.id > b.id);
