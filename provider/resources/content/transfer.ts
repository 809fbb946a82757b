import type { Readable } from "node:stream";
import { hide } from "../../../api";
import { CloudInfraError, LostResponseError } from "../../client/errors";
import { DispatchFailure } from "../../client/interceptors/dispatch";
import type { Host } from "../../engine/host";
import { poll } from "../../engine/wait";

/** A transfer to or from a pre-signed URL. Messages never contain the URL, because everyone who knows it can use it. */
export interface Transfer {
  /** Name of the transfer for messages. */
  what: string;
  method: "PUT" | "DELETE";
  /** Returns the URL. Called for each attempt, because pre-signed URLs expire. */
  url: () => Promise<string>;
  headers?: Record<string, string>;
  /** Returns the data from its beginning. Called for each attempt. */
  body?: () => Readable;
  /** Whether the service accepts the data only once. An attempt that may have succeeded is then not retried. */
  once?: true;
}

export class TransferError extends CloudInfraError {
  override readonly name = "TransferError";
  readonly reason: string;

  constructor(
    what: string,
    reason: string,
    /** HTTP status of the response; undefined if there was no response. */
    readonly status: number | undefined,
    /** Whether the data may have arrived although the transfer failed. */
    readonly isInDoubt: boolean,
    readonly timedOut = false,
  ) {
    super(`${what}: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Converts the error of an upload that may have succeeded to the error for a lost response, so that the retry policy
 * for lost responses applies to both.
 */
export const asLost = (operation: string, error: unknown): unknown =>
  error instanceof TransferError && error.isInDoubt
    ? new LostResponseError(operation, error.reason, error, error.timedOut)
    : error;

/** Milliseconds for which temporary failures are retried. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Transfers the data. Temporary failures are retried from the beginning. Returns the headers of the response. */
export async function transfer(host: Host, order: Transfer): Promise<Headers> {
  const until = Math.min(host.now() + DEFAULT_TIMEOUT_MS, host.deadline);
  let earlier: TransferError | undefined;
  const outcome = await poll({
    host,
    what: order.what,
    async get(): Promise<{ headers: Headers } | Failed> {
      const outcome = await attempt(host, order).catch((error: Error) => {
        throw earlier ? inDoubtAfter(order.what, earlier, error) : error;
      });
      if (!("error" in outcome)) return outcome;
      const failed =
        earlier && !outcome.error.isInDoubt ? inDoubtAfter(order.what, earlier, outcome.error) : outcome.error;
      if (failed.isInDoubt) earlier = failed;
      return { ...outcome, error: failed };
    },
    unmet: (outcome) =>
      "headers" in outcome || !passes(outcome, order) || host.now() >= until ? undefined : outcome.error.message,
  }).catch((error: Error) => {
    // A wait that ends between two attempts does not change that an earlier one may have succeeded.
    throw earlier && !(error instanceof TransferError) ? inDoubtAfter(order.what, earlier, error) : error;
  });
  if ("error" in outcome) throw outcome.error;
  return outcome.headers;
}

/** The error of a retry after an attempt that may have succeeded, so the transfer may have succeeded too. */
function inDoubtAfter(what: string, { reason }: TransferError, error: Error): TransferError {
  const status = error instanceof TransferError ? error.status : undefined;
  const why = error instanceof TransferError ? error.reason : error.message;
  return new TransferError(what, `${reason}; the retry failed: ${why}`, status, true);
}

type Headers = Record<string, string | string[] | undefined>;

interface Failed {
  error: TransferError;
  /** Code of the error if there was no response. */
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
    const response = await host.data({ what, method, url: new URL(to), secret: true, headers, body: bytes });
    if (response.status < 300) return { headers: response.headers };
    const reason = shown(`${response.status} ${reasonIn(response.text)}`.trim());
    return { error: new TransferError(what, reason, response.status, response.status >= 500) };
  } catch (error) {
    if (!(error instanceof DispatchFailure)) throw error;
    const { code } = (error.cause ?? {}) as { code?: unknown };
    const timedOut = error.kind === "deadline";
    const reason = timedOut ? `timed out ${error.message}` : shown(error.message || String(code));
    return { error: new TransferError(what, reason, undefined, error.sent, timedOut), code };
  } finally {
    bytes?.destroy();
  }
}

/** Whether a failure is temporary, so that a retry may succeed. */
function passes({ error: { status }, code }: Failed, { once }: Transfer): boolean {
  // Data that the service accepts only once is sent again only if none of it was accepted: after a rate limit error, or
  // if there was no connection.
  if (once) return status === 429 || code === "ECONNREFUSED";
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  // A retry is useless if the file was changed or deleted after it was opened.
  return !/CONTENT_LENGTH|^E(NOENT|ACCES|ISDIR)$/.test(String(code));
}

/**
 * The reason in an error response, which is XML of the S3 protocol or JSON of the service. Empty for any other text,
 * which could contain secrets.
 */
function reasonIn(text: string): string {
  const part = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  if (text.includes("<Error>")) return [part("Code"), part("Message")].filter(Boolean).join(": ");
  return [...text.matchAll(/"reason":\s*"([^"]*)"/g)].map(([, reason]) => reason).join("; ");
}
