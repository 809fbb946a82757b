import {
  type EntityOf,
  type EventEntity,
  type LastingAction,
  reasons,
  type SecondaryEntity,
  type SecondaryOf,
} from "../../api";
import type { Clock } from "./clock";
import type { EventLog, EventRow } from "./events";
import { Refusal } from "./refusal";
import type { Schedule } from "./schedule";
import type { Table } from "./store";
import { type Outcome, type Task, type Tasks, task } from "./tasks";
import type { World } from "./world";

/** The outcome that a fault forces on a job. */
export type Fate = "finish" | "fail" | "stall";

export interface JobRow {
  id: number;
  /** The instance that is busy while the job runs. */
  compute_id: number | null;
  event_id: number;
  state: "queued" | "running" | "stalled";
  fate: Fate;
  takes: number;
  task: string;
  args: unknown;
  username: string | null;
  /** The timer at which the job ends; null until it runs. */
  timer_id: number | null;
}

export interface JobStart<A, E extends LastingAction> {
  action: E;
  entity: EventEntity<EntityOf<NoInfer<E>>>;
  /** Duration on the real service; the clock's pace scales it. */
  seconds: number;
  task: Task<A>;
  args: NoInfer<A>;
  /** The instance that is busy during the job. Jobs of one instance run one after the other. */
  compute?: number;
  secondary?: SecondaryEntity<SecondaryOf<NoInfer<E>>> | undefined;
  message?: string;
  /** An existing event to update; without one the job creates its own. */
  event?: number;
  /** Outcome, if an earlier request determined it. */
  fate?: Fate;
}

/** Runs when a job's time is up. A job that was made to fail has already ended. */
export const jobEnds = task<{ job: number }>("jobs.end", (world, { job }) => {
  if (world.jobs.table.find(job)) world.jobs.end(world, job);
});

/** Long-running operations. Each has an event that shows its progress, and a task that runs when it ends. */
export class Jobs {
  /** Outcome of jobs that start now, as set by a fault that matches the request. */
  fate: Fate = "finish";
  readonly table: Table<JobRow>;
  readonly #clock: Clock;
  readonly #events: EventLog;
  readonly #schedule: Schedule;
  readonly #tasks: Tasks;

  constructor(table: Table<JobRow>, clock: Clock, events: EventLog, schedule: Schedule, tasks: Tasks) {
    this.table = table;
    this.#clock = clock;
    this.#events = events;
    this.#schedule = schedule;
    this.#tasks = tasks;
  }

  /** Starts the job, or queues it after the instance's other jobs. Returns its event. */
  start<A, E extends LastingAction>({
    entity,
    action,
    seconds,
    task,
    args,
    compute,
    fate,
    ...told
  }: JobStart<A, E>): Readonly<EventRow> {
    this.#tasks.get(task.name);
    const takes = this.#clock.takes(seconds);
    const event =
      told.event === undefined
        ? this.#events.add(action, entity, {
            status: "scheduled",
            begun: null,
            takes,
            secondary_entity: told.secondary ?? null,
            message: told.message ?? null,
          })
        : this.#events.table.patch(told.event, { takes });
    const waits = compute !== undefined && this.busy(compute);
    const job = this.table.insert({
      compute_id: compute ?? null,
      event_id: event.id,
      state: "queued",
      fate: fate ?? this.fate,
      takes,
      task: task.name,
      args,
      username: this.#events.actor,
      timer_id: null,
    });
    if (!waits) this.#begin(job);
    return this.#events.table.get(event.id);
  }

  /** Whether a job is running or queued for the instance. */
  busy(compute: number): boolean {
    return this.table.by("compute_id", compute).length > 0;
  }

  /** Ends a job with its outcome, then starts the instance's next one. */
  end(world: World, id: number): void {
    const job = this.table.remove(id);
    const outcome: Outcome = job.fate === "fail" ? "failed" : "finished";
    this.#events.mark(job.event_id, { status: outcome, ended: this.#clock.now() });
    this.#tasks.get(job.task).run(world, job.args, outcome);
    const next = job.compute_id === null ? undefined : this.table.by("compute_id", job.compute_id)[0];
    if (next?.state === "queued") this.#begin(next);
  }

  /** Fails all jobs of an instance, the running one first. */
  fail(world: World, compute: number): void {
    for (let [job] = this.table.by("compute_id", compute); job; [job] = this.table.by("compute_id", compute)) {
      this.table.patch(job.id, { fate: "fail" });
      this.end(world, job.id);
    }
  }

  /** Cancels the jobs of a deleted instance. Their events end as failed, and their tasks do not run. */
  drop(compute: number): void {
    for (const job of this.table.by("compute_id", compute)) {
      this.table.remove(job.id);
      this.#events.mark(job.event_id, { status: "failed", ended: this.#clock.now() });
      if (job.timer_id !== null) this.#schedule.cancel(job.timer_id);
    }
  }

  /** Restarts stalled jobs, and prevents the jobs queued behind them from stalling. */
  resume(): void {
    for (const { id, state } of this.table.by("fate", "stall")) {
      const job = this.table.patch(id, { fate: "finish" });
      if (state === "stalled") this.#begin(job);
    }
  }

  #begin(job: Readonly<JobRow>): void {
    const now = this.#clock.now();
    this.#events.mark(job.event_id, { status: "started", begun: now });
    if (job.fate === "stall") {
      this.table.patch(job.id, { state: "stalled" });
      return;
    }
    const timer = this.#schedule.add({
      due: now + job.takes,
      task: jobEnds.name,
      args: { job: job.id },
      username: job.username,
      background: false,
    });
    this.table.patch(job.id, { state: "running", timer_id: timer.id });
  }
}

/**
 * Rejects a request that requires an idle instance. Operations marked `idle` are checked by the router, instances named
 * in a body by the handler.
 */
export function refuseBusy(world: World, compute: number): void {
  if (world.jobs.busy(compute)) throw new Refusal(400, reasons.busy);
}
