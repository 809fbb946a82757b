import type { Readable } from "node:stream";
import { hide } from "../../../api";
import { CloudInfraError, LostAnswerError } from "../../client/errors";
import { DispatchFailure } from "../../client/interceptors/dispatch";
import type { Host } from "../../engine/host";
import { poll } from "../../engine/wait";

/** Data that go to or from a URL which an operation gave out. The URL is as good as a password: no message has it. */
export interface Transfer {
  /** What messages call it. */
  what: string;
  method: "PUT" | "DELETE";
  /** Where to; asked anew for each attempt, since such URLs run out. */
  url: () => Promise<string>;
  headers?: Record<string, string>;
  /** What is sent, from its beginning for each attempt. */
  body?: () => Readable;
  /** The service takes it once: an attempt that may have been carried out is not repeated. */
  once?: true;
}

/** The data could not be transferred. */
export class TransferError extends CloudInfraError {
  override readonly name = "TransferError";
  readonly why: string;

  constructor(
    what: string,
    why: string,
    /** What was answered; undefined when nothing was. */
    readonly status: number | undefined,
    /** Nothing tells whether the data have arrived. */
    readonly isInDoubt: boolean,
    readonly timedOut = false,
  ) {
    super(`${what}: ${why}`);
    this.why = why;
  }
}

/** The same as of a call: the request may have been carried out. */
export const asLost = (operation: string, error: unknown): unknown =>
  error instanceof TransferError && error.isInDoubt
    ? new LostAnswerError(operation, error.why, error, error.timedOut)
    : error;

/** How long failures of the service or the network are waited out. */
const PATIENCE_MS = 60_000;

/** Sends the data and answers the headers of the answer; what fails for a while is repeated from the beginning, which comes to the same. */
export async function transfer(host: Host, order: Transfer): Promise<Headers> {
  const until = Math.min(host.now() + PATIENCE_MS, host.deadline);
  const outcome = await poll({
    host,
    what: order.what,
    get: () => attempt(host, order),
    missing: (outcome) =>
      "headers" in outcome || !passes(outcome, order) || host.now() >= until ? undefined : outcome.error.message,
  });
  if ("error" in outcome) throw outcome.error;
  return outcome.headers;
}

type Headers = Record<string, string | string[] | undefined>;

interface Failed {
  error: TransferError;
  /** The error's code where nothing was answered. */
  code?: unknown;
}

async function attempt(
  host: Host,
  { what, method, url, headers = {}, body }: Transfer,
): Promise<{ headers: Headers } | Failed> {
  const to = await url();
  const shown = (text: string): string => hide(text, [to]);
  const bytes = body?.();
  try {
    const answer = await host.data({ what, method, url: new URL(to), secret: true, headers, body: bytes });
    if (answer.status < 300) return { headers: answer.headers };
    const why = shown(`${answer.status} ${reasonIn(answer.text)}`.trim());
    return { error: new TransferError(what, why, answer.status, answer.status >= 500) };
  } catch (error) {
    if (!(error instanceof DispatchFailure)) throw error;
    const { code } = (error.cause ?? {}) as { code?: unknown };
    const timedOut = error.kind === "deadline";
    const why = timedOut ? `timed out ${error.message}` : shown(error.message || String(code));
    return { error: new TransferError(what, why, undefined, error.sent, timedOut), code };
  } finally {
    bytes?.destroy();
  }
}

/** Whether the next attempt may fare better. */
function passes({ error: { status }, code }: Failed, { once }: Transfer): boolean {
  // Nothing listens: nothing was sent.
  if (once) return status === 429 || code === "ECONNREFUSED";
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  // The file has become longer or shorter since it was looked at, or is gone.
  return !/CONTENT_LENGTH|^E(NOENT|ACCES|ISDIR)$/.test(String(code));
}

/** The reason in a refusal: the standard protocol's XML or the service's JSON; of anything else nothing is shown. */
function reasonIn(text: string): string {
  const part = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  if (text.includes("<Error>")) return [part("Code"), part("Message")].filter(Boolean).join(": ");
  return [...text.matchAll(/"reason":\s*"([^"]*)"/g)].map(([, reason]) => reason).join("; ");
}
