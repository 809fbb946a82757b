import type { Kind } from "../resource";
import { milliseconds } from "../settings";
import type { Host } from "./host";

type Operation = "create" | "update" | "delete";

/** How long an operation may take in milliseconds: as said for the resource, else by the stack for its kind, else for all, else by the kind. */
export function timeoutOf(
  kind: Kind,
  { limits, settings: { timeouts } }: Pick<Host, "settings" | "limits">,
  operation: Operation,
): number {
  const stated = limits?.[operation] ?? timeouts?.[kind.kind as never]?.[operation] ?? timeouts?.[operation];
  return stated === undefined ? defaultTimeout(kind, operation) : milliseconds(stated);
}

/** The time limit of a kind where nobody states another. */
export const defaultTimeout = (kind: Kind, operation: Operation): number => (kind.timeouts?.[operation] ?? 600) * 1000;
