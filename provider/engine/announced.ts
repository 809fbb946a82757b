import { createHash } from "node:crypto";
import { escapePathComponent } from "fast-json-patch";
import type { z } from "zod";
import { elementOf, fieldsOf, isObject, mapParts, metaOf, ownProperty, partsOf } from "../../api";
import { canonical, differences, isEqual, matchesDeclared } from "./comparison";
import { fieldOf, inputSchema, type Kind } from "./definition";
import { diff } from "./diff";
import type { Uncertain } from "./errors";
import { isReturned, observedInputs, type Target } from "./observe";
import { type Bag, isRecord, pick } from "./values";

/**
 * The inputs that an update applies. Those that it is not to change have the values of the object instead of the
 * declared ones, also inside an input, such as one of several alerts: they were changed outside the program since the
 * last refresh, or the option `ignoreChanges` contains them, for which Pulumi takes the value from state.
 */
export function announcedInputs(target: Target, observed: Bag): Bag {
  const { kind, path, want, state, announced } = target;
  if (!announced) return want;
  const doubt = doubtOf(target);
  const current = observedInputs(kind, path, observed, want);
  const differing = [...differences(kind, current, want, { ...observed, ...want }).keys()];
  const returned = differing.filter((key) => isReturned(kind, key));
  const entries = returned.flatMap((key) => {
    const schema = inputSchema(kind, key);
    const value = asInput(schema, current[key]);
    if (announced.has(key)) {
      const values = { old: state[key], declared: want[key], changed: want[key], unchanged: value };
      return value === undefined ? [] : [[key, merged(schema, values, doubt, `/${key}`)] as const];
    }
    // The object has the declared value, but the definition shows that an earlier update still has to be completed, such
    // as by a boot.
    const isIncomplete = key in observed && matchesDeclared(schema, observed[key], want[key]);
    // The update creates what has neither this input nor an announced one, such as a boot config that was deleted.
    const isCreated = [...announced].some((other) => fieldOf(kind, other).change === fieldOf(kind, key).change);
    if (value !== undefined || !(isIncomplete || isCreated)) return [[key, value] as const];
    // The definition hides the object's value, because an interrupted change still has to be completed.
    const hidden = isIncomplete ? undefined : asInput(schema, observed[key]);
    return hidden == null ? [] : [[key, hidden] as const];
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
  const doubt = doubtOf(target);
  const touchedBy = (key: string): readonly string[] => fieldOf(kind, key).touches ?? [];
  const affected = new Set([...announced].flatMap((key) => [key, ...touchedBy(key)]));
  const entries = diff(kind, outs, want).changed.flatMap((key) => {
    const unaffected = touchedBy(key).filter((output) => !affected.has(output));
    if (!announced.has(key)) return Object.entries(pick(state, [key, ...unaffected]));
    // The definition shows no value, because another part of the object was changed outside the program.
    if (outs[key] == null && applied[key] !== state[key]) return [[key, applied[key]] as const];
    const values = { old: state[key], declared: want[key], unchanged: state[key], changed: outs[key] };
    return [[key, merged(inputSchema(kind, key), values, doubt, `/${key}`)] as const];
  });
  return { ...outs, ...Object.fromEntries(entries) };
}

/**
 * The parts of inputs that the update of `target`, which has failed, may have changed: those that it was to change, and
 * declared inputs that such a change affects, as an upload affects the ACL of an object. `before` is the state before it.
 */
export function uncertainParts(
  { kind, announced, want, declared = want, uncertain = [] }: Target,
  before: Bag,
): Uncertain {
  if (!announced || uncertain === "all") return "all";
  const changed = [...announced].flatMap((key) =>
    isReturned(kind, key) ? changedParts(inputSchema(kind, key), before[key], declared[key], `/${key}`) : [`/${key}`],
  );
  const isUpdated = (key: string) => key in kind.fields && fieldOf(kind, key).change in (kind.steps ?? {});
  const isApplied = (key: string) => declared[key] !== undefined && isEqual(want[key], declared[key]);
  const affected = [...announced]
    .flatMap((key) => fieldOf(kind, key).touches ?? [])
    .filter((key) => !announced.has(key) && isUpdated(key) && isApplied(key));
  return [...new Set([...uncertain, ...changed, ...affected.map((key) => `/${key}`)])];
}

/** The names of the inputs of which a failed update may have changed parts. Empty after a failed create. */
export function inputsIn({ fields }: Kind, uncertain: Uncertain): string[] {
  const pointers = uncertain === "all" ? [] : uncertain;
  // Another version of this package, which has written the pointers, can have other inputs.
  return pointers.map((pointer) => String(pointer.split("/")[1])).filter((key) => Object.hasOwn(fields, key));
}

/** The parts of inputs that a failed update may have changed, as JSON pointers. */
interface Doubt {
  includes(pointer: string): boolean;
  includesPartOf(pointer: string): boolean;
}

const doubtOf = ({ uncertain = [] }: Target): Doubt => ({
  includes: (pointer) => uncertain === "all" || uncertain.includes(pointer),
  includesPartOf: (pointer) => uncertain === "all" || uncertain.some((one) => `${one}/`.startsWith(`${pointer}/`)),
});

const at = (pointer: string, key: string | number): string => `${pointer}/${escapePathComponent(String(key))}`;

/** Contains a digest, because the entry of a list can be a secret value. */
const atEntry = (pointer: string, key: string): string =>
  at(pointer, createHash("sha256").update(key).digest("hex").slice(0, 16));

interface Versions {
  /** The value in state. */
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
function merged(schema: z.core.$ZodType, versions: Versions, doubt: Doubt, pointer: string): unknown {
  const { old, declared, unchanged, changed } = versions;
  if (old === undefined || doubt.includes(pointer)) return changed;
  const lists = [old, declared, unchanged, changed];
  if (isUnordered(schema) && lists.every(Array.isArray)) return mergedEntries(schema, lists, doubt, pointer);
  if (!isObject(old) || !isObject(declared) || !isObject(unchanged) || !isObject(changed))
    return matchesDeclared(schema, old, declared) && !doubt.includesPartOf(pointer) ? unchanged : changed;
  const parts = partsOf(schema, declared).map(({ key, schema, value }) => {
    const of = (bag: Bag): unknown => ownProperty(bag, String(key));
    const values = { old: of(old), declared: value, unchanged: of(unchanged), changed: of(changed) };
    return [key, merged(schema, values, doubt, at(pointer, key))];
  });
  const all = { ...changed, ...Object.fromEntries(parts) };
  return pick(all, Object.keys(all));
}

/** Merges lists without an order: the entries that the program adds, removes or changes are those of the last list. */
function mergedEntries(schema: z.core.$ZodType, lists: unknown[][], doubt: Doubt, pointer: string): unknown[] {
  const [old, declared, unchanged, changed] = lists.map((list) => entriesOf(schema, list)) as [
    Entries,
    Entries,
    Entries,
    Entries,
  ];
  return [...new Set([...changed.keys(), ...unchanged.keys()])].flatMap((key) => {
    const isUnchanged = !doubt.includes(atEntry(pointer, key)) && isEqual(old.get(key)?.form, declared.get(key)?.form);
    const entry = (isUnchanged ? unchanged : changed).get(key);
    return entry ? [entry.value] : [];
  });
}

/** JSON pointers to the parts that differ, as {@link merged} divides values into parts. */
function changedParts(schema: z.core.$ZodType, old: unknown, declared: unknown, pointer: string): string[] {
  if (isUnordered(schema) && Array.isArray(old) && Array.isArray(declared)) {
    const [before, after] = [entriesOf(schema, old), entriesOf(schema, declared)];
    const isChanged = (key: string) => !isEqual(before.get(key)?.form, after.get(key)?.form);
    return [...new Set([...before.keys(), ...after.keys()])].filter(isChanged).map((key) => atEntry(pointer, key));
  }
  if (!isObject(old) || !isObject(declared)) return matchesDeclared(schema, old, declared) ? [] : [pointer];
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(declared, key));
  return [
    ...partsOf(schema, declared).flatMap(({ key, schema, value }) =>
      changedParts(schema, ownProperty(old, String(key)), value, at(pointer, key)),
    ),
    ...removed.map((key) => at(pointer, key)),
  ];
}

const isUnordered = (schema: z.core.$ZodType): boolean =>
  elementOf(schema) !== undefined && metaOf(schema).canonical !== undefined;

/** The entries of a list without an order, each with its canonical form, by what identifies them. */
type Entries = Map<string, { value: unknown; form: unknown }>;

function entriesOf(schema: z.core.$ZodType, list: unknown[]): Entries {
  const { entryKey } = metaOf(schema);
  const keyOf = (form: unknown): string => JSON.stringify(entryKey && isObject(form) ? form[entryKey] : form);
  const entries = list.map((value) => ({ value, form: [canonical(schema, [value])].flat()[0] }));
  return new Map(entries.map((entry) => [keyOf(entry.form), entry]));
}
