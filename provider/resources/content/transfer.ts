import type { Readable } from "node:stream";
import { hide } from "../../../api";
import { CloudInfraError, LostAnswerError } from "../../client/errors";
import { DispatchFailure } from "../../client/interceptors/dispatch";
import type { Host } from "../../engine/host";
import { poll } from "../../engine/wait";

/** A transfer to or from a pre-signed URL, which messages never show, because anyone who has it can use it. */
export interface Transfer {
  /** Name for messages. */
  what: string;
  method: "PUT" | "DELETE";
  /** The URL, requested again for each attempt, because such URLs expire. */
  url: () => Promise<string>;
  headers?: Record<string, string>;
  /** The data, from its beginning for each attempt. */
  body?: () => Readable;
  /** The service accepts it once: an attempt that may have been carried out is not retried. */
  once?: true;
}

/** The data could not be transferred. */
export class TransferError extends CloudInfraError {
  override readonly name = "TransferError";
  readonly why: string;

  constructor(
    what: string,
    why: string,
    /** The response; undefined if there was none. */
    readonly status: number | undefined,
    /** Whether the data has arrived is unknown. */
    readonly isInDoubt: boolean,
    readonly timedOut = false,
  ) {
    super(`${what}: ${why}`);
    this.why = why;
  }
}

/** Returns a failed upload whose outcome is unknown as a lost response, so that it is handled like one of an API call. */
export const asLost = (operation: string, error: unknown): unknown =>
  error instanceof TransferError && error.isInDoubt
    ? new LostAnswerError(operation, error.why, error, error.timedOut)
    : error;

/** How long failures of the service or the network are retried. */
const PATIENCE_MS = 60_000;

/** Sends the data and returns the headers of the response. Temporary failures are retried from the beginning. */
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
  /** The error's code if there is no response. */
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

/** Whether a retry may succeed. */
function passes({ error: { status }, code }: Failed, { once }: Transfer): boolean {
  // Nothing listens at the address, so the request was not sent.
  if (once) return status === 429 || code === "ECONNREFUSED";
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  // The size of the file has changed since it was read, or the file was deleted.
  return !/CONTENT_LENGTH|^E(NOENT|ACCES|ISDIR)$/.test(String(code));
}

/** The reason in an error response: XML of the S3 protocol or JSON of the service. Nothing else is shown. */
function reasonIn(text: string): string {
  const part = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  if (text.includes("<Error>")) return [part("Code"), part("Message")].filter(Boolean).join(": ");
  return [...text.matchAll(/"reason":\s*"([^"]*)"/g)].map(([, reason]) => reason).join("; ");
}
