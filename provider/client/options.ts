/** The client's public types, without the contract's schemas, so that they compile fast. */

/** Where lines go; a level that is absent costs nothing. `console` and Pulumi's `log` fit. */
export interface Log {
  /** Requests and responses, without secrets. */
  debug?(message: string): unknown;
  /** One line a call. */
  info?(message: string): unknown;
  /** Retries and delays, with the reason. */
  warn?(message: string): unknown;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborting it gives the call up. */
  signal?: AbortSignal | undefined;
  /** When to stop trying: a date, or milliseconds by this machine's clock. */
  deadline?: Date | number | undefined;
  /** After how many milliseconds to stop trying; of this and `deadline`, the earlier counts. */
  timeoutMs?: number | undefined;
}

/** One attempt of a call, as it goes out: without the token, and with secrets blanked out. */
export interface SentRequest {
  /** Area and operation, e.g. `volumes.create`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Omitted if the operation does not have one. For bytes, only their number. */
  readonly body?: unknown;
  /** 1, and one more each time that the call is repeated. */
  readonly attempt: number;
}

/** How one attempt of a call ended; secrets are blanked out. */
export interface ReceivedResponse {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  /** From the first byte out to the last byte in. */
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

/** How patiently calls are repeated. */
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

/** A list of which nothing has to be named: the call itself reads one page of it. */
export interface List<Input, Entry> {
  (input?: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Every entry, page after page; stopping early spares the pages that follow. */
  all(input?: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Page after page. */
  pages(input?: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** A list within something that has to be named: the call itself reads one page of it. */
export interface ListOf<Input, Entry> {
  (input: Input, options?: CallOptions): Promise<Page<Entry>>;
  /** Every entry, page after page; stopping early spares the pages that follow. */
  all(input: Input, options?: CallOptions): AsyncIterable<Entry>;
  /** Page after page. */
  pages(input: Input, options?: CallOptions): AsyncIterable<Page<Entry>>;
}

/** The filter of a list: values or comparisons of fields, and how to combine them. */
export type FilterOn<Fields> = { readonly [F in keyof Fields]?: Fields[F] | Comparison<Fields[F]> | undefined } & {
  /** All of these hold. */
  readonly "+and"?: readonly FilterOn<Fields>[] | undefined;
  /** One of these holds. */
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
  /** A part of the text. */
  readonly "+contains"?: string | undefined;
}
