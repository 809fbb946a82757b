import { z } from "zod";
import {
  contentTypeOf,
  fieldsOf,
  fullPath,
  HIDDEN,
  namedOperations,
  type Operation,
  type Operations,
  pathNames,
  queryOf,
  type Rule,
  redact,
  VERSION,
  type Viewed,
  viewsOf,
} from "../../api";
import { ErrorResponse, notFound, Reasons } from "../core/error-response";
import { cuts, type Fault, Faults } from "../core/faults";
import { Random } from "../core/random";
import type { World } from "../core/world";
import { authenticate, type Caller, holderOf, requireGrants, requireScopes, tokenOf } from "./auth";
import { type AnyHandler, call } from "./call";
import { dataPrefixes } from "./data-prefixes";
import { html, rejectByFault } from "./fault-responses";
import type { ServedArea } from "./handlers";
import { Limits } from "./limits";
import { failure, first, type Incoming, type Logged, type Outgoing, split } from "./messages";
import { bodyOf, pathOf, receive } from "./parse";
import { hasReadOnly, withoutReadOnly, withoutResultFields } from "./read-only-fields";
import { RequestLog, urlWithoutSecrets } from "./request-log";
import { filterOf, findLists, responseBody } from "./response";
import { type Match, type Route, Routes } from "./routes";
import { contractVocabulary, type Vocabulary } from "./vocabulary";

interface RouterOptions {
  shuffle: boolean;
  rateLimits: boolean;
  /** The names that paths, bodies, filters and errors have. If omitted, those of the contract. */
  vocabulary?: Vocabulary;
}

/** The state of a request while it is handled. */
interface Passage extends Incoming {
  match: Match;
  /** `search` is the query string as received, and `query` the parsed query. */
  search: string;
  query: URLSearchParams;
  fault: Fault | undefined;
  logged: Logged;
  out: Record<string, string>;
}

interface Tables {
  routes: Routes;
  views: ReadonlyMap<Operation, Viewed<Route>>;
}

/**
 * Lookup tables, such as the routes, for each set of operations and each dialect. All emulators of a process share
 * them, because they depend on nothing else.
 */
const tables = new WeakMap<Operations, Map<Vocabulary, Tables>>();

function tablesOf(operations: Operations, vocabulary: Vocabulary): Tables {
  const ofDialects = tables.get(operations) ?? new Map<Vocabulary, Tables>();
  const cached = ofDialects.get(vocabulary);
  if (cached) return cached;
  const all = namedOperations(operations);
  findLists(all);
  const derived = { routes: new Routes(all, vocabulary.path), views: viewsOf(all) };
  tables.set(operations, ofDialects.set(vocabulary, derived));
  return derived;
}

/** Handles requests to the emulated service. Needs no socket, so that tests can call it directly. */
export class Router {
  readonly faults: Faults;
  readonly log = new RequestLog();
  readonly limits: Limits;
  readonly #world: World;
  readonly #routes: Routes;
  readonly #views: ReadonlyMap<Operation, Viewed<Route>>;
  readonly #areas: Readonly<Record<string, ServedArea<Record<string, Operation>>>>;
  readonly #shuffle: Random | undefined;
  readonly #vocabulary: Vocabulary;
  /** Requests that a fault has cut off. They are carried out before the first request after the time `at`. */
  #late: { at: number; incoming: Incoming }[] = [];
  #second = Number.NaN;
  #dateText = "";

  constructor(
    world: World,
    operations: Operations,
    areas: { [A in keyof Operations]: ServedArea<Operations[A]> },
    { shuffle, rateLimits, vocabulary = contractVocabulary }: RouterOptions,
  ) {
    this.#world = world;
    this.#areas = areas as object as Record<string, ServedArea<Record<string, Operation>>>;
    this.faults = new Faults(
      () => world.jobs.resume(),
      namedOperations(operations).map(({ name }) => name),
      dataPrefixes,
    );
    this.limits = new Limits(world.clock, rateLimits);
    this.#shuffle = shuffle ? new Random(world.seed) : undefined;
    this.#vocabulary = vocabulary;
    ({ routes: this.#routes, views: this.#views } = tablesOf(operations, this.#vocabulary));
  }

  handle(incoming: Incoming): Promise<Outgoing> {
    this.#world.clock.tick();
    return this.#late.length > 0 ? this.#carryOutLate().then(() => this.#handle(incoming)) : this.#handle(incoming);
  }

  /** Forgets the requests that a fault has cut off, because they were sent to an account that was replaced. */
  forgetLate(): void {
    this.#late = [];
  }

  async #carryOutLate(): Promise<void> {
    const now = this.#world.clock.now();
    const due = this.#late.filter(({ at }) => at <= now);
    this.#late = this.#late.filter(({ at }) => at > now);
    for (const { incoming } of due) await this.#handle(incoming, { isLate: true });
  }

  async #handle(incoming: Incoming, { isLate = false } = {}): Promise<Outgoing> {
    const { clock, schedule } = this.#world;
    const { method } = incoming;
    const { path, search, query } = split(incoming.url);
    const match = this.#routes.find(method, path);
    const route = match && "route" in match ? match.route : undefined;
    const logged = this.log.begin({ method, path, query, headers: incoming.headers }, match);
    const fault = isLate ? undefined : this.faults.hit({ method, path, operation: route?.name });
    if (fault?.kind === "cut-late") this.#late.push({ at: clock.now() + fault.delay, incoming });
    logged.fault = fault?.kind ?? null;
    const out: Outgoing["headers"] = {
      date: this.#date(clock.now()),
      "x-spec-version": VERSION,
    };
    const { when, cut } = (fault && cuts[fault.kind]) ?? {};
    if (when === "before") {
      this.#logUnread(incoming, route, logged);
      return { status: 0, headers: out, body: "", logged, ...(cut && { cut }) };
    }
    let response: Pick<Outgoing, "status" | "body">;
    try {
      schedule.runDue();
      const { url, headers, body, address } = incoming;
      const passage = { method, url, headers, body, address, match, search, query, fault, logged, out };
      response = { status: 200, body: await this.#respond(passage) };
      const type = route && contentTypeOf(route.operation.result);
      if (clock.pace === "instant") schedule.settle();
      if (type) out["content-type"] = type;
    } catch (error) {
      const { errors, ...failed } = failure(error, (reasons) => this.#vocabulary.reasons(route?.operation, reasons));
      response = failed;
      logged.errors = errors;
      this.#logUnread(incoming, route, logged);
    }
    if (fault?.kind === "html") Object.assign(response, html(fault, out));
    logged.status = response.status;
    const delay = fault?.kind === "delay" ? fault.delay : 0;
    return { ...response, headers: out, delay, logged, ...(cut && { cut }) };
  }

  /**
   * Logs the token and the body of a request that was rejected or cut before they were read. They are read only then, so
   * that other requests take no longer.
   */
  #logUnread({ headers, body: bytes }: Incoming, route: Route | undefined, logged: Logged): void {
    const token = tokenOf(this.#world, first(headers.authorization));
    logged.username ??= token?.username ?? null;
    logged.token ??= token?.label ?? null;
    if (logged.body !== null || !route || !bytes?.length) return;
    logged.body = `[${bytes.length} bytes]`;
    if (bytes.length > MAX_UNREAD) return;
    try {
      const { operation } = route;
      const sent = bodyOf(bytes, first(headers["content-type"]), operation.body);
      logged.body = bodyForLog(operation, this.#vocabulary.body(operation, sent, this.#world, new Reasons()).body);
    } catch {
      // An invalid body is logged by its size. The response has the reason.
    }
  }

  /** The path of an operation with the version, as clients of this emulator write it. */
  pathOf(operation: Operation): string {
    return fullPath({ ...operation, path: this.#vocabulary.path(operation) });
  }

  /** The values of a path's parameters, in the order of the path. */
  pathValues(method: string, path: string): readonly string[] {
    const match = this.#routes.find(method, path);
    return match && "route" in match
      ? pathNames(match.route.operation.path).map((name) => match.values[name] ?? "")
      : [];
  }

  /** The path and query of a request for logs. */
  withoutSecrets(method: string, url: string): string {
    return urlWithoutSecrets(url, this.#routes.find(method, split(url).path));
  }

  /**
   * Handles a request in these steps: rate limits, authentication, grants, validation, the handler, and validation of
   * the response. Throws an `ErrorResponse`.
   */
  async #respond({
    url,
    match,
    search,
    query,
    headers,
    body: bytes,
    address,
    fault,
    logged,
    out,
  }: Passage): Promise<Outgoing["body"]> {
    const [world, vocabulary] = [this.#world, this.#vocabulary];
    if (!match || "allow" in match) throw unserved(match, vocabulary.missing(split(url).path), out);
    const { route, values } = match;
    const { operation } = route;
    const authorization = first(headers.authorization);
    this.#takeAllowance(operation, holderOf(world, authorization, address), out);
    rejectByFault(fault, out);
    const caller = authenticate(world, authorization, operation);
    logged.username = caller.username;
    logged.token = caller.token;
    out["x-accepted-oauth-scopes"] = vocabulary.scopes(operation.scopes.join(","));
    if (caller.username !== null)
      out["x-oauth-scopes"] = caller.scopes === "*" ? "*" : vocabulary.scopes(caller.scopes.join(","));
    requireScopes(caller, operation);
    const path = pathOf(operation, vocabulary.values(operation, values, world));
    requireGrants(world, caller, operation, path);
    const reasons = new Reasons();
    const sent = bodyOf(bytes, first(headers["content-type"]), operation.body);
    const { body, keep } = vocabulary.body(operation, sent, world, reasons);
    logged.body = bodyForLog(operation, body);
    const { handler, rules } = this.#served(route);
    const filter = filterOf(route, vocabulary.filter(operation, first(headers["x-filter"])));
    const origin = `http://${first(headers.host) ?? "localhost"}`;
    const changes = body && (await this.#changes(route, body, { path, address, origin }, caller, reasons));
    const input = receive(
      { operation, rules, query: vocabulary.query(operation) },
      { search, query, body: changes },
      world,
      caller,
      reasons,
    );
    const ending = fault?.kind === "job-fail" ? "fail" : fault?.kind === "job-stall" ? "stall" : "finish";
    const called = call(world, route, handler, { path, ...input, address, origin }, caller, ending);
    const result = called instanceof Promise ? await called : called;
    const context = { world, query: input.query, caller, random: this.#shuffle, named: vocabulary.result };
    return responseBody(route, keep ? keep(result) : result, filter, context);
  }

  /**
   * Finds the handler of an operation. There is no check, because the types guarantee that every operation has a
   * handler.
   */
  #served({ area: name, key }: Route): { handler: AnyHandler; rules: readonly Rule<unknown>[] } {
    const area = this.#areas[name] as ServedArea<Record<string, Operation>>;
    return { handler: area.handlers[key] as AnyHandler, rules: (area.rules?.[key] ?? []) as readonly Rule<unknown>[] };
  }

  /**
   * Removes read-only fields. In an update, the client may only send them back unchanged; in a creation, their values
   * have no effect.
   */
  async #changes(
    { operation, key }: Route,
    body: unknown,
    context: { path: object; address: string; origin: string },
    caller: Caller,
    reasons: Reasons,
  ): Promise<unknown> {
    if (key === "create") return withoutResultFields(operation, body);
    const viewed = this.#views.get(operation);
    if (!viewed || !hasReadOnly(body, viewed.readOnly)) return body;
    const { view, readOnly } = viewed;
    // Reads the current object with the GET operation that has the same path. If that requires query parameters, such
    // as an object's name, their values are taken from the body of the update.
    const query = Object.fromEntries(Object.keys(fieldsOf(queryOf(view.operation))).map((name) => [name, body[name]]));
    // Without them, the update is invalid, and its own check reports that.
    if (!z.safeParse(queryOf(view.operation), query).success) return body;
    const row = await this.#served(view).handler({ ...context, query, world: this.#world, caller });
    const shown = responseBody(view, row, undefined, { world: this.#world, query, caller, random: undefined });
    return withoutReadOnly(body, readOnly, JSON.parse(shown as string), reasons);
  }

  /** Formats the header Date at most once per second. */
  #date(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) [this.#second, this.#dateText] = [second, new Date(now).toUTCString()];
    return this.#dateText;
  }

  #takeAllowance(operation: Operation, holder: string, out: Outgoing["headers"]): void {
    const { limit, remaining, reset, rejection, retryAfter } = this.limits.take(holder, operation);
    out["x-ratelimit-limit"] = String(limit);
    out["x-ratelimit-remaining"] = String(remaining);
    out["x-ratelimit-reset"] = String(reset);
    if (retryAfter !== undefined) out["retry-after"] = String(retryAfter);
    if (rejection) throw rejection;
  }
}

/** Maximum size in bytes of a body that is parsed only for the log. */
const MAX_UNREAD = 64 * 1024;

const bodyForLog = ({ body: schema }: Operation, body: unknown): unknown =>
  body === undefined ? null : schema ? redact(schema, body) : HIDDEN;

/** The error for a path that does not exist, belongs to a product that does not exist, or has other methods. */
function unserved(
  match: Exclude<Match, { route: Route }>,
  product: string | undefined,
  out: Outgoing["headers"],
): Error {
  if (product) return new ErrorResponse(404, `Not found: release ${VERSION} of the API has no ${product}`);
  if (!match) return notFound();
  out.allow = match.allow.join(", ");
  return new ErrorResponse(405, `Method not allowed: this path accepts ${out.allow}`);
}
