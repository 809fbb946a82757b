import { EmulatorBug } from "../core/emulator-bug";
import { ErrorResponse, type Reason } from "../core/error-response";
import type { Cut } from "../core/faults";

export interface Incoming {
  method: string;
  /** Path and query, as sent. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array | undefined;
  address: string;
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /**
   * Set by an injected fault: `delay` is the time in milliseconds before the response is sent, and `cut` where the
   * connection is closed, for example in the middle of the body.
   */
  delay?: number;
  cut?: Cut;
  /** The entry of the request in the request log. */
  logged?: Logged;
}

/** A request in the log, for tests and for people. It contains no secrets. */
export interface Logged {
  n: number;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  /** Name of the operation, such as `volumes.create`; null for unknown paths. */
  operation: string | null;
  /** The owner of the token. */
  username: string | null;
  /** The label of the token. */
  token: string | null;
  /** The kind of the fault that was injected into the request, such as `cut-after`. */
  fault: string | null;
  /** The errors in the response, which quote no secret. Null if there are none. */
  errors: readonly Reason[] | null;
  /** Null while the request is in progress, and if a fault cut the connection before the response. */
  status: number | null;
}

export const errorBody = (errors: readonly Reason[]): string => JSON.stringify({ errors });

/**
 * Converts an error to a response. An `ErrorResponse` is the response of a handler; any other error is a bug of the
 * emulator and becomes a 500.
 */
export function failure(
  error: unknown,
  reasonsOf = (reasons: readonly Reason[]): readonly Reason[] => reasons,
): { status: number; body: string; errors: readonly Reason[] } {
  if (error instanceof ErrorResponse) {
    const errors = reasonsOf(error.reasons);
    return { status: error.status, body: errorBody(errors), errors };
  }
  const what =
    error instanceof EmulatorBug
      ? error.message
      : `emulator failed: ${error instanceof Error ? error.stack : String(error)}`;
  const errors = [{ reason: `${what} (please report this)` }];
  return { status: 500, body: errorBody(errors), errors };
}

export const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

export function split(url: string): { path: string; search: string; query: URLSearchParams } {
  const at = url.indexOf("?");
  if (at < 0) return { path: url, search: "", query: NO_QUERY };
  const search = url.slice(at + 1);
  return { path: url.slice(0, at), search, query: new URLSearchParams(search) };
}

/** The query of most requests. To create one for each request would take longer than the rest of `split`. */
const NO_QUERY = new URLSearchParams();
