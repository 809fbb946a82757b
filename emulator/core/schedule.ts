import { type Clock, END_OF_TIME } from "./clock";
import { Heap } from "./heap";
import type { Table } from "./store";

/** A scheduled task. It is plain data, so that snapshots can contain it. */
export interface TimerRow {
  id: number;
  due: number;
  task: string;
  args: unknown;
  /** The user whose request scheduled it; events that it writes carry this name. */
  username: string | null;
  /** Maintenance such as expiry and nightly backups. It runs when time passes, but `settle` does not wait for it. */
  background: boolean;
}

/** Runs due tasks, in order, when a request arrives or the clock is advanced. It uses no timers of the machine. */
export class Schedule {
  readonly timers: Table<TimerRow>;
  readonly #clock: Clock;
  readonly #run: (timer: TimerRow) => void;
  /** `settle` waits for the first heap only. A cancelled timer stays in its heap and is skipped when due. */
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

  /** Runs all due tasks, each at its own time, including those that they schedule. */
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

  /** Advances time until only background tasks are left. */
  settle(): void {
    for (let rounds = 0; rounds < 1_000_000; rounds++) {
      this.runDue();
      const next = this.#first(this.#awaited);
      if (!next || next.due > END_OF_TIME) return;
      this.#clock.advance(Math.max(0, next.due - this.#clock.now()));
    }
    throw new Error("A task schedules itself again and again, so the jobs never all end; schedule it as background");
  }

  /** Restores the timers of a snapshot. */
  reload(): void {
    this.#awaited.clear();
    this.#background.clear();
    for (const row of this.timers.all()) this.#enqueue(row);
  }

  /** The heap that contains the next due task. */
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
