import { canonicalInput, stated } from "./canonical";
import type { Bag, Kind } from "./resource";
import { differingAt } from "./same";
import { holdsUnknown } from "./unknown";

export interface Diff {
  /** JSON pointers of what differs, as the native head shows it: `/rules/inbound/0/ports`. */
  paths: string[];
  changed: string[];
  /** Inputs that differ and that nothing is done about. */
  kept: string[];
  replaces: string[];
  /** Names of the steps that the update will run, in the order of the definition. */
  steps: string[];
  /** Whether a replacement, also one that only the program's options ask for, deletes the old object first. */
  deleteBeforeReplace: boolean;
}

/** What a change of an input means for what is wanted. */
export const meaningOf = (kind: Kind, key: string, want: Bag): Kind["changes"][string] =>
  kind.replaces?.[key]?.when(want) ? "replace" : kind.changes[key];

/** What an update would do: the stated inputs that differ from what was last seen, by what their change means. */
export function diff(kind: Kind, was: Bag, want: Bag, options: { autonamed?: boolean } = {}): Diff {
  const found = differences(kind, was, want);
  const changed = [...found.keys()].filter((key) => typeof kind.changes[key] === "string");
  const replaces = changed.filter((key) => meaningOf(kind, key, want) === "replace");
  const steps = Object.entries(kind.steps)
    .filter(([name, { due }]) => changed.some((key) => kind.changes[key] === name) || due?.(was, want))
    .map(([name]) => name);
  const unique = kind.autoname !== undefined && !options.autonamed;
  return {
    paths: changed.flatMap((key) => found.get(key) ?? []),
    changed,
    kept: [...found.keys()].filter((key) => typeof kind.changes[key] === "object"),
    replaces,
    steps,
    // An object that differs only in what could change in place would be in the way of its successor.
    deleteBeforeReplace: replaces.length ? (kind.deleteFirst ?? unique) : !options.autonamed,
  };
}

/**
 * Inputs that are stated and differ, with the JSON pointers of the places where they do. `around` is what canonical
 * forms may look at besides: the outputs with the stated inputs over them.
 */
export function differences(kind: Kind, was: Bag, want: Bag, around: Bag = { ...was, ...want }): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of Object.keys(kind.changes)) {
    if (want[key] === undefined || kind.changes[key] === "local") continue;
    const paths = inputDifferences(kind, key, was, want, around);
    if (paths.length) found.set(key, paths);
  }
  return found;
}

function inputDifferences(kind: Kind, key: string, was: Bag, want: Bag, around: Bag): string[] {
  if (holdsUnknown(want[key])) return [`/${key}`];
  // The API shows a cleared text as empty, so there is nothing left to clear.
  if (want[key] === null && was[key] === "") return [];
  const wanted = canonicalInput(kind, key, want[key], around);
  const seen = canonicalInput(kind, key, was[key], around);
  return differingAt(key, stated(kind.inputs.shape[key], seen, wanted), wanted);
}
