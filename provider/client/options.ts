/** What programs see of the client; nothing here leads to the contract's schemas, so that it costs a compiler little. */

/** Where lines go; a level that is absent costs nothing. `console` and Pulumi's `log` fit. */
export interface Log {
  /** What was sent and answered, without secrets. */
  debug?(message: string): unknown;
  /** One line a call. */
  info?(message: string): unknown;
  /** What did not go at once, and why. */
  warn?(message: string): unknown;
}

/** What a caller may say beside the input of an operation. */
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
  /** Absent where the operation takes none; bytes are told by their number only. */
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
  /** Absent where no whole answer came. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer holds; of what is no JSON, the number of bytes only. */
  readonly body?: unknown;
  /** Why no whole answer came. */
  readonly error?: Error;
}

/** Are told of every attempt. They only watch: what they throw becomes a warning of the process. */
export interface Hooks {
  request?(sent: SentRequest): unknown;
  response?(received: ReceivedResponse): unknown;
}

/** How patiently calls are repeated. */
export interface RetryOptions {
  /** How often a call is repeated after failures of the service or the network; 4 unless stated. */
  max?: number;
  /** The first pause in milliseconds, doubled each time; 500 unless stated. */
  firstMs?: number;
  /** The longest pause in milliseconds; 10,000 unless stated. */
  longestMs?: number;
  /** How long one attempt may take in milliseconds; 60,000 unless stated. */
  attemptMs?: number;
}

export interface CloudInfraOptions {
  /** Access token; the environment's `CLOUDINFRA_TOKEN` unless stated. */
  token?: string | undefined;
  /** The API's address up to its version, like `https://host/v4`; the environment's `CLOUDINFRA_URL` unless stated. */
  url?: string | undefined;
  /** Who uses the client; added to its own user agent. */
  userAgent?: string | undefined;
  /** How long each call is tried, in milliseconds; ten minutes unless stated. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** A ceiling of your own; the service's limits are learnt from its answers and kept anyway. */
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

/** What a list's entries are chosen by: values that fields must have, comparisons, and how to combine them. */
export type FilterOn<Fields> = { readonly [F in keyof Fields]?: Fields[F] | Comparison<Fields[F]> | undefined } & {
  /** All of these hold. */
  readonly "+and"?: readonly FilterOn<Fields>[] | undefined;
  /** One of these holds. */
  readonly "+or"?: readonly FilterOn<Fields>[] | undefined;
  /** The field that puts the entries in order; `id` unless stated. */
  readonly "+order_by"?: keyof Fields | "id" | undefined;
  readonly "+order"?: "asc" | "desc" | undefined;
};

/** What a field's value is compared with. */
export interface Comparison<Value> {
  readonly "+neq"?: Value | undefined;
  readonly "+gt"?: Value | undefined;
  readonly "+gte"?: Value | undefined;
  readonly "+lt"?: Value | undefined;
  readonly "+lte"?: Value | undefined;
  /** A part of the text. */
  readonly "+contains"?: string | undefined;
}
