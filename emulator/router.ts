import type { Operation, Operations, Rule } from "../api";
import { answer, Defect, filterOf, findLists } from "./answer";
import { authenticate, authorize, type Caller, grantMade } from "./auth";
import type { EventExtra } from "./events";
import { type Fault, Faults } from "./faults";
import type { AreaModule } from "./handlers";
import { Limits } from "./limits";
import { type Logged, RequestLog, redacted } from "./log";
import { type Match, Matcher, type Route } from "./match";
import { bodyOf, pathOf, receive } from "./parse";
import { Random } from "./random";
import { Refusal } from "./refusal";
import type { World } from "./world";

export type { Answer, AreaModule, Call, Handlers, Rules } from "./handlers";
export { listed } from "./handlers";

export interface Incoming {
  method: string;
  /** Path and query, as sent. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array | undefined;
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds to hold the answer back, and where to cut the connection: faults. */
  delay?: number;
  cut?: "before" | "after" | "mid";
}

interface RouterOptions {
  shuffle: boolean;
  rateLimits: boolean;
}

type Handler = (call: object) => unknown;

/** The service: what comes in is a request, what goes out is an answer; no socket is involved. */
export class Router {
  readonly faults: Faults;
  readonly log = new RequestLog();
  readonly limits: Limits;
  readonly #world: World;
  readonly #matcher: Matcher;
  readonly #areas: Readonly<Record<string, AreaModule<never>>>;
  readonly #shuffle: Random | undefined;

  constructor(
    world: World,
    operations: Operations,
    areas: { [A in keyof Operations]?: AreaModule<Operations[A]> },
    options: RouterOptions,
  ) {
    this.#world = world;
    this.faults = new Faults(() => world.jobs.resume());
    this.#areas = areas as Readonly<Record<string, AreaModule<never>>>;
    this.limits = new Limits(world.clock, options.rateLimits);
    this.#shuffle = options.shuffle ? new Random(world.seed) : undefined;
    const routes = Object.entries(operations).flatMap(([area, all]) =>
      Object.entries<Operation>(all).map(
        ([key, operation]): Route => ({ name: `${area}.${key}`, area, key, operation }),
      ),
    );
    findLists(routes);
    this.#matcher = new Matcher(routes);
  }

  async handle(incoming: Incoming): Promise<Outgoing> {
    const { clock, schedule } = this.#world;
    clock.tick();
    const { pathname, query } = split(incoming.url);
    const headers: Record<string, string> = { "x-spec-version": "4.108.1", date: new Date(clock.now()).toUTCString() };
    let match: Match | Refusal;
    try {
      match = this.#matcher.find(incoming.method, pathname);
    } catch (error) {
      match = error as Refusal;
    }
    const route = match && "route" in match ? match.route : undefined;
    const { method } = incoming;
    const logged = this.log.begin(
      { method, path: pathname, query: Object.fromEntries(query), headers: plain(incoming) },
      route,
    );
    const fault = this.faults.hit({ method, path: pathname, route });
    const cut = fault?.kind.startsWith("cut-") ? (fault.kind.slice(4) as "before" | "after" | "mid") : undefined;
    if (cut === "before") return { status: 0, headers, body: "", cut };
    let out: Outgoing;
    try {
      schedule.runDue();
      const body = await this.#answer(match, query, incoming, headers, logged, fault);
      out = { status: 200, headers, body: JSON.stringify(body) };
      if (clock.pace === "instant") schedule.settle();
    } catch (error) {
      out = failure(error, headers, fault);
    }
    if (fault?.kind === "delay") out.delay = fault.delay;
    if (cut) out.cut = cut;
    logged.status = out.status;
    return out;
  }

  async #answer(
    match: Match | Refusal,
    search: URLSearchParams,
    { body: bytes, headers: sent }: Incoming,
    headers: Record<string, string>,
    logged: Logged,
    fault: Fault | undefined,
  ): Promise<unknown> {
    if (match instanceof Refusal) throw match;
    if (!match) throw new Refusal(404, "Not found");
    if ("allow" in match) {
      headers.allow = match.allow.join(", ");
      throw new Refusal(405, `This path answers ${headers.allow} only`);
    }
    const { route, values } = match;
    const { operation } = route;
    this.#takeAllowance(operation, text(sent.authorization), headers);
    if (fault) refuseByFault(fault);
    const caller = authenticate(this.#world, text(sent.authorization), operation);
    logged.username = caller.username;
    headers["x-accepted-oauth-scopes"] = operation.scopes.join(",");
    if (caller.username !== null) headers["x-oauth-scopes"] = caller.scopes === "*" ? "*" : caller.scopes.join(",");
    const path = pathOf(operation, values);
    authorize(this.#world, caller, operation, path);
    const raw = bodyOf(bytes, text(sent["content-type"]));
    logged.body = raw === undefined ? null : redacted(operation.body, raw);
    const area = this.#areas[route.area];
    const rules: readonly Rule<never>[] = area?.rules?.[route.key as never] ?? [];
    const filter = filterOf(route, text(sent["x-filter"]));
    const input = receive({ operation, rules }, { query: search, body: raw }, this.#world);
    const handler = area?.handlers[route.key as never] as Handler | undefined;
    if (!handler) throw new Refusal(501, `${route.name} is not emulated`);
    const result = await this.#call(route, handler, { path, ...input }, caller, fault);
    return answer(route, result, filter, { query: input.query, caller, random: this.#shuffle });
  }

  /** Runs the handler, and holds it to its word: refuse without a trace, or change and tell the history. */
  async #call(
    { name, operation }: Route,
    handler: Handler,
    input: object,
    caller: Caller,
    fault: Fault | undefined,
  ): Promise<unknown> {
    const world = this.#world;
    const { events, jobs } = world;
    const [changes, written] = [world.changes(), events.written];
    events.actor = caller.username;
    jobs.fate = fault?.kind === "job-fail" ? "fail" : fault?.kind === "job-stall" ? "stall" : "finish";
    const emit = (about: Parameters<typeof events.add>[1], extra?: EventExtra): void => {
      if (!operation.event) throw new Defect(`${name} has no event in the contract`);
      events.add(operation.event, about, { username: caller.username, ...extra });
    };
    let result: unknown;
    try {
      result = handler({ ...input, world, caller, emit });
      if (result instanceof Promise) result = await result;
    } catch (error) {
      if (
        error instanceof Refusal &&
        world.changes() !== changes &&
        operation.method !== "GET" &&
        !(result instanceof Promise)
      )
        throw new Defect(`${name} changed the world before it refused: ${error.message}`);
      throw error;
    } finally {
      jobs.fate = "finish";
    }
    if (operation.event && events.written === written)
      throw new Defect(`${name} wrote no event, the contract promises ${operation.event}`);
    if (typeof result === "object" && result !== null) grantMade(world, caller, operation, result);
    return result;
  }

  #takeAllowance(operation: Operation, token: string | undefined, headers: Record<string, string>): void {
    const { limit, remaining, reset, refused, retryAfter } = this.limits.take(token ?? "", operation);
    headers["x-ratelimit-limit"] = String(limit);
    headers["x-ratelimit-remaining"] = String(remaining);
    headers["x-ratelimit-reset"] = String(reset);
    if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
    if (refused) throw refused;
  }
}

/** Faults that stand in for the answer. */
function refuseByFault({ kind, status }: Fault): void {
  if (kind === "status" || kind === "html") throw new Refusal(status, `Injected by a fault: ${status}`);
  if (kind === "busy") throw new Refusal(400, "Compute busy.");
}

function failure(error: unknown, headers: Record<string, string>, fault: Fault | undefined): Outgoing {
  if (fault?.kind === "html") {
    headers["content-type"] = "text/html; charset=utf-8";
    return { status: fault.status, headers, body: `<html><body><h1>${fault.status}</h1></body></html>` };
  }
  if (fault?.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  if (error instanceof Refusal) return { status: error.status, headers, body: errorBody(error.reasons) };
  const what =
    error instanceof Defect
      ? error.message
      : `emulator failed: ${error instanceof Error ? error.stack : String(error)}`;
  return { status: 500, headers, body: errorBody([{ reason: `${what} (please report this)` }]) };
}

export const errorBody = (errors: readonly object[]): string => JSON.stringify({ errors });

const text = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const plain = ({ headers }: Incoming): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function split(url: string): { pathname: string; query: URLSearchParams } {
  const at = url.indexOf("?");
  return at < 0
    ? { pathname: url, query: new URLSearchParams() }
    : { pathname: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}
