import { Clock, type Pace } from "./clock";
import type { TokenRow, UserRow } from "./core-tables";
import * as core from "./core-tables";
import { EventLog, eventForgotten } from "./events";
import { Jobs, jobEnd } from "./jobs";
import { Random } from "./random";
import { Schedule } from "./schedule";
import { type Row, Table, type TableHooks, type TableSpec, type Tables } from "./store";
import { type TaskOn, Tasks } from "./tasks";

/** The complete state of the emulated service. Each table is a property, such as `world.volumes`. */
export interface World extends WorldTables, Core {}

type WorldTables = { readonly [T in keyof Tables]: Tables[T] extends Row ? Table<Tables[T]> : never };

interface Core {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventLog;
  readonly jobs: Jobs;
  readonly schedule: Schedule;
  readonly tasks: Tasks<World>;
  readonly users: Table<UserRow>;
  readonly tokens: Table<TokenRow>;
  /** All tables by name, including internal ones such as scheduled tasks. Snapshots use the same names. */
  readonly tables: ReadonlyMap<string, Table<Row>>;
  /** The number of changes to rows so far. */
  changes(): number;
  /** Functions that are called after each change of a row. */
  readonly watchers: Set<TableHooks["changed"]>;
  /** Schedules a task, on behalf of the user who sends the current request. */
  later<A>(task: Task<A>, args: NoInfer<A>, seconds: number, options?: { background?: boolean }): void;
}

export type Task<A = unknown> = TaskOn<World, A>;

/**
 * Declares a task. The name, such as `volumes.settled`, is stored in snapshots. Tasks are scheduled with arguments that
 * are plain JSON: `world.jobs.start({ task: settled, args: { id } })`.
 */
export const task = <A>(name: string, run: Task<A>["run"]): Task<A> => ({ name, run });

export interface WorldOptions {
  seed: number;
  /**
   * Whether the user has set the seed. With the pace `instant`, the clock is then independent of the machine's clock,
   * so that all output depends only on the seed.
   */
  seeded?: boolean;
  pace: Pace;
  changed?: TableHooks["changed"] | undefined;
}

/** Creates the state of a new account. It contains only predefined rows, such as regions and instance types. */
export function createWorld(
  { seed, seeded, pace, changed }: WorldOptions,
  specs: Readonly<Record<string, TableSpec<Row>>>,
  tasks: readonly Task<never>[],
): World {
  const clock = new Clock(pace, { seeded });
  const tables = new Map<string, Table<Row>>();
  let changes = 0;
  const watchers: Core["watchers"] = new Set();
  const hooks: TableHooks = {
    time: () => clock.time(),
    changed(...what) {
      changes++;
      changed?.(...what);
      for (const watch of watchers) watch(...what);
    },
  };
  const make = <R extends Row>(name: string, spec: TableSpec<R>): Table<R> => {
    const created = new Table<R>(name, spec, seed, hooks);
    tables.set(name, created as unknown as Table<Row>);
    return created;
  };
  const allTasks = new Tasks<World>([...tasks, eventForgotten, jobEnd], () => world);
  const events = new EventLog(make("events", core.events), clock, (due) => {
    schedule.add({ due, task: eventForgotten.name, args: {}, username: null, background: true });
  });
  const schedule = new Schedule(make("timers", core.timers), clock, (timer) => {
    events.actor = timer.username;
    allTasks.run(timer.task, timer.args, "finished");
  });
  const base: Core = {
    seed,
    clock,
    random: new Random(seed),
    events,
    schedule,
    tasks: allTasks,
    jobs: new Jobs(make("jobs", core.jobs), clock, events, schedule, allTasks),
    users: make("users", core.users),
    tokens: make("tokens", core.tokens),
    tables,
    changes: () => changes,
    watchers,
    later(task, args, seconds, { background = false } = {}) {
      const due = clock.now() + clock.takes(seconds);
      schedule.add({ due, task: allTasks.get(task.name).name, args, username: events.actor, background });
    },
  };
  const rest = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, make(name, spec)]));
  const world = { ...base, ...rest } as unknown as World;
  return world;
}
