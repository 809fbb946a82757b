import { firstOf } from "../../api";
import { CloudInfraError } from "../client/errors";
import { isReached, type Time, unlessAborted } from "../client/time";
import type { Host } from "../engine/host";
import { DURATION, hostThrough, hostWithLimit, parseDuration } from "../engine/time-limits";

/** A command reached its time limit. */
export class TimeLimitError extends CloudInfraError {
  override readonly name = "TimeLimitError";
  readonly timedOut = true;

  constructor(
    message: string,
    override readonly cause?: Error,
  ) {
    super(message);
  }
}

/** Milliseconds after which a command says what it waits for, and the interval at which it repeats that. */
const FIRST_REPORT_MS = 10_000;
const REPEAT_MS = 60_000;
/** Maximum number of different waits that one line lists. */
const SHOWN = 3;

/**
 * The time limit of a command, such as `cloudinfra drift --timeout 5m`. All requests, polls and waits end at the limit.
 * If the command is still waiting after 10 seconds, `onReport` receives a line that names what it waits for.
 */
export class TimeLimit implements Disposable {
  readonly #duration: string;
  readonly #end: number;
  readonly #time: Pick<Time, "now" | "timer">;
  readonly #waits: string[] = [];
  readonly #startedAt: number;
  #stop: () => void;

  /** `duration` is a text such as `90s` or `1h30m`. */
  constructor(duration: string, onReport: (line: string) => void, time: Pick<Time, "now" | "timer">) {
    if (!DURATION.test(duration) || parseDuration(duration) < 1)
      throw new Error(`--timeout ${duration}: must be a duration such as 90s, 20m or 1h30m`);
    this.#duration = duration;
    this.#time = time;
    this.#startedAt = time.now();
    this.#end = this.#startedAt + parseDuration(duration);
    const report = (): void => {
      if (this.#waits.length) onReport(this.#line());
      this.#stop = time.timer(REPEAT_MS, report);
    };
    this.#stop = time.timer(FIRST_REPORT_MS, report);
  }

  /** Ends the lines about waiting. */
  [Symbol.dispose](): void {
    this.#stop();
  }

  /** Whether the time is over, so that work would end before it has begun. */
  get isReached(): boolean {
    return isReached(this.#end, this.#time.now());
  }

  /** The connection, with requests and waits that end at the limit. */
  bound(host: Host): Host {
    const noting = hostThrough(host, (name, call) => this.noted(name, call));
    return hostWithLimit(noting, this.#end - host.now());
  }

  /**
   * The result of other work, such as a run of the Pulumi CLI, or an error if the limit is reached first. The work has
   * to end itself when the signal is aborted.
   */
  async wait<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const stop = this.#time.timer(this.#end - this.#time.now(), () => ending.abort());
    try {
      return await this.noted(name, () => unlessAborted(work(ending.signal), ending.signal));
    } catch (error) {
      throw error === ending.signal.reason ? new TimeLimitError(`${name} did not end ${this.#explanation}`) : error;
    } finally {
      stop();
    }
  }

  /** Adds to the message of an error, if the limit caused it, which limit that was and how to increase it. */
  explain(error: Error): Error {
    const isLate = (error as { timedOut?: unknown }).timedOut === true && this.isReached;
    return isLate && !(error instanceof TimeLimitError)
      ? new TimeLimitError(`${error.message} ${this.#explanation}`, error)
      : error;
  }

  get #explanation(): string {
    return `within the time limit of ${this.#duration}. To allow more time, set --timeout`;
  }

  /** The result of other work that must not be interrupted, and so does not end at the limit. */
  async noted<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#waits.push(name);
    try {
      return await work();
    } finally {
      this.#waits.splice(this.#waits.indexOf(name), 1);
    }
  }

  /** A line such as `still waiting after 10 s for volumes.list (3 times), domains.view`. */
  #line(): string {
    const counts = [...Map.groupBy(this.#waits, (name) => name)].map(([name, waits]) =>
      waits.length === 1 ? name : `${name} (${waits.length} times)`,
    );
    const seconds = Math.round((this.#time.now() - this.#startedAt) / 1000);
    return `still waiting after ${seconds} s for ${firstOf(counts, SHOWN)}; the time limit is ${this.#duration} (--timeout)`;
  }
}
