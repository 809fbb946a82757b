import type { World } from "./world";

export type Outcome = "finished" | "failed";

/** A task that runs later. It looks up objects by id, and ignores those that were deleted in the meantime. */
export interface Task<A = unknown> {
  name: string;
  run: (world: World, args: A, outcome: Outcome) => void;
}

/**
 * Declares a task. The name, such as `volumes.settled`, is stored in snapshots. Tasks are scheduled with arguments that
 * are plain JSON: `world.jobs.start({ task: settled, args: { id } })`.
 */
export const task = <A>(name: string, run: Task<A>["run"]): Task<A> => ({ name, run });

export class Tasks {
  readonly #byName = new Map<string, Task>();

  constructor(tasks: readonly Task<never>[]) {
    for (const one of tasks) this.add(one);
  }

  add(one: Task<never>): void {
    if (this.#byName.has(one.name)) throw new Error(`The task ${one.name} is declared twice: its name must be unique`);
    this.#byName.set(one.name, one as Task);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get(name: string): Task {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`The task ${name} is not registered: add it to the tasks of an area`);
    return found;
  }
}
