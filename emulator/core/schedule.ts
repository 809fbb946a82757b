import { type Clock, END_OF_TIME } from "./clock";
import { Heap } from "./heap";
import type { Table } from "./store";

/** What is to happen at a time: data, so that a snapshot holds it; the named task knows what to do. */
export interface TimerRow {
  id: number;
  due: number;
  task: string;
  args: unknown;
  /** Who set it in motion; events on the way carry this name. */
  username: string | null;
  /** Upkeep (expiry, nightly backups): happens when time passes, but settling does not wait for it. */
  background: boolean;
}

/** Due tasks run when a request comes or time is moved, in due order. No timer of the machine is involved. */
export class Schedule {
  readonly timers: Table<TimerRow>;
  readonly #clock: Clock;
  readonly #run: (timer: TimerRow) => void;
  /** What settling waits for, and the upkeep. A cancelled timer stays until it comes up, and is passed over then. */
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

  /** Runs what is due by now, each as if at its own time; what that starts can be due as well. */
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

  /** Moves time on until only upkeep is left. */
  settle(): void {
    for (let rounds = 0; rounds < 1_000_000; rounds++) {
      this.runDue();
      const next = this.#first(this.#awaited);
      if (!next || next.due > END_OF_TIME) return;
      this.#clock.advance(Math.max(0, next.due - this.#clock.now()));
    }
    throw new Error("A task sets itself again without end; declare it as background");
  }

  /** Takes up the timers of a snapshot. */
  reload(): void {
    this.#awaited.clear();
    this.#background.clear();
    for (const row of this.timers.all()) this.#enqueue(row);
  }

  /** The heap whose turn it is. */
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
