import { expect } from "vitest";
import type { FaultSpec } from "../../emulator";
import type { Kind } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import { isNightly } from "../nightly";
import { type AnyEdit, changeIn, editsOf, inputsAround, type Scenario } from "./scenario";

/** An API call in which a test injects a fault, for example the second `volumes.view` of a command. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  operation: string;
  nth: number;
}

const changes = ["POST", "PUT", "DELETE"] as const;

/**
 * The faults to inject, each with the HTTP methods of the calls in which it is tested. The client retries GET requests
 * after every fault in the same way, so only some faults are tested with GET.
 */
const faults: Record<
  string,
  {
    fault: Pick<FaultSpec, "kind"> & Partial<FaultSpec>;
    only?: readonly Call["method"][];
    /** The operations to which the fault applies. Defaults to all. */
    operations?: RegExp;
  }
> = {
  "is cut off before it is carried out": { fault: { kind: "cut-before" }, only: changes },
  "is carried out and its response lost": { fault: { kind: "cut-after" }, only: changes },
  // Only creates: no client can prevent that a volume is detached late, after it was attached again.
  "is carried out 3 seconds after its response was lost": {
    fault: { kind: "cut-late", delay: 3000 },
    only: ["POST"],
    operations: /\.(create|add|allocate|upload|clone|snapshot)$/,
  },
  "is not found at first": { fault: { kind: "status", status: 404 }, only: ["GET"] },
  "is carried out and its response truncated": { fault: { kind: "cut-mid" } },
  "fails with 500": { fault: { kind: "status", status: 500 } },
  "exceeds the rate limit: 429": { fault: { kind: "status", status: 429, retryAfter: 7 }, only: changes },
  "finds the instance busy, twice": { fault: { kind: "busy", times: 2 }, only: changes },
  "starts a job that fails": { fault: { kind: "job-fail" }, only: ["POST"] },
  "starts a job that never ends": { fault: { kind: "job-stall" }, only: ["POST", "PUT"] },
};

export interface FaultCase {
  name: string;
  fault: FaultSpec;
}

export const faultCases = (calls: readonly Call[]): FaultCase[] =>
  calls.flatMap(({ method, operation, nth }) =>
    Object.entries(faults)
      .filter(([, { only, operations }]) => (!only || only.includes(method)) && (operations?.test(operation) ?? true))
      .map(([what, { fault }]) => ({
        name: `${operation}${nth > 1 ? ` (${nth})` : ""} ${what}`,
        fault: { ...fault, path: operation, nth },
      })),
  );

/**
 * The successful API calls of the current Pulumi command. Of several calls of the same operation, only the first and
 * the last are returned, to limit the number of test cases.
 */
export function callsOf({ emulator }: Scenario): Call[] {
  const counts = new Map<string, number>();
  const calls = emulator.requests.list().flatMap(({ method, operation, status }) => {
    if (!operation) return [];
    const nth = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, nth);
    return status === 200 ? [{ method: method as Call["method"], operation, nth }] : [];
  });
  return calls.filter(({ operation, nth }) => nth === 1 || nth === counts.get(operation));
}

/**
 * The position of each request of the current Pulumi command that follows one that has changed something, such as 3 if
 * the second one has.
 */
export function requestsAfterChanges({ emulator }: Pick<Scenario, "emulator">): number[] {
  const requests = emulator.requests.list();
  return requests.flatMap(({ method, status }, i) =>
    method !== "GET" && status === 200 && i + 1 < requests.length ? [i + 2] : [],
  );
}

/**
 * The edits in the test data that change the object in place, such as a resize. Of edits that the same function of the
 * resource class handles and that have equal `calls` (expected requests), only one is returned.
 */
export function stepsOf({
  fixture,
  kind,
}: Scenario): { step: string; before: Bag; after: Bag; input: string; edit: AnyEdit }[] {
  return Object.keys(kind.steps ?? {}).flatMap((step) => {
    const edits = Object.keys(fixture.changes)
      .flatMap((input) => editsOf(fixture, input).map((edit) => ({ input, edit })))
      .filter(({ input, edit }) => changeIn(kind, input, inputsAround(fixture, input, edit).after) === step);
    const ways = new Map(edits.map((one) => [String(one.edit.calls), one]));
    return [...ways.values()].map(({ input, edit }) => ({ step, input, edit, ...inputsAround(fixture, input, edit) }));
  });
}

/** The error of an operation; undefined if it succeeds. */
export const attempt = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error) => error,
  );

/**
 * Whether `pulumi destroy` leaves the object of this resource class in place, so that there is no delete request in
 * which a fault can be injected.
 */
export function leavesObject(kind: Kind): boolean {
  return kind.delete?.run === "none";
}

/** Expects that nothing was requested, except that a dynamic resource compares the account. */
export const expectOnlyAccount = (calls: readonly Call[]): void =>
  expect(calls.map(({ operation }) => operation).filter((operation) => operation !== "account.view")).toEqual([]);

/**
 * Maximum number of cases per test. Tests of the native plugin set it to 1 by default, because they repeat the tests of
 * dynamic resources; `make check` sets it to 2.
 */
const max = Number(process.env.MOST_CASES ?? Number.POSITIVE_INFINITY);

/** At most `MOST_CASES` cases, evenly distributed over the list. */
export const sampled = <C>(cases: readonly C[]): readonly C[] =>
  cases.length <= max
    ? cases
    : Array.from({ length: max }, (_, i) => cases[Math.floor(((i + 0.5) * cases.length) / max)] as C);

/**
 * The cases for every change: the response of each change is lost, each other fault hits a call, and each call and each
 * way to update meets a fault. `make nightly` tests every fault in every call, and for every change, the random programs
 * of `test/chaos` combine both too. Cases without a `fault` are all returned.
 */
function covering<C extends object>(cases: readonly C[]): readonly C[] {
  const keys = new Map(cases.map((one) => [one, keysOf(one)]));
  const open = new Set([...keys.values()].flat());
  const chosen = new Set(cases.filter((one) => !keys.get(one)?.length));
  const missing = (one: C): number => keys.get(one)?.filter((key) => open.has(key)).length ?? 0;
  while (open.size) {
    const next = cases.reduce((best, one) => (missing(one) > missing(best) ? one : best));
    chosen.add(next);
    for (const key of keys.get(next) ?? []) open.delete(key);
  }
  return cases.filter((one) => chosen.has(one));
}

/** Whether a change seems to fail although it is, or will be, carried out: what could create an object twice or lose it. */
const losesResponse = ({ kind }: Pick<FaultSpec, "kind">): boolean => kind === "cut-after" || kind === "cut-late";

/**
 * The parts of a case, of which each must be covered. An outage begins at a call and lasts: one for every three calls is
 * enough.
 */
function keysOf(one: { fault?: FaultSpec; way?: number }): string[] {
  if (!one.fault) return [];
  const { path, nth = 1, ...fault } = one.fault;
  const ways = one.way === undefined ? [] : [`way ${one.way}`];
  if (path === undefined) return [...ways, `${JSON.stringify(fault)} ${Math.ceil(nth / 3)}`];
  const call = `${path} ${nth}`;
  return [...ways, JSON.stringify(fault), call, ...(losesResponse(fault) ? [`${fault.kind} ${call}`] : [])];
}

/**
 * Runs all cases within one test, because `test.each` requires cases that are known before the run. Reports all failed
 * cases together.
 */
export async function tryEach<C extends { name: string }>(
  cases: readonly C[],
  attempt: (one: C) => Promise<void>,
): Promise<void> {
  expect(cases).not.toEqual([]);
  const failures: Error[] = [];
  for (const one of sampled(isNightly ? cases : covering(cases)))
    await attempt(one).catch((error: Error) => {
      error.message = `${one.name}: ${error.message}`;
      failures.push(error);
    });
  if (failures.length > 1) throw new AggregateError(failures, failures.map(({ message }) => message).join("\n\n"));
  for (const failure of failures) throw failure;
}
