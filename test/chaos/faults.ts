import fc from "fast-check";
import type { FaultSpec } from "../../emulator";
import type { Service } from "../../emulator/service";
import type { Passing, Sent } from "./account";

export interface Processes {
  killProvider(): void;
  /**
   * Kills Pulumi's engine: either together `with` the provider process, or `without` it. In the second case, the
   * provider still finishes the calls in progress.
   */
  killEngine(provider: "with" | "without"): void;
  killService(): Promise<void>;
}

interface Effect {
  /** Whether the fault can affect the request. By default, all requests except GET can be affected. */
  on?(request: Sent): boolean;
  /**
   * A fault that the emulator injects, such as status 500 or a lost response. It affects only the chosen request or,
   * with `isWide`, the chosen request and all requests after it until the fault has occurred `times` times.
   */
  http?: Omit<FaultSpec, "path" | "method" | "nth"> & { isWide?: true };
  before?(processes: Processes, service: Service): Promise<void> | void;
  after?(processes: Processes, service: Service): Promise<void> | void;
}

const all = (): boolean => true;
/**
 * Whether the request starts a job that can be made to fail. Jobs for volumes and cluster nodes are excluded, because
 * Pulumi cannot repair their failure: users would have to contact support or recycle the node.
 */
const startsJob = ({ method, path }: Sent): boolean =>
  method === "POST" && /\/(instances|images\/upload)(\/|$)/.test(path) && !/\/ips$/.test(path);

/**
 * Whether the request creates an object: its path ends with a plural. Other requests that are carried out late, such as the
 * detachment of a volume that has been attached again since, have an effect that no client can prevent.
 */
const creates = ({ method, path }: Sent): boolean => method === "POST" && /(s|\/clone|\/upload)$/.test(path);

/** Milliseconds after which a request is carried out whose connection was lost. */
export const LATE_MS = 3000;

export const effects = {
  "cut before it is carried out": { http: { kind: "cut-before" } },
  "response lost": { http: { kind: "cut-after" } },
  "carried out late": { on: creates, http: { kind: "cut-late", delay: LATE_MS } },
  "response truncated": { http: { kind: "cut-mid" } },
  "error 500": { http: { kind: "status", status: 500 } },
  "page of a proxy": { http: { kind: "html", status: 502 } },
  outage: { on: all, http: { kind: "status", status: 503, times: 12, isWide: true } },
  "rate limit": { on: all, http: { kind: "status", status: 429, retryAfter: 7 } },
  busy: { http: { kind: "busy", times: 2 } },
  "stalled request": { http: { kind: "stall-before" } },
  "stalled response": { http: { kind: "stall-after" } },
  "expired token": { on: all, http: { kind: "status", status: 401, times: 4, isWide: true } },
  "failing job": { on: startsJob, http: { kind: "job-fail" } },
  "stalled job": { on: startsJob, http: { kind: "job-stall" } },
  "empty event log": {
    on: all,
    before(_, { world }) {
      for (const { id, ended } of world.events.recent()) if (ended !== null) world.events.table.remove(id);
    },
  },
  "clock jump": { on: all, before: (_, service) => service.advance(3_600_000) },
  "provider killed before": { before: (processes) => processes.killProvider() },
  "provider killed after": { after: (processes) => processes.killProvider() },
  "engine killed": { after: (processes) => processes.killEngine("without") },
  "engine and provider killed before": { before: (processes) => processes.killEngine("with") },
  "engine and provider killed after": { after: (processes) => processes.killEngine("with") },
  "service killed before": { before: (processes) => processes.killService() },
  "service killed after": { after: (processes) => processes.killService() },
} satisfies Record<string, Effect>;

export type FaultName = keyof typeof effects;
export const faultNames = Object.keys(effects) as FaultName[];

/**
 * A fault, and the request that it affects: the `nth` request that the fault can affect during the update with the
 * index `command`.
 */
export interface Fault {
  name: FaultName;
  command: number;
  nth: number;
}

/** One to four faults of any kind. */
export const anyFaults = faultsOf({ names: faultNames, minimum: 1, requests: 12 });

/**
 * Faults after which a request may have been carried out without a response, or after which the update ends. Programs
 * with few resources have two to four of them, because most bugs need two: the second meets what the first has left.
 */
export const interruptions = faultsOf({
  names: faultNames.filter((name) => /killed|expired|outage|lost|late|truncated|cut|stalled response|job/.test(name)),
  minimum: 2,
  requests: 7,
});

function faultsOf({ names, minimum, requests }: { names: readonly FaultName[]; minimum: number; requests: number }) {
  const fault: fc.Arbitrary<Fault> = fc.record({
    name: fc.constantFrom(...names),
    command: fc.nat(4),
    nth: fc.integer({ min: 1, max: requests }),
  });
  return fc.array(fault, { minLength: minimum, maxLength: 4, size: "max" });
}

export const killsService = (faults: readonly Fault[]): boolean =>
  faults.some(({ name }) => name.startsWith("service killed"));

/** Injects faults into the requests of one command, such as an update. */
export class Injection implements Passing {
  readonly #pending: (Fault & { seen: number })[];
  readonly #processes: Processes;
  readonly #hits: (name: FaultName) => void;
  readonly #due = new WeakMap<Sent, Effect[]>();

  constructor(faults: readonly Fault[], processes: Processes, hits: (name: FaultName) => void) {
    this.#pending = faults.map((fault) => ({ ...fault, seen: 0 }));
    this.#processes = processes;
    this.#hits = hits;
  }

  async before(request: Sent, service: Service): Promise<void> {
    const due = this.#dueAt(request);
    this.#due.set(request, due);
    // A kill ends the command, which removes the faults that were added, so a later one would hit the next command.
    for (const { http } of due) {
      if (!http) continue;
      const { isWide, ...fault } = http;
      const target = isWide ? {} : { method: request.method as "GET", path: request.path };
      service.faults.add({ ...fault, ...target });
    }
    for (const effect of due) await effect.before?.(this.#processes, service);
  }

  #dueAt(request: Sent): Effect[] {
    const due: Effect[] = [];
    for (const fault of [...this.#pending]) {
      const effect: Effect = effects[fault.name];
      const { on = ({ method }: Sent) => method !== "GET" } = effect;
      if (!on(request) || ++fault.seen < fault.nth) continue;
      this.#pending.splice(this.#pending.indexOf(fault), 1);
      this.#hits(fault.name);
      due.push(effect);
    }
    return due;
  }

  async after(request: Sent, service: Service): Promise<void> {
    for (const effect of this.#due.get(request) ?? []) await effect.after?.(this.#processes, service);
  }
}
