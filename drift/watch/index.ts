import { counted } from "../../api";
import type { Hooks } from "../../provider/client/options";
import { realTime, type Time, unlessAborted } from "../../provider/client/time";
import type { DriftReport } from "../model";
import { summary } from "../report/text";
import { alertText } from "./alert";
import { Delivery } from "./delivery";
import { counter, expositionOf, gauge } from "./exposition";
import { OpenFindings } from "./open-findings";
import type { Receiver } from "./receiver";
import { Results } from "./results";
import type { Watched } from "./server";

export { type Receiver, slack, webhook } from "./receiver";
export { type Listening, listen } from "./server";

export interface WatchOptions {
  /** Checks the stacks once. The hooks count the requests to the API. */
  check(hooks: Hooks): Promise<DriftReport>;
  /** Milliseconds from the beginning of a check to that of the next one. */
  everyMs: number;
  /** Milliseconds after which the last successful check is too old. */
  maxAgeMs: number;
  receivers: readonly Receiver[];
  /** Receives one line per check, and one per failed attempt to deliver an alert. */
  log(line: string): void;
  /** Whether an error of the first check ends the watch, because no later check can succeed. */
  isFatal?(error: unknown): boolean;
  time?: Time | undefined;
  /** Receives the beginning and the end of each attempt to deliver an alert. */
  traffic?: { started(): void; ended(): void } | undefined;
}

/** Milliseconds that a running check has after the watch was stopped, and that the queued alerts have after that. */
const [CHECK_END_MS, DELIVERY_END_MS] = [15_000, 10_000];

/** Repeats a drift check, and sends an alert for each new, changed and resolved finding. */
export class DriftWatch implements Watched {
  readonly #options: WatchOptions;
  readonly #time: Time;
  readonly #results = new Results();
  readonly #open = new OpenFindings();
  readonly #deliveries: Delivery[];
  #isFirst = true;

  constructor(options: WatchOptions) {
    const { receivers, time = realTime, log, traffic } = options;
    this.#options = options;
    this.#time = time;
    this.#deliveries = receivers.map((receiver) => new Delivery(receiver, { time, log, traffic }));
  }

  /**
   * Checks until the signal is aborted. Then a running check may end, and each queued alert is sent once more. Returns
   * the number of alerts that could not be delivered.
   */
  async run(stop: AbortSignal): Promise<number> {
    let error: unknown;
    try {
      await this.#checkUntil(stop);
    } catch (fatal) {
      error = fatal;
    }
    const undelivered = await this.#deliverRest();
    if (error) throw error;
    return undelivered;
  }

  async #checkUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const startedAt = this.#time.now();
      await this.#endOf(this.#check(), stop);
      const pause = startedAt + this.#options.everyMs - this.#time.now();
      await this.#time.sleep(Math.max(0, pause), stop).catch(() => {});
    }
  }

  /** Waits for a check. After the stop, waits only for a limited time. */
  async #endOf(check: Promise<void>, stop: AbortSignal): Promise<void> {
    const ending = new AbortController();
    let cancel = (): void => {};
    const limit = (): void => {
      cancel = this.#time.timer(CHECK_END_MS, () => ending.abort());
    };
    if (stop.aborted) limit();
    else stop.addEventListener("abort", limit, { once: true });
    try {
      await unlessAborted(check, ending.signal);
    } catch (error) {
      if (error !== ending.signal.reason) throw error;
      this.#options.log(`stopped: the check in progress did not end within ${CHECK_END_MS / 1000} s`);
    } finally {
      stop.removeEventListener("abort", limit);
      cancel();
    }
  }

  async #check(): Promise<void> {
    const { check, log, isFatal } = this.#options;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const startedAt = this.#time.now();
    const elapsed = (): number => this.#time.now() - startedAt;
    try {
      const report = await check(this.#results.hooks);
      requireSomeChecked(report);
      this.#results.succeeded(report, this.#time.now(), elapsed());
      const alerts = this.#open.update(report);
      for (const delivery of this.#deliveries) delivery.add(alerts);
      log([summary(report), ...alerts.map(alertText)].join("; "));
    } catch (error) {
      this.#results.failed(elapsed());
      if (isFirst && isFatal?.(error)) throw error;
      log(`the check failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #deliverRest(): Promise<number> {
    const ending = new AbortController();
    const cancel = this.#time.timer(DELIVERY_END_MS, () => ending.abort());
    const left = await Promise.all(this.#deliveries.map((delivery) => delivery.stop(ending.signal)));
    cancel();
    for (const [i, alerts] of left.entries())
      if (alerts.length)
        this.#options.log(
          `${this.#deliveries[i]?.name} did not accept ${counted(alerts.length, "alert")}: ${alerts.map(alertText).join("; ")}`,
        );
    return left.flat().length;
  }

  health(): ReturnType<Watched["health"]> {
    const at = this.#results.lastSuccessAt;
    if (at === undefined) return { isHealthy: false, text: "no check has succeeded yet" };
    const age = this.#time.now() - at;
    const { maxAgeMs } = this.#options;
    const text = `the last successful check ended ${Math.round(age / 1000)} s ago; the limit is ${maxAgeMs / 1000} s`;
    return { isHealthy: age <= maxAgeMs, text };
  }

  metrics(): string {
    const perReceiver = (value: (delivery: Delivery) => number) =>
      this.#deliveries.map((delivery) => ({ labels: { receiver: delivery.name }, value: value(delivery) }));
    return expositionOf([
      ...this.#results.metrics(),
      gauge(
        "cloudinfra_drift_alerts_queued",
        "Alerts that the receiver has not accepted yet.",
        perReceiver(({ queued }) => queued),
      ),
      counter(
        "cloudinfra_drift_alerts_sent_total",
        "Alerts that the receiver accepted.",
        perReceiver(({ counts }) => counts.sent),
      ),
      counter(
        "cloudinfra_drift_alerts_failed_total",
        "Attempts to deliver an alert that failed and are repeated.",
        perReceiver(({ counts }) => counts.failed),
      ),
      counter(
        "cloudinfra_drift_alerts_rejected_total",
        "Alerts that the receiver rejected, which are not sent again.",
        perReceiver(({ counts }) => counts.rejected),
      ),
      counter(
        "cloudinfra_drift_alerts_dropped_total",
        "Alerts that were dropped because too many were queued.",
        perReceiver(({ counts }) => counts.dropped),
      ),
    ]);
  }
}

/**
 * Throws an error if no resource was checked because of failures. In a check of all stacks, an account that cannot be
 * reached is reported with its stacks, and does not make the check fail.
 */
function requireSomeChecked({ coverage, failures: [first, ...others] = [] }: DriftReport): void {
  if (!first || coverage.checked) return;
  const rest = others.length ? `; ${counted(others.length, "other stack")} failed, too` : "";
  throw new Error(`${first.stack}: ${first.reason}${rest}`);
}
