/** The client's public types. They do not depend on the schemas of the API, so that programs compile fast. */

/**
 * The destination of log lines, such as `console` or Pulumi's `log`. If the function for a level is omitted, lines of
 * that level are not created.
 */
export interface Log {
  /** Receives requests and responses, with secrets redacted. */
  debug?(message: string): unknown;
  /** Receives one line per call. */
  info?(message: string): unknown;
  /** Receives retries and delays, with the reason. */
  warn?(message: string): unknown;
}

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call when the signal is aborted. */
  signal?: AbortSignal | undefined;
  /** Time at which to stop trying: a date, or milliseconds since 1970. */
  deadline?: Date | number | undefined;
  /** Milliseconds after which to stop trying. If `deadline` is also set, the earlier of the two applies. */
  timeoutMs?: number | undefined;
}

/** The request of one attempt, without the token and with secrets redacted. */
export interface SentRequest {
  /** Area and name of the operation, such as `volumes.create`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request; for bytes, only their number. Omitted if the operation has no body. */
  readonly body?: unknown;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** The result of one attempt, with secrets redacted. */
export interface ReceivedResponse {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly ms: number;
  /** HTTP status. Omitted if the response is incomplete or missing. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the response. If it is not JSON, only the number of bytes. */
  readonly body?: unknown;
  /** The reason why the response is incomplete or missing. Omitted otherwise. */
  readonly error?: Error;
}

/**
 * Functions that are called for every attempt of a call. If one throws, the error is reported as a Node.js process
 * warning.
 */
export interface Hooks {
  request?(sent: SentRequest): unknown;
  response?(received: ReceivedResponse): unknown;
}

/** How failed calls are retried. */
export interface RetryOptions {
  /** Maximum number of retries after failures of the service or the network. Defaults to 4. */
  max?: number;
  /** First delay between retries in milliseconds. Doubles with each retry. Defaults to 500. */
  firstMs?: number;
  /** Maximum delay between retries in milliseconds. Defaults to 10,000. */
  longestMs?: number;
  /** Timeout of one attempt in milliseconds. Defaults to 60,000. */
  attemptMs?: number;
}

export interface CloudInfraOptions {
  /** Access token. Defaults to the environment variable `CLOUDINFRA_TOKEN`. */
  token?: string | undefined;
  /**
   * Base URL of the API with the version, such as `https://host/v4`. Defaults to the environment variable
   * `CLOUDINFRA_URL`.
   */
  url?: string | undefined;
  /**
   * The public service at the address, if its names differ from those of this client: `linode` for the Linode API, whose
   * address is then the default. Defaults to the environment variable `CLOUDINFRA_DIALECT`.
   */
  dialect?: "linode" | undefined;
  /** Name of the program that uses the client. Added to the header `User-Agent`. */
  userAgent?: string | undefined;
  /** Timeout of a call including its retries, in milliseconds. Defaults to 600,000 (ten minutes). */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Maximum number of requests per second, in addition to the service's own rate limits. Defaults to no limit. */
  rateLimit?: { perSecond?: number } | undefined;
  hooks?: Hooks | undefined;
  log?: Log | undefined;
}

/** One page of a list. */
export interface Page<Entry> {
  data: Entry[];
  /** Number of this page. */
  page: number;
  /** Number of pages of the list. */
  pages: number;
  /** Number of entries on all pages of the list. */
  results: number;
}

/** A list operation without required inputs. Calling the function returns one page. */
export interface List<Input, Entry> {
  (input?: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Yields every entry of the list. Pages are requested as needed. */
  all(input?: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Yields the list page by page. */
  pages(input?: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** A list operation with required inputs, such as the id of the parent. Calling the function returns one page. */
export interface ListOf<Input, Entry> {
  (input: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Yields every entry of the list. Pages are requested as needed. */
  all(input: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Yields the list page by page. */
  pages(input: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** The filter of a list: values or comparisons by field, and how they are combined. */
export type FilterOn<Fields> = { readonly [F in keyof Fields]?: Fields[F] | Comparison<Fields[F]> | undefined } & {
  /** Conditions that must all be met. */
  readonly "+and"?: readonly FilterOn<Fields>[] | undefined;
  /** Conditions of which at least one must be met. */
  readonly "+or"?: readonly FilterOn<Fields>[] | undefined;
  /** Field by which the entries are sorted. Defaults to `id`. */
  readonly "+order_by"?: keyof Fields | "id" | undefined;
  readonly "+order"?: "asc" | "desc" | undefined;
};

/** A comparison of a field's value. */
export interface Comparison<Value> {
  readonly "+neq"?: Value | undefined;
  readonly "+gt"?: Value | undefined;
  readonly "+gte"?: Value | undefined;
  readonly "+lt"?: Value | undefined;
  readonly "+lte"?: Value | undefined;
  /** Text that the value must contain. */
  readonly "+contains"?: string | undefined;
}
