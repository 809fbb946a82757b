import { type Clock, END_OF_TIME } from "./clock";
import type { TimerRow } from "./core-tables";
import { Heap } from "./heap";
import type { Table } from "./store";

/**
 * Scheduled tasks. Due tasks run when a request arrives or the clock is advanced, in the order of their times.
 * JavaScript timers are not used, because they do not follow the emulated clock.
 */
export class Schedule {
  readonly timers: Table<TimerRow>;
  readonly #clock: Clock;
  readonly #run: (timer: TimerRow) => void;
  /** Tasks that `settle()` waits for. A cancelled task stays in its heap and is skipped when it is due. */
  readonly #awaited = new Heap<Due>(sooner);
  readonly #background = new Heap<Due>(sooner);

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
  }

  /**
   * Runs all due tasks, including those that they schedule. During each task, the clock shows the time at which the
   * task was due.
   */
  runDue(): void {
    const now = this.#clock.now();
    for (let next = this.#next(); next; next = this.#next()) {
      const due = next.peek() as Due;
      if (due.due > now) return;
      next.pop();
      const timer = this.timers.remove(due.id);
      this.#clock.at(timer.due, () => this.#run(timer));
    }
  }

  /** Advances the clock until only background tasks are left. */
  settle(): void {
    for (let rounds = 0; rounds < 1_000_000; rounds++) {
      this.runDue();
      const next = this.#first(this.#awaited);
      if (!next || next.due > END_OF_TIME) return;
      this.#clock.advance(Math.max(0, next.due - this.#clock.now()));
    }
    throw new Error(
      "The wait for all jobs does not end, because their tasks schedule further tasks; schedule such tasks as background tasks, which the wait ignores",
    );
  }

  /** The time at which the next task is due, in milliseconds since 1970; undefined if there is none. */
  nextDue(): number | undefined {
    return this.#next()?.peek()?.due;
  }

  /** Replaces the scheduled tasks by those of a loaded snapshot. */
  reload(): void {
    this.#awaited.clear();
    this.#background.clear();
    for (const row of this.timers.all()) this.#enqueue(row);
  }

  /** The heap whose first task is due next. */
  #next(): Heap<Due> | undefined {
    const awaited = this.#first(this.#awaited);
    const background = this.#first(this.#background);
    if (!background) return awaited && this.#awaited;
    return awaited && sooner(awaited, background) ? this.#awaited : this.#background;
  }

  #first(heap: Heap<Due>): Due | undefined {
    while (true) {
      const first = heap.peek();
      if (!first || this.timers.find(first.id)) return first;
      heap.pop();
    }
  }

  #enqueue({ due, id, background }: TimerRow): void {
    (background ? this.#background : this.#awaited).push({ due, id });
  }
}

interface Due {
  due: number;
  id: number;
}

const sooner = (a: Due, b: Due): boolean => a.due < b.due || (a.due === b.due && a.id < b.id);
