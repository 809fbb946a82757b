import type { z } from "zod";
import { isObject, ownProperty, partsOf } from "../../api";
import { differences, matchesDeclared, onlyDeclared } from "./comparison";
import { fieldOf, inputSchema } from "./definition";
import { diff } from "./diff";
import { isReturned, observedInputs, type Target } from "./observe";
import type { Bag } from "./values";

/**
 * The inputs that an update applies. Those that its preview has not shown have the values of the object instead of the
 * declared ones, also inside an input, such as one of several alerts: they were changed outside the program since the
 * last refresh, or the option `ignoreChanges` contains them, for which Pulumi takes the value from state.
 */
export function announcedInputs(target: Target, observed: Bag): Bag {
  const { kind, path, want, state } = target;
  const current = observedInputs(kind, path, observed, want);
  const announced = new Set(diff(kind, state, want).changed);
  const differing = [...differences(kind, current, want, { ...observed, ...want }).keys()];
  const entries = differing.flatMap((key) => {
    if (!isReturned(kind, key)) return [];
    // The definition gives no value if an earlier update still has to be completed, such as by a reboot.
    if (current[key] === undefined && fieldOf(kind, key).current) return [];
    if (!announced.has(key)) return [[key, current[key]] as const];
    const schema = inputSchema(kind, key);
    const values = { old: state[key], declared: want[key], changed: want[key] };
    return [[key, merged(schema, { ...values, unchanged: onlyDeclared(schema, current[key], want[key]) })] as const];
  });
  return { ...want, ...Object.fromEntries(entries) };
}

/**
 * The outputs to store after an update. Inputs that the preview has not shown keep their values in state: otherwise the
 * next preview would show a difference in them, and `ignoreChanges` would have no effect.
 */
export function announcedOutputs({ kind, want, state }: Pick<Target, "kind" | "want" | "state">, outs: Bag): Bag {
  const announced = new Set(diff(kind, state, want).changed);
  const entries = diff(kind, outs, want).changed.map((key) => {
    if (!announced.has(key)) return [key, state[key]] as const;
    const values = { old: state[key], declared: want[key], unchanged: state[key], changed: outs[key] };
    return [key, merged(inputSchema(kind, key), values)] as const;
  });
  return { ...outs, ...Object.fromEntries(entries) };
}

interface Versions {
  /** The value in state. */
  old: unknown;
  declared: unknown;
  /** The result where the program has not changed the value in state. */
  unchanged: unknown;
  /** The result where it has. */
  changed: unknown;
}

/** Merges objects and maps field by field. A list is changed as a whole. */
function merged(schema: z.core.$ZodType, { old, declared, unchanged, changed }: Versions): unknown {
  if (old === undefined || unchanged === undefined) return changed;
  if (matchesDeclared(schema, old, declared)) return unchanged;
  if (!isObject(old) || !isObject(declared) || !isObject(unchanged) || !isObject(changed)) return changed;
  const parts = partsOf(schema, declared).map(({ key, schema, value }) => {
    const at = (bag: Bag): unknown => ownProperty(bag, String(key));
    return [key, merged(schema, { old: at(old), declared: value, unchanged: at(unchanged), changed: at(changed) })];
  });
  return { ...changed, ...Object.fromEntries(parts) };
}
