export type Outcome = "finished" | "failed";

/**
 * A task that runs later on the state `W`. It looks up objects by id, and ignores those that were deleted in the
 * meantime.
 */
export interface TaskOn<W, A = unknown> {
  name: string;
  run: (world: W, args: A, outcome: Outcome) => void;
}

export class Tasks<W> {
  readonly #byName = new Map<string, TaskOn<W>>();
  readonly #world: () => W;

  /** The tasks of a state, which `world` returns: the state itself needs its tasks, so it is created later. */
  constructor(tasks: readonly TaskOn<W, never>[], world: () => W) {
    this.#world = world;
    for (const one of tasks) this.add(one);
  }

  add(one: TaskOn<W, never>): void {
    if (this.#byName.has(one.name)) throw new Error(`The task ${one.name} is declared twice: its name must be unique`);
    this.#byName.set(one.name, one as TaskOn<W>);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get(name: string): TaskOn<W> {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`The task ${name} is not registered: add it to the tasks of an area`);
    return found;
  }

  run(name: string, args: unknown, outcome: Outcome): void {
    this.get(name).run(this.#world(), args, outcome);
  }
}

/** Runs tasks by name, for callers that do not know the state on which they run. */
export type TaskRunner = Pick<Tasks<never>, "get" | "run">;
