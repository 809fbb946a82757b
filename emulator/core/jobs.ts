import {
  type EntityOf,
  type EventEntity,
  type LastingAction,
  reasons,
  type SecondaryEntity,
  type SecondaryOf,
} from "../../api";
import type { Clock } from "./clock";
import type { EventRow, JobEnding, JobRow } from "./core-tables";
import { ErrorResponse } from "./error-response";
import type { EventLog } from "./events";
import type { Schedule } from "./schedule";
import type { Table } from "./store";
import type { Outcome, TaskOn, TaskRunner } from "./tasks";

export interface JobStart<A, E extends LastingAction> {
  action: E;
  entity: EventEntity<EntityOf<NoInfer<E>>>;
  /** Duration of the job on the real service, in seconds. The emulator's `--pace` can shorten it. */
  seconds: number;
  task: TaskOn<never, A>;
  args: NoInfer<A>;
  /** The instance that is busy while the job runs. The jobs of an instance run one after the other. */
  compute?: number;
  secondary?: SecondaryEntity<SecondaryOf<NoInfer<E>>> | undefined;
  message?: string;
  /** The event that shows the progress of the job. By default the job writes a new event. */
  event?: number;
  /**
   * How the job ends, if an earlier request determines it: the job for an image upload has the outcome that was set
   * when the image was created.
   */
  ending?: JobEnding;
}

/** Ends a job when its duration has passed, unless the job has ended before. */
export const jobEnd: TaskOn<{ readonly jobs: Jobs }, { job: number }> = {
  name: "jobs.end",
  run({ jobs }, { job }) {
    if (jobs.table.find(job)) jobs.end(job);
  },
};

/** Operations that take time. Each job has an event that shows its progress, and a task that runs when the job ends. */
export class Jobs {
  /** How the jobs that the current request starts will end. A fault that matches the request can set it. */
  ending: JobEnding = "finish";
  /** Events of the jobs that start with a later request, and that a fault stalls unless it is removed before. */
  readonly stalls = new Set<number>();
  readonly table: Table<JobRow>;
  readonly #clock: Clock;
  readonly #events: EventLog;
  readonly #schedule: Schedule;
  readonly #tasks: TaskRunner;

  constructor(table: Table<JobRow>, clock: Clock, events: EventLog, schedule: Schedule, tasks: TaskRunner) {
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
    ending,
    ...options
  }: JobStart<A, E>): Readonly<EventRow> {
    this.#tasks.get(task.name);
    const takes = this.#clock.takes(seconds);
    const event =
      options.event === undefined
        ? this.#events.add(action, entity, {
            status: "scheduled",
            started: null,
            takes,
            secondary_entity: options.secondary ?? null,
            message: options.message ?? "",
          })
        : this.#events.table.patch(options.event, { takes });
    const waits = compute !== undefined && this.busy(compute);
    const job = this.table.insert({
      compute_id: compute ?? null,
      event_id: event.id,
      state: "queued",
      ending: ending ?? this.ending,
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

  /** Ends a job with the given outcome, then starts the next job of the instance. */
  end(id: number): void {
    const job = this.table.remove(id);
    const outcome: Outcome = job.ending === "fail" ? "failed" : "finished";
    this.#events.mark(job.event_id, { status: outcome, ended: this.#clock.now() });
    this.#tasks.run(job.task, job.args, outcome);
    const next = job.compute_id === null ? undefined : this.table.by("compute_id", job.compute_id)[0];
    if (next?.state === "queued") this.#begin(next);
  }

  /** Fails all jobs of an instance, the running one first. */
  fail(compute: number): void {
    for (let [job] = this.table.by("compute_id", compute); job; [job] = this.table.by("compute_id", compute)) {
      this.table.patch(job.id, { ending: "fail" });
      this.end(job.id);
    }
  }

  /** Cancels the jobs of a deleted instance. Their events get the status `failed`, and their tasks do not run. */
  drop(compute: number): void {
    for (const job of this.table.by("compute_id", compute)) {
      this.table.remove(job.id);
      this.#events.mark(job.event_id, { status: "failed", ended: this.#clock.now() });
      if (job.timer_id !== null) this.#schedule.cancel(job.timer_id);
    }
  }

  /** Continues the jobs that a fault has stalled, including those that are queued or have not started. */
  resume(): void {
    this.stalls.clear();
    for (const { id, state } of this.table.by("ending", "stall")) {
      const job = this.table.patch(id, { ending: "finish" });
      if (state === "stalled") this.#begin(job);
    }
  }

  #begin(job: Readonly<JobRow>): void {
    const now = this.#clock.now();
    this.#events.mark(job.event_id, { status: "started", started: now });
    if (job.ending === "stall") {
      this.table.patch(job.id, { state: "stalled" });
      return;
    }
    const timer = this.#schedule.add({
      due: now + job.takes,
      task: jobEnd.name,
      args: { job: job.id },
      username: job.username,
      background: false,
    });
    this.table.patch(job.id, { state: "running", timer_id: timer.id });
  }
}

/**
 * Rejects a request while a job is running or queued for the instance. The router calls this for operations that are
 * declared with `idle: true` in `api/`, and handlers call it for instances in a request body.
 */
export function rejectBusy(world: { readonly jobs: Jobs }, compute: number): void {
  if (world.jobs.busy(compute)) throw new ErrorResponse(400, reasons.busy);
}
