import type { Problem } from "../../api";
import { fieldOf, type Kind, type UnsupportedChange } from "./definition";
import { describedChange } from "./problems";
import { type Bag, containsUnknown, pick, valueAt } from "./values";

/**
 * The declared inputs to which the service cannot change the object, such as a volume size below the current one.
 * `current` contains the values of the object, or the inputs of the last update.
 */
function unsupportedChanges(kind: Kind, current: Bag, want: Bag): Map<string, UnsupportedChange<unknown>> {
  const found = new Map<string, UnsupportedChange<unknown>>();
  for (const key of Object.keys(kind.fields)) {
    const { unsupported } = fieldOf(kind, key);
    const [now, declared] = [current[key] ?? undefined, want[key] ?? undefined];
    if (!unsupported || now === undefined || declared === undefined || containsUnknown(declared)) continue;
    const change = unsupported(now, declared);
    if (change) found.set(key, change);
  }
  return found;
}

/**
 * The declared inputs, with the values that the object keeps instead of those to which it cannot change. `want` itself if
 * there are none.
 */
export function supportedInputs(kind: Kind, current: Bag, want: Bag): Bag {
  const retained = [...unsupportedChanges(kind, current, want)].map(([key, { keeps }]) => [key, keeps]);
  return retained.length ? { ...want, ...Object.fromEntries(retained) } : want;
}

/** The declared inputs to which the service cannot change the object, with their declared values. */
export const unsupportedInputs = (kind: Kind, current: Bag, want: Bag): Bag =>
  pick(want, [...unsupportedChanges(kind, current, want).keys()]);

/** The problems with a change of the program that the service does not support. */
export const unsupportedProblems = (kind: Kind, olds: Bag, inputs: Bag): Problem[] =>
  [...unsupportedChanges(kind, olds, inputs)].map(([key, { path = [], reason }]) => ({ path: [key, ...path], reason }));

/**
 * Warnings that the object was changed outside the program in a way that the service cannot revert, such as
 * `size is not changed from 40 to 20: it must be at least 40`.
 */
export const unsupportedWarnings = (kind: Kind, state: Bag, want: Bag): string[] =>
  unsupportedProblems(kind, state, want).map(({ path: keys, reason }) => {
    const difference = { path: `/${keys.join("/")}`, change: "replace" as const };
    const values = { before: valueAt(state, keys), after: valueAt(want, keys) };
    const { path, before, after } = describedChange(kind.inputs, { ...difference, ...values });
    return `${path.slice(1).replaceAll("/", ".")} is not changed from ${before} to ${after}: it ${reason}`;
  });
