import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type DialectName, namedOperations, operations, scopes } from "../../api";
import { statusOf } from "../areas/load-balancers/node-balancer-backends";
import type { Pace, StoredTime } from "../core/clock";
import { type Fault, faultKinds } from "../core/faults";
import type { Key, Row } from "../core/store";
import type { Controlled } from "../http/control/action";
import type { Logged } from "../http/messages";
import type { LogWatcher, RequestTimes } from "../http/request-log";
import type { Router } from "../http/router";
import { DEFAULT_TOKEN, type Service } from "../service";
import type { ConsoleObject } from "./kinds";
import { affectedBy, keyOf, objectOf, objectsOf } from "./objects";

/** A request in the console's list. */
export interface RequestSummary
  extends Pick<Logged, "n" | "method" | "path" | "operation" | "username" | "token" | "fault" | "status">,
    RequestTimes {}

/** Everything in the console except objects and requests. */
export interface ConsoleState {
  /** A fixed clock moves only with requests and commands; any other clock is `ahead` of the machine's clock. */
  clock: StoredTime & { pace: Pace };
  /** Number of jobs that have not ended. */
  jobs: number;
  /** Random id of the emulator's process. Another process numbers its requests from 1 again. */
  run: string;
  /** How many times the list of requests was cleared. */
  clears: number;
  faults: readonly Fault[];
  /** The first users and tokens. `totals` is the number of all. */
  users: readonly { name: string; restricted: boolean }[];
  totals: { users: number; tokens: number };
  tokens: readonly { label: string; username: string; scopes: "*" | readonly string[]; expires: number | null }[];
}

/** The token and the dialect with which a program calls the emulator. */
export interface Connection {
  /** The default token. Null for any other, because the console does not show secrets. */
  token: typeof DEFAULT_TOKEN | null;
  dialect: DialectName | null;
}

/** The first message of a stream, with which the console starts or starts again. */
export interface Hello {
  /** Names that forms offer. */
  names: { operations: readonly string[]; scopes: readonly string[]; faults: readonly string[] };
  connection: Connection;
  objects: ConsoleObject[];
  requests: RequestSummary[];
  state: ConsoleState;
}

/** The service that a feed sends changes of. */
export type Observed = Controlled & Pick<Service, "token" | "dialect">;

/** Time in milliseconds within which changes are sent together. */
const PAUSE = 25;
/** Number of earlier requests that a new stream receives. */
const RECENT = 200;
/** Maximum number of users and of tokens that are sent. */
const MAX_LISTED = 100;
/** Bytes that may wait for a slow browser. If there are more, the stream is closed, and the browser connects again. */
const MAX_WAITING = 16 * 1024 * 1024;
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Sends the account, requests and state to open consoles as server-sent events, and the changes as they happen. Without
 * an open console, nothing is observed.
 */
export class Feed {
  readonly #service: Observed;
  readonly #router: Router;
  /** Not from the account's random values, which are the same after each start with a seed. */
  readonly #run = randomUUID();
  readonly #streams = new Set<ServerResponse>();
  readonly #changed = new Set<string>();
  readonly #requests = new Set<Logged>();
  #flush: NodeJS.Timeout | undefined;
  #wake: NodeJS.Timeout | undefined;
  #lastState = "";
  /** The statuses of backends that were sent last, by key. They change with the clock, without a change of a row. */
  #statuses: ReadonlyMap<string, string> = new Map();

  constructor(service: Observed, router: Router) {
    this.#service = service;
    this.#router = router;
  }

  /** Starts a stream to a browser. */
  open(stream: ServerResponse): void {
    if (this.#streams.size === 0) {
      this.#service.world.watchers.add(this.#rowChanged);
      this.#router.log.watchers.add(this.#requestChanged);
    } else this.#send();
    this.#streams.add(stream);
    stream.once("close", () => this.#closed(stream));
    stream.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const { world, requests, token, dialect = null } = this.#service;
    const connection: Connection = { token: token === DEFAULT_TOKEN ? token : null, dialect };
    const state = this.#state();
    this.#lastState = JSON.stringify(state);
    this.#statuses = this.#statusesNow();
    const recent = requests
      .list()
      .slice(-RECENT)
      .map((entry) => this.#summaryOf(entry));
    const hello: Hello = { names, connection, objects: objectsOf(world), requests: recent, state };
    stream.write(message("hello", hello));
    this.#sleep();
  }

  /** Called after each HTTP request, which may have changed the clock, the faults or the request log. */
  touch(): void {
    if (this.#streams.size > 0) this.#flush ??= setTimeout(() => this.#send(), PAUSE).unref();
  }

  close(): void {
    for (const stream of this.#streams) stream.end();
  }

  #closed(stream: ServerResponse): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#service.world.watchers.delete(this.#rowChanged);
    this.#router.log.watchers.delete(this.#requestChanged);
    for (const timer of [this.#flush, this.#wake]) clearTimeout(timer);
    this.#flush = undefined;
    this.#changed.clear();
    this.#requests.clear();
  }

  readonly #rowChanged = (table: string, id: Key, _how: string, before?: Row): void => {
    for (const key of affectedBy(this.#service.world, table, id, before)) this.#changed.add(key);
    this.touch();
  };

  readonly #requestChanged: LogWatcher = (entry) => {
    this.#requests.add(entry);
    this.touch();
  };

  #summaryOf(entry: Logged): RequestSummary {
    const { n, method, path, operation, username, token, fault, status } = entry;
    const times = this.#service.requests.timesOf(entry);
    return { n, method, path, operation, username, token, fault, status, ...times };
  }

  #send(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const messages: string[] = [];
    const statuses = this.#statusesNow();
    for (const [key, status] of statuses) if (this.#statuses.get(key) !== status) this.#changed.add(key);
    this.#statuses = statuses;
    if (this.#changed.size > 0) {
      const [put, removed]: [ConsoleObject[], string[]] = [[], []];
      for (const key of this.#changed) {
        const object = objectOf(this.#service.world, key);
        if (object) put.push(object);
        else removed.push(key);
      }
      messages.push(message("objects", { put, removed }));
    }
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text !== this.#lastState) messages.push(message("state", state));
    this.#lastState = text;
    // Requests that were cleared in the meantime are not sent.
    const logged = [...this.#requests].filter((entry) => this.#service.requests.find(entry.n) === entry);
    if (logged.length > 0)
      messages.push(
        message(
          "requests",
          logged.map((entry) => this.#summaryOf(entry)),
        ),
      );
    this.#requests.clear();
    this.#changed.clear();
    for (const stream of this.#streams) {
      if (messages.length > 0) stream.write(messages.join(""));
      if (stream.writableLength > MAX_WAITING) stream.destroy();
    }
    this.#sleep();
  }

  /**
   * Waits until the next job ends or the next health check runs. Jobs otherwise end when the next request arrives, which
   * the console would not show in time.
   */
  #sleep(): void {
    clearTimeout(this.#wake);
    const { world } = this.#service;
    if ("stands" in world.clock.stored) return;
    const due = Math.min(world.schedule.nextDue() ?? Number.POSITIVE_INFINITY, this.#nextCheck());
    if (due === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(1, due - world.clock.now() + 1), LONGEST_TIMER);
    this.#wake = setTimeout(() => {
      this.#runDue();
      this.#send();
    }, wait).unref();
  }

  /**
   * Ends the jobs that are due. As after a read, changes that cannot be written to the data file are kept: if they were
   * undone, the jobs would be due again at once.
   */
  #runDue(): void {
    try {
      this.#service.world.schedule.runDue();
      this.#service.commit({ isRead: true });
    } catch {
      this.touch();
    }
  }

  #statusesNow(): ReadonlyMap<string, string> {
    const { world } = this.#service;
    const statuses = new Map<string, string>();
    for (const node of world.nodeBalancerNodes.all()) {
      const config = world.nodeBalancerConfigs.find(node.config_id);
      if (config) statuses.set(keyOf("NodeBalancerNode", node.id), statusOf(world, config, node));
    }
    return statuses;
  }

  /** The time of the next health check whose result can differ from the status of its backend. */
  #nextCheck(): number {
    const { world } = this.#service;
    let next = Number.POSITIVE_INFINITY;
    for (const node of world.nodeBalancerNodes.all()) {
      const config = world.nodeBalancerConfigs.find(node.config_id);
      const instance = world.instances.find(world.addresses.find(node.ip)?.compute_id);
      if (!config || config.check === "none" || !instance) continue;
      const expected = instance.status === "running" ? "UP" : "DOWN";
      if (statusOf(world, config, node) === expected) continue;
      const since = Math.max(node.checked_since, config.checks_since);
      const interval = world.clock.takes(config.check_interval);
      const done = Math.max(0, Math.floor((world.clock.now() - since) / interval));
      next = Math.min(next, since + (done + 1) * interval);
    }
    return next;
  }

  #state(): ConsoleState {
    const { world, faults, requests } = this.#service;
    return {
      clock: { ...world.clock.stored, pace: world.clock.pace },
      jobs: world.jobs.table.size,
      run: this.#run,
      clears: requests.clears,
      faults: faults.list(),
      totals: { users: world.users.size, tokens: world.tokens.size },
      users: world.users.slice(0, MAX_LISTED).map(({ id, restricted }) => ({ name: id, restricted })),
      tokens: world.tokens
        .slice(0, MAX_LISTED)
        .map(({ label, username, scopes, expires }) => ({ label, username, scopes, expires })),
    };
  }
}

const names: Hello["names"] = {
  operations: namedOperations(operations).map(({ name }) => name),
  scopes,
  faults: faultKinds,
};

const message = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
