import { type Difference, differences } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import { supportedInputs } from "./unsupported";
import type { Bag } from "./values";

export interface Diff {
  /** Inputs that differ from the object, except write-only inputs, which an update cannot change. */
  changed: string[];
  /** The differences between the values, after both have been converted to the same notation. */
  differences: Difference[];
  /** Write-only inputs that differ from state. An update does not change them. */
  unapplied: string[];
  replaces: string[];
  /**
   * Names of the in-place update steps to run, such as `resize`, in the order in which the resource definition lists
   * them.
   */
  steps: string[];
  /**
   * Whether a replacement deletes the old object first. Also set for updates in place, because the resource option
   * `replaceOnChanges` can turn them into replacements.
   */
  deleteBeforeReplace: boolean;
}

interface DiffOptions {
  /** Whether the object's name was generated, because the program omits it. */
  autonamed?: boolean;
  /** Whether to include differences that no update can remove, such as a volume that is larger than declared. */
  withUnsupported?: boolean;
}

/**
 * Compares the declared inputs with the object as last read, and determines whether the differences require a
 * replacement or in-place updates, such as a resize.
 */
export function diff(kind: Kind, state: Bag, want: Bag, options: DiffOptions = {}): Diff {
  const found = diffOf(kind, state, want, options);
  // A replacement has all declared inputs.
  if (found.replaces.length || options.withUnsupported) return found;
  const supported = supportedInputs(kind, state, want);
  return supported === want ? found : diffOf(kind, state, supported, options);
}

function diffOf(kind: Kind, state: Bag, want: Bag, { autonamed = false }: DiffOptions): Diff {
  const found = differences(kind, state, want);
  const keys = [...found.keys()];
  const isUnapplied = (key: string): boolean => fieldOf(kind, key).change === "writeOnly";
  const changed = keys.filter((key) => !isUnapplied(key));
  const replaces = changed.filter((key) => isReplacedBy(kind, key, want));
  const steps = Object.entries(kind.steps ?? {})
    .filter(([name, { when }]) => changed.some((key) => fieldOf(kind, key).change === name) || when?.(state, want))
    .map(([name]) => name);
  const { replaceOrder } = kind.delete ?? {};
  const isUnique = kind.identity.autoname !== undefined && !autonamed;
  const isDeletedFirst = replaceOrder ? replaceOrder === "deleteFirst" : isUnique;
  return {
    changed,
    differences: changed.flatMap((key) => found.get(key) ?? []),
    unapplied: keys.filter(isUnapplied),
    replaces,
    steps,
    // The resource option `replaceOnChanges` can replace an object that would be updated in place. The new object can
    // have the same name, so the old one must be deleted first unless the name is generated.
    deleteBeforeReplace: replaces.length ? isDeletedFirst : !autonamed,
  };
}

export function isReplacedBy(kind: Kind, key: string, want: Bag): boolean {
  const { change, replaceUnless } = fieldOf(kind, key);
  if (!replaceUnless) return change === "replace";
  return !Object.entries(replaceUnless).every(([other, value]) => want[other] === value);
}
