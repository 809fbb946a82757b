import type { z } from "zod";
import { elementOf, fieldsOf, isObject, mapParts, metaOf, ownProperty, partsOf } from "../../api";
import { canonical, differences, isEqual, matchesDeclared } from "./comparison";
import { fieldOf, inputSchema } from "./definition";
import { diff } from "./diff";
import { isReturned, observedInputs, type Target } from "./observe";
import { type Bag, isRecord, pick } from "./values";

/**
 * The inputs that an update applies. Those that its preview has not shown have the values of the object instead of the
 * declared ones, also inside an input, such as one of several alerts: they were changed outside the program since the
 * last refresh, or the option `ignoreChanges` contains them, for which Pulumi takes the value from state.
 */
export function announcedInputs(target: Target, observed: Bag): Bag {
  const { kind, path, want, announced } = target;
  if (!announced) return want;
  const current = observedInputs(kind, path, observed, want);
  const differing = [...differences(kind, current, want, { ...observed, ...want }).keys()];
  const returned = differing.filter((key) => isReturned(kind, key));
  const entries = returned.flatMap((key) => {
    const schema = inputSchema(kind, key);
    const value = asInput(schema, current[key]);
    if (announced.has(key)) {
      const values = { old: known(target, key), declared: want[key], changed: want[key], unchanged: value };
      return value === undefined ? [] : [[key, merged(schema, values)] as const];
    }
    // The object has the declared value, but the definition shows that an earlier update still has to be completed, such
    // as by a boot.
    const isIncomplete = key in observed && matchesDeclared(schema, observed[key], want[key]);
    // The update creates what has neither this input nor an announced one, such as a boot config that was deleted.
    const isCreated = [...announced].some((other) => fieldOf(kind, other).change === fieldOf(kind, key).change);
    return value === undefined && (isIncomplete || isCreated) ? [] : [[key, value] as const];
  });
  return { ...want, ...Object.fromEntries(entries) };
}

/** A value of the API without the fields that the input does not have, such as the id of a boot config. */
function asInput(schema: z.core.$ZodType, value: unknown): unknown {
  const known = isObject(value) && isRecord(schema) ? pick(value, Object.keys(fieldsOf(schema))) : value;
  return mapParts(schema, known, asInput);
}

/**
 * The outputs to store after an update. Inputs that the preview has not shown, and the outputs that depend on them, keep
 * their values in state: otherwise the next preview would show a difference in them, and `ignoreChanges` would have no
 * effect. `target.state` also contains the values that the update has stored, `state` and `want` those before it.
 */
export function announcedOutputs(target: Target, { state, want }: Record<"state" | "want", Bag>, outs: Bag): Bag {
  const { kind, announced, state: applied } = target;
  if (!announced) return outs;
  const touchedBy = (key: string): readonly string[] => fieldOf(kind, key).touches ?? [];
  const affected = new Set([...announced].flatMap((key) => [key, ...touchedBy(key)]));
  const entries = diff(kind, outs, want).changed.flatMap((key) => {
    const unaffected = touchedBy(key).filter((output) => !affected.has(output));
    if (!announced.has(key)) return Object.entries(pick(state, [key, ...unaffected]));
    // The definition shows no value, because another part of the object was changed outside the program.
    if (outs[key] == null && applied[key] !== state[key]) return [[key, applied[key]] as const];
    const old = known({ ...target, state }, key);
    const values = { old, declared: want[key], unchanged: state[key], changed: outs[key] };
    return [[key, merged(inputSchema(kind, key), values)] as const];
  });
  return { ...outs, ...Object.fromEntries(entries) };
}

/** The value in state. Undefined if a failed update may have changed any part of it since. */
const known = ({ uncertain = [], state }: Target, key: string): unknown =>
  uncertain === "all" || uncertain.includes(key) ? undefined : state[key];

interface Versions {
  /** The value in state, if it is known to be that of the object. */
  old: unknown;
  declared: unknown;
  /** The result where the program has not changed the value in state. */
  unchanged: unknown;
  /** The result where it has. */
  changed: unknown;
}

/**
 * Merges objects and maps field by field, and lists without an order entry by entry. All other lists are changed as a
 * whole.
 */
function merged(schema: z.core.$ZodType, { old, declared, unchanged, changed }: Versions): unknown {
  if (old === undefined) return changed;
  const lists = [old, declared, unchanged, changed];
  if (elementOf(schema) && metaOf(schema).canonical && lists.every(Array.isArray)) return mergedEntries(schema, lists);
  if (!isObject(old) || !isObject(declared) || !isObject(unchanged) || !isObject(changed))
    return matchesDeclared(schema, old, declared) ? unchanged : changed;
  const parts = partsOf(schema, declared).map(({ key, schema, value }) => {
    const at = (bag: Bag): unknown => ownProperty(bag, String(key));
    return [key, merged(schema, { old: at(old), declared: value, unchanged: at(unchanged), changed: at(changed) })];
  });
  const all = { ...changed, ...Object.fromEntries(parts) };
  return pick(all, Object.keys(all));
}

/** Merges lists without an order: the entries that the program adds, removes or changes are those of the last list. */
function mergedEntries(schema: z.core.$ZodType, lists: unknown[][]): unknown[] {
  const { entryKey } = metaOf(schema);
  const [old, declared, unchanged, changed] = lists.map((list) => {
    const entries = list.map((value) => ({ value, form: [canonical(schema, [value])].flat()[0] }));
    const keyOf = (form: unknown): string => JSON.stringify(entryKey && isObject(form) ? form[entryKey] : form);
    return new Map(entries.map((entry) => [keyOf(entry.form), entry]));
  }) as [Entries, Entries, Entries, Entries];
  return [...new Set([...changed.keys(), ...unchanged.keys()])].flatMap((key) => {
    const isUnchanged = isEqual(old.get(key)?.form, declared.get(key)?.form);
    const entry = (isUnchanged ? unchanged : changed).get(key);
    return entry ? [entry.value] : [];
  });
}

type Entries = Map<string, { value: unknown; form: unknown }>;
