import { type Dispatcher, request } from "undici";
import { dispatcherFor } from "../../provider/client/dispatcher";
import { endingOf } from "../../provider/client/ending";
import type { Time } from "../../provider/client/time";
import { type Alert, alertText } from "./alert";
import type { Receiver } from "./receiver";

/** Time limit of one attempt in milliseconds. */
const ATTEMPT_MS = 10_000;
/** Delays between attempts in milliseconds. The delay doubles after each failure. */
const [FIRST_DELAY_MS, LONGEST_DELAY_MS] = [1000, 300_000];
/** The longest delay in milliseconds that a receiver can require with `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Number of alerts that wait for a receiver. More of them are of no use to it, and would fill the memory in an outage. */
const MAX_QUEUED = 10_000;

/** Whether a receiver rejects an alert. After 408, 425 and 429, it expects another attempt. */
const isRejection = (status = 0): boolean => status >= 400 && status < 500 && ![408, 425, 429].includes(status);

/**
 * Whether a receiver may accept an alert that it rejects now: a token or an address can be corrected, and a proxy
 * responds with 404 while its receiver restarts.
 */
const mayRecover = (status = 0): boolean => [401, 403, 404].includes(status);

/** The time in milliseconds that a receiver has to recover. Later alerts would otherwise wait without end. */
const RECOVERY_MS = 3_600_000;

interface DeliveryOptions {
  time: Time;
  log(line: string): void;
  maxQueued?: number | undefined;
  /** Receives the beginning and the end of each attempt. */
  traffic?: { started(): void; ended(): void } | undefined;
}

interface Queued {
  alert: Alert;
  /** When the alert was added to the queue, in milliseconds. */
  queuedAt: number;
}

/**
 * The queue of alerts for one receiver. They are sent one after another, in the order of the findings, and each until
 * the receiver has accepted or finally rejected it.
 */
export class Delivery {
  readonly name: Receiver["name"];
  readonly counts = { sent: 0, failed: 0, rejected: 0, dropped: 0 };
  readonly #receiver: Receiver;
  readonly #options: DeliveryOptions;
  readonly #queue: Queued[] = [];
  readonly #pool: Dispatcher;
  readonly #stopping = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #isSending = false;
  /** Since when each response was a rejection that can end. Undefined if the last response was another one. */
  #rejectingSince: number | undefined;

  constructor(receiver: Receiver, options: DeliveryOptions) {
    this.name = receiver.name;
    this.#receiver = receiver;
    this.#options = options;
    this.#pool = dispatcherFor(receiver.url);
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Adds alerts to the queue, and returns at once. If there are too many, the oldest that wait are dropped. */
  add(alerts: readonly Alert[]): void {
    const { log, time, maxQueued = MAX_QUEUED } = this.#options;
    for (const alert of alerts) this.#queue.push({ alert, queuedAt: time.now() });
    // The first alert is not waiting while it is sent.
    const dropped = this.#queue.splice(this.#isSending ? 1 : 0, Math.max(0, this.#queue.length - maxQueued));
    this.counts.dropped += dropped.length;
    const [first] = dropped;
    if (first)
      log(
        `${this.name} has more than ${maxQueued} queued alerts: the oldest ${dropped.length} are dropped, from ${alertText(first.alert)}`,
      );
    if (!this.#isSending) this.#work = this.#sendAll();
  }

  /** Tries each queued alert once more, until the signal is aborted. Returns the alerts that were not accepted. */
  async stop(limit: AbortSignal): Promise<readonly Alert[]> {
    this.#stopping.abort();
    const abort = () => void this.#pool.destroy().catch(() => {});
    limit.addEventListener("abort", abort, { once: true });
    await this.#work;
    const left = this.#queue.splice(0);
    for (const queued of left)
      if (limit.aborted || (await this.#attempt(queued)).delayMs !== undefined) this.#queue.push(queued);
    limit.removeEventListener("abort", abort);
    await this.#pool.destroy();
    return this.#queue.map(({ alert }) => alert);
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#stopping;
    this.#isSending = true;
    for (let [queued] = this.#queue, failures = 0; queued && !signal.aborted; [queued] = this.#queue) {
      const { delayMs } = await this.#attempt(queued, failures);
      if (delayMs === undefined) {
        this.#queue.shift();
        failures = 0;
      } else {
        failures++;
        await this.#options.time.sleep(delayMs, signal).catch(() => {});
      }
    }
    this.#isSending = false;
  }

  /** Sends an alert. Returns the delay after which to send it again, if the receiver has not accepted it. */
  async #attempt({ alert, queuedAt }: Queued, failures = 0): Promise<{ delayMs?: number }> {
    const { log } = this.#options;
    const outcome = await this.#post(alert);
    const { status, problem = `status ${status}` } = outcome;
    const rejection = this.#rejectionBy(status, queuedAt);
    if (status !== undefined && status >= 200 && status < 300) {
      this.counts.sent++;
      return {};
    }
    if (rejection) {
      this.counts.rejected++;
      log(`${this.name} rejected ${alertText(alert)} (${rejection}), so it is not sent again`);
      return {};
    }
    this.counts.failed++;
    const delayMs = Math.max(
      Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS),
      Math.min(outcome.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS),
    );
    if (!this.#stopping.signal.aborted)
      log(`${this.name} did not accept ${alertText(alert)} (${problem}); next attempt in ${delayMs / 1000} s`);
    return { delayMs };
  }

  /** Why a response finally rejects an alert that was queued at the given time. Undefined if it does not. */
  #rejectionBy(status: number | undefined, queuedAt: number): string | undefined {
    const now = this.#options.time.now();
    this.#rejectingSince = mayRecover(status) ? (this.#rejectingSince ?? now) : undefined;
    if (this.#rejectingSince === undefined) return isRejection(status) ? `status ${status}` : undefined;
    // An alert that was queued later than the first rejection gets a whole hour, too.
    const isOver = now - Math.max(this.#rejectingSince, queuedAt) >= RECOVERY_MS;
    return isOver ? `status ${status} for an hour` : undefined;
  }

  async #post(alert: Alert): Promise<{ status?: number; problem?: string; retryAfterMs?: number }> {
    const { time, traffic } = this.#options;
    const { url } = this.#receiver;
    const { signal, clear } = endingOf(time.now() + ATTEMPT_MS, undefined, time);
    traffic?.started();
    try {
      const response = await request(url, {
        ...this.#receiver.request(alert, time.now()),
        method: "POST",
        dispatcher: this.#pool,
        signal,
      });
      await response.body.dump();
      const retryAfter = response.headers["retry-after"];
      return { status: response.statusCode, ...retryDelay(retryAfter, time.now()) };
    } catch (error) {
      // Only the code is shown, because a message could contain the address.
      const { code, name } = error as NodeJS.ErrnoException;
      return { problem: signal.aborted ? `no response within ${ATTEMPT_MS / 1000} s` : (code ?? name) };
    } finally {
      clear();
      traffic?.ended();
    }
  }
}

/** The delay that a `Retry-After` header requires: a number of seconds, or a date. */
function retryDelay(header: string | string[] | undefined, now: number): { retryAfterMs?: number } {
  if (typeof header !== "string") return {};
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? { retryAfterMs: ms } : {};
}
