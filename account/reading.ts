import { type ConnectOptions, connect } from "../provider/client";
import { ApiError, ContractError, isTokenRejected, UnreachableError } from "../provider/client/errors";
import { realTime, type Time } from "../provider/client/time";
import { DeadlineError, isLate } from "../provider/engine/errors";
import type { Host } from "../provider/engine/host";
import { hostOf } from "../provider/pulumi/connection";
import { type TimeLimit, TimeLimitError } from "../provider/pulumi/time-limit";
import { AuthenticationError } from "./errors";

/**
 * A connection to the API for reading an account. It prints no warnings or progress, unlike the provider's connection.
 */
export interface Account {
  host: Host;
  close(): Promise<void>;
}

const noMessages = { warn: () => {}, progress: () => {} };

export function accountAt(
  url: string,
  token: string,
  userAgent: string,
  options: Pick<ConnectOptions, "dialect" | "settingNames" | "hooks" | keyof Time> = {},
): Account {
  const client = connect({ url, token, userAgent, ...options });
  return { host: hostOf(client, { ...realTime, ...options }, noMessages), close: () => client.close() };
}

/** Resources or objects of a kind that could not be read for the same reason. */
export interface Unread {
  kind: string;
  reason: string;
  /** Addresses of the resources. Empty if the list of a kind could not be read. */
  resources: string[];
}

/**
 * The results of reading resources: the resources that were read, and the resources that could not be read, with the
 * reasons.
 */
export interface Readings<R, T> {
  done: { resource: R; result: T }[];
  unread: Unread[];
  /**
   * The error of the time limit if it was reached, or else the first error that shows that the service could not be
   * reached, or did not respond as the API does.
   */
  failure?: Error | undefined;
}

/**
 * Number of objects that are read at the same time. This does not cause as many requests: after the first few objects
 * of a kind, the client requests the list of all objects of that kind instead.
 */
const MAX_PARALLEL = 250;
/**
 * Number of objects of a kind that are read first, one request each. If the token is not allowed to read any of them,
 * the kind's remaining objects are not read.
 */
const MAX_FAILURES = 3;

/**
 * Reads resources, all kinds at the same time. A few resources of each kind are read first: if the token lacks the
 * permission or the service cannot be reached, the rest is skipped, because thousands of requests would fail in the
 * same way.
 */
export async function readEach<R extends { address: string; kind: { name: string } }, T>(
  resources: readonly R[],
  read: (resource: R) => Promise<T>,
  limit?: TimeLimit,
): Promise<Readings<R, T>> {
  const byKind = Map.groupBy(resources, ({ kind }) => kind.name);
  const withContext = (resource: R): Promise<T> =>
    read(resource).catch((error: Error) => {
      throw limit?.explain(error) ?? error;
    });
  const all = await Promise.all([...byKind.values()].map((group) => readKind(group, withContext)));
  return {
    done: all.flatMap(({ done }) => done),
    unread: all.flatMap(({ unread }) => unread),
    failure: failureIn(all.map(({ failure }) => failure)),
  };
}

/** Whether the service could not be reached in time, so that further requests would fail in the same way. */
const isUnreachable = (error: Error): boolean =>
  error instanceof UnreachableError || error instanceof DeadlineError || isLate(error);

/** Whether the error can be a failure of the whole service. If nothing at all could be read, it is. */
const isFailure = (error: Error): boolean =>
  isUnreachable(error) || error instanceof ContractError || (error instanceof ApiError && error.status >= 500);

/** The most important of several errors: that of the time limit, or else the first failure of the whole service. */
export const failureIn = (errors: readonly (Error | undefined)[]): Error | undefined =>
  errors.find((error) => error instanceof TimeLimitError) ?? errors.find((error) => error && isFailure(error));

type Outcome<R, T> = { resource: R } & ({ result: T } | { error: Error });

async function readKind<R extends { address: string; kind: { name: string } }, T>(
  resources: readonly R[],
  read: (resource: R) => Promise<T>,
): Promise<Readings<R, T>> {
  const outcomes: Outcome<R, T>[] = [];
  const attempt = async (resource: R): Promise<Outcome<R, T>> => {
    try {
      return { resource, result: await read(resource) };
    } catch (error) {
      if (isTokenRejected(error)) throw new AuthenticationError(error.operation);
      return { resource, error: error as Error };
    }
  };
  const failsWith = (outcome: Outcome<R, T> | undefined, matches: (error: Error) => boolean): boolean =>
    outcome !== undefined && "error" in outcome && matches(outcome.error);
  const isForbidden = (error: Error): boolean => error instanceof ApiError && error.status === 403;
  for (const resource of resources.slice(0, MAX_FAILURES)) {
    outcomes.push(await attempt(resource));
    if (!failsWith(outcomes.at(-1), isForbidden)) break;
  }
  const rest = resources.slice(outcomes.length);
  const last = outcomes.at(-1);
  if (failsWith(last, isForbidden) || failsWith(last, isUnreachable))
    outcomes.push(...rest.map((resource) => ({ ...(last as Outcome<R, T>), resource })));
  else
    for (let start = 0; start < rest.length; start += MAX_PARALLEL)
      outcomes.push(...(await Promise.all(rest.slice(start, start + MAX_PARALLEL).map(attempt))));
  const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  const byReason = Map.groupBy(failed, ({ error }) => error.message);
  return {
    done: outcomes.flatMap((outcome) => ("result" in outcome ? [outcome] : [])),
    unread: [...byReason].map(([reason, group]) => ({
      kind: resources[0]?.kind.name ?? "",
      reason,
      resources: group.map(({ resource }) => resource.address),
    })),
    failure: failureIn(failed.map(({ error }) => error)),
  };
}
