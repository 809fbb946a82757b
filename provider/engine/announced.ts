import type { z } from "zod";
import { fieldsOf, isObject, mapParts } from "../../api";
import { differences, isEqual, matchesDeclared } from "./comparison";
import { fieldOf, inputSchema, type Kind } from "./definition";
import { diff } from "./diff";
import type { Uncertain } from "./errors";
import { changedParts, doubtOf, merged } from "./merge";
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
    // as by setting the ACL of an object again.
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
 * inputs that such a change affects, as an upload affects the ACL of an object, or as changing the type of a DNS record
 * resets its priority. `before` is the state before it.
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
  // The service may have reset the input. If the program declares it again, the next update has to send it again.
  const isOmitted = (key: string) => declared[key] === undefined && before[key] != null;
  const affected = [...announced]
    .flatMap((key) => fieldOf(kind, key).touches ?? [])
    .filter((key) => !announced.has(key) && isUpdated(key) && (isApplied(key) || isOmitted(key)));
  return [...new Set([...uncertain, ...changed, ...affected.map((key) => `/${key}`)])];
}

/** The names of the inputs of which a failed update may have changed parts. Empty after a failed create. */
export function inputsIn({ fields }: Kind, uncertain: Uncertain): string[] {
  const pointers = uncertain === "all" ? [] : uncertain;
  // Another version of this package, which has written the pointers, can have other inputs.
  return pointers.map((pointer) => String(pointer.split("/")[1])).filter((key) => Object.hasOwn(fields, key));
}
