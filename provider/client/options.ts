/** The client's public types, without the contract's schemas, so that they compile fast. */

/** The destination of log lines. A level that is missing costs nothing. `console` and Pulumi's `log` are compatible. */
export interface Log {
  /** Requests and responses, with secrets redacted. */
  debug?(message: string): unknown;
  /** One line per call. */
  info?(message: string): unknown;
  /** Retries and delays, with the reason. */
  warn?(message: string): unknown;
}

/** Options of a call. */
export interface CallOptions {
  /** Cancels the call when it is aborted. */
  signal?: AbortSignal | undefined;
  /** When to stop trying: a date, or milliseconds by this machine's clock. */
  deadline?: Date | number | undefined;
  /** Milliseconds after which to stop trying. If `deadline` is set as well, the earlier one applies. */
  timeoutMs?: number | undefined;
}

/** One attempt of a call, as it is sent: without the token, and with secrets redacted. */
export interface SentRequest {
  /** Area and operation, e.g. `volumes.create`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Omitted if the operation does not have one. For bytes, only their number. */
  readonly body?: unknown;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** The outcome of one attempt of a call, with secrets redacted. */
export interface ReceivedResponse {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly ms: number;
  /** Omitted if the response is incomplete or missing. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the response. For anything but JSON, only the number of bytes. */
  readonly body?: unknown;
  /** The reason why the response is incomplete or missing. */
  readonly error?: Error;
}

/** Called for every attempt. Exceptions in a hook become a warning of the process. */
export interface Hooks {
  request?(sent: SentRequest): unknown;
  response?(received: ReceivedResponse): unknown;
}

/** How calls are retried. */
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
   * Address of the API with its version, such as `https://host/v4`. Defaults to the environment variable
   * `CLOUDINFRA_URL`.
   */
  url?: string | undefined;
  /** Name of the caller, which is added to the user agent. */
  userAgent?: string | undefined;
  /** Timeout of a call including retries, in milliseconds. Defaults to ten minutes. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Maximum number of requests per second. The rate limits of the service always apply. */
  rateLimit?: { perSecond?: number } | undefined;
  hooks?: Hooks | undefined;
  log?: Log | undefined;
}

/** A page of a list. */
export interface Page<Entry> {
  data: Entry[];
  /** Number of this page. */
  page: number;
  /** Number of pages. */
  pages: number;
  /** Number of entries on all pages. */
  results: number;
}

/** A list without required inputs. Calling it returns one page. */
export interface List<Input, Entry> {
  (input?: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Returns every entry, page by page. If you stop early, the remaining pages are not requested. */
  all(input?: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Returns the list page by page. */
  pages(input?: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** A list with required inputs, such as the id of its parent. Calling it returns one page. */
export interface ListOf<Input, Entry> {
  (input: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Returns every entry, page by page. If you stop early, the remaining pages are not requested. */
  all(input: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Returns the list page by page. */
  pages(input: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** The filter of a list: values or comparisons of fields, and how to combine them. */
export type FilterOn<Fields> = { readonly [F in keyof Fields]?: Fields[F] | Comparison<Fields[F]> | undefined } & {
  /** All of these conditions must hold. */
  readonly "+and"?: readonly FilterOn<Fields>[] | undefined;
  /** At least one of these conditions must hold. */
  readonly "+or"?: readonly FilterOn<Fields>[] | undefined;
  /** Field to sort the entries by. Defaults to `id`. */
  readonly "+order_by"?: keyof Fields | "id" | undefined;
  readonly "+order"?: "asc" | "desc" | undefined;
};

/** A comparison with a field's value. */
export interface Comparison<Value> {
  readonly "+neq"?: Value | undefined;
  readonly "+gt"?: Value | undefined;
  readonly "+gte"?: Value | undefined;
  readonly "+lt"?: Value | undefined;
  readonly "+lte"?: Value | undefined;
  /** A substring of the value. */
  readonly "+contains"?: string | undefined;
}
