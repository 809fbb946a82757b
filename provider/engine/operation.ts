import { reasons } from "../../api";
import { ApiError } from "../client/errors";
import { within } from "./deadline";
import { DeadlineError, InitFailed, isLate } from "./errors";
import type { Host, Limited } from "./host";
import type { Kind } from "./resource";
import { timeoutOf } from "./timeouts";

/** What the engine does, and the time limit that bounds it. */
const limits = {
  create: "create",
  update: "update",
  delete: "delete",
  read: "read",
  check: "read",
  preview: "read",
} as const satisfies Record<string, Limited>;

interface Operation {
  kind: Kind;
  host: Host;
  operation: keyof typeof limits;
  /** How messages call the resource, once it has an id also by that. */
  name(id?: string): string;
}

/** Runs one operation within its time limit; at the limit, the error says what took the time and how to allow more of it. */
export async function operate<T>(
  { kind, host, operation, name }: Operation,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const limit = limits[operation];
  const ms = timeoutOf(kind, host, limit);
  const began = host.now();
  const explained = (error: unknown, id?: string): unknown => {
    if (error instanceof InitFailed) return new InitFailed(error.id, error.outs, explained(error.cause, error.id));
    if (!isLate(error) && !isPutOff(error)) return error;
    return new DeadlineError({ name: name(id), operation, limit, ms: host.now() - began }, error as Error);
  };
  try {
    return await work(within(host, ms));
  } catch (error) {
    throw explained(error);
  }
}

/** Calls that are refused for the moment only are repeated for as long as there is time. */
const isPutOff = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.reasons.some(({ reason }) => reason === reasons.busy));
