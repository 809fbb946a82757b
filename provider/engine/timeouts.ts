import { milliseconds } from "../heads/settings";
import type { Host, Limited } from "./host";
import type { Kind } from "./resource";

/** How long an operation may take in milliseconds: as said for the resource, else by the stack for its kind, else for all, else by the kind. */
export function timeoutOf(
  kind: Kind,
  { limits, settings: { timeouts } }: Pick<Host, "settings" | "limits">,
  operation: Limited,
): number {
  const stated = limits?.[operation] ?? timeouts?.[kind.kind as never]?.[operation] ?? timeouts?.[operation];
  return stated === undefined ? defaultTimeout(kind, operation) : milliseconds(stated);
}

/** The default time limit of a kind. */
export const defaultTimeout = (kind: Kind, operation: Limited): number =>
  (kind.timeouts?.[operation] ?? (operation === "read" ? 300 : 600)) * 1000;
