import { hide, metaOf } from "../../api";
import type { Incoming } from "./messages";
import type { Match } from "./routes";

/** A request that was served, as tests and people look at it: no secret of it is kept. */
export interface Logged {
  n: number;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  /** The operation's name, `volumes.create`; null for unknown paths. */
  operation: string | null;
  /** The owner of the token. */
  username: string | null;
  /** Null while the request is in progress, and if a fault cut the connection before the response. */
  status: number | null;
}

interface Begun extends Pick<Logged, "method" | "path"> {
  query: URLSearchParams;
  headers: Incoming["headers"];
}

/** More would only fill the memory of an emulator that runs for days. */
const KEPT = 5000;

/** The latest requests, and counts of all of them. */
export class RequestLog {
  #entries: Logged[] = [];
  #counts = new Map<string, number>();
  #n = 0;

  begin(request: Begun, match: Match): Logged {
    const { method } = request;
    const route = match && "route" in match ? match.route : undefined;
    const path = withoutSecrets(request.path, match);
    const headers: Logged["headers"] = {};
    for (const name in request.headers)
      if (name !== "authorization" && name !== "cookie") headers[name] = String(request.headers[name]);
    const query: Logged["query"] = {};
    for (const [name, value] of request.query) query[name] = value;
    const operation = route?.name ?? null;
    const entry: Logged = {
      n: ++this.#n,
      method,
      path,
      query,
      headers,
      operation,
      body: null,
      username: null,
      status: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
    const name = operation ?? "unknown";
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return entry;
  }

  list(): readonly Logged[] {
    return this.#entries.slice(-KEPT);
  }

  /** Requests per operation. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort());
  }

  clear(): void {
    this.#entries = [];
    this.#counts.clear();
    this.#n = 0;
  }
}

/** The path without parameters that are secret, such as the token of a transfer. */
function withoutSecrets(path: string, match: Match): string {
  if (!match || !("route" in match)) return path;
  const { params } = match.route.operation;
  if (!params) return path;
  const secrets = Object.entries(match.values).filter(([name]) => params[name] && metaOf(params[name]).secret);
  return hide(
    path,
    secrets.map(([, value]) => value),
  );
}
