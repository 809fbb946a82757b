import { fieldsOf, HIDDEN, hide, metaOf, ownProperty, queryOf } from "../../api";
import { TextCache } from "../core/text-cache";
import { isDataPath } from "./data-prefixes";
import { type Incoming, type Logged, split } from "./messages";
import type { Match } from "./routes";

/** When a request arrived, in milliseconds since 1970 by the machine's clock, and its duration after it has ended. */
export interface RequestTimes {
  at: number;
  ms: number | null;
}

/** Called when a request arrives, and again when it has ended. */
export type LogWatcher = (entry: Logged) => void;

interface LoggedRequest extends Pick<Logged, "method" | "path"> {
  query: URLSearchParams;
  headers: Incoming["headers"];
}

type Arrived = Pick<Logged, "n" | "method" | "path" | "query" | "headers" | "operation">;

/**
 * An entry of the log. Its times are private, because equal requests have equal entries if the emulator has a seed. A
 * `WeakMap` of times would take several times as long.
 */
class Entry implements Logged {
  n: number;
  method: string;
  path: string;
  query: Logged["query"];
  headers: Logged["headers"];
  body: unknown = null;
  operation: string | null;
  username: string | null = null;
  token: string | null = null;
  fault: string | null = null;
  errors: Logged["errors"] = null;
  status: number | null = null;
  readonly #times: RequestTimes = { at: Date.now(), ms: null };

  constructor({ n, method, path, query, headers, operation }: Arrived) {
    this.n = n;
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.operation = operation;
  }

  static timesOf(entry: Logged): RequestTimes {
    return #times in entry ? entry.#times : { at: 0, ms: null };
  }
}

const isSecret = (header: string): boolean => /authorization|cookie|token|secret|key/.test(header);

/** Whether a header is secret, by its name. Most requests have the same headers. */
const secretHeaders = new TextCache<boolean>();

/** Maximum number of entries, so that an emulator that runs for days does not exhaust the memory. */
const MAX_ENTRIES = 5000;

/** The latest requests, and the number of all requests. */
export class RequestLog {
  #entries: Logged[] = [];
  #counts = new Map<string, number>();
  #n = 0;
  readonly watchers = new Set<LogWatcher>();
  /** How many times the log was cleared. Numbers of requests start again each time. */
  clears = 0;

  begin(request: LoggedRequest, match: Match): Logged {
    const { method } = request;
    const route = match && "route" in match ? match.route : undefined;
    const path = withoutSecrets(request.path, match);
    const headers: Logged["headers"] = {};
    for (const name in request.headers)
      if (!secretHeaders.get(name, isSecret)) headers[name] = String(request.headers[name]);
    const query: Logged["query"] = {};
    if (request.query.size > 0) {
      const isShown = shownParameters(match);
      for (const [name, value] of request.query) query[name] = isShown(name) ? value : HIDDEN;
    }
    const operation = route?.name ?? null;
    const entry = new Entry({ n: ++this.#n, method, path, query, headers, operation });
    this.#entries.push(entry);
    if (this.#entries.length > 2 * MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    const name = operation ?? "unknown";
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    for (const watch of this.watchers) watch(entry);
    return entry;
  }

  /** Reports that the response to a request was sent, or that its connection was closed. */
  end(entry: Logged, ms: number): void {
    this.timesOf(entry).ms = ms;
    for (const watch of this.watchers) watch(entry);
  }

  timesOf(entry: Logged): RequestTimes {
    return Entry.timesOf(entry);
  }

  /** The request with this number; undefined if it is not in the log any more. */
  find(n: number): Logged | undefined {
    return this.#entries[n - (this.#entries[0]?.n ?? 1)];
  }

  list(): readonly Logged[] {
    return this.#entries.slice(-MAX_ENTRIES);
  }

  /** Number of requests by operation, such as `{ "volumes.create": 2 }`. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort());
  }

  clear(): void {
    this.clears++;
    this.#entries = [];
    this.#counts.clear();
    this.#n = 0;
  }
}

/** A part of a path that is long enough for a token, with any of its characters escaped. */
const tokenLike = /(?<=\/)(?:[\w-]|%[0-9a-f]{2}){32,}(?=\/|$)/gi;

/**
 * The path with secret parameters replaced, such as the token that accepts a service transfer. In an unknown path,
 * everything that may be a token is replaced, but not in that of an upload or download, which can contain long names.
 */
function withoutSecrets(path: string, match: Match): string {
  if (!match) return isDataPath(path) ? path : path.replaceAll(tokenLike, HIDDEN);
  const { params } = ("route" in match ? match.route : match.others[0]).operation;
  if (!params) return path;
  const secrets = Object.entries(match.values).filter(([name]) => params[name] && metaOf(params[name]).secret);
  return hide(
    path,
    secrets.map(([, value]) => value),
  );
}

/**
 * Returns whether the value of a query parameter is shown. Values of parameters that the operation does not declare are
 * not, because they may be signatures, or tokens by mistake.
 */
function shownParameters(match: Match): (name: string) => boolean {
  const declared = match && "route" in match ? fieldsOf(queryOf(match.route.operation)) : {};
  return (name) => {
    const field = ownProperty(declared, name);
    return field !== undefined && !metaOf(field).secret;
  };
}

/** The path and query of a request as received, with secrets replaced. */
export function urlWithoutSecrets(url: string, match: Match): string {
  const { path, search } = split(url);
  const isShown = shownParameters(match);
  const pairs = search.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(`&${pair}`).keys();
    return pair.includes("=") && !isShown(name) ? pair.replace(/=.*/s, `=${HIDDEN}`) : pair;
  });
  return `${withoutSecrets(path, match)}${url.includes("?") ? "?" : ""}${pairs.join("&")}`;
}
