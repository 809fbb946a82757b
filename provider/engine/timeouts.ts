import type { Kind } from "../resource";
import { milliseconds } from "../settings";
import type { Host } from "./host";

type Operation = "create" | "update" | "delete";

/** How long an operation may take, in milliseconds: as the stack says of the kind, or of all, else as the kind says. */
export function timeoutOf(
  kind: Kind,
  { settings: { timeouts } }: Pick<Host, "settings">,
  operation: Operation,
): number {
  const own = (timeouts as Record<string, Partial<Record<Operation, string>> | undefined> | undefined)?.[kind.kind];
  const stated = own?.[operation] ?? timeouts?.[operation];
  return stated === undefined ? defaultTimeout(kind, operation) : milliseconds(stated);
}

/** The time limit of a kind where nobody states another. */
export const defaultTimeout = (kind: Kind, operation: Operation): number => (kind.timeouts?.[operation] ?? 600) * 1000;
