import { z } from "zod";
import { fieldsOf, isObject, metaOf, ownProperty, type Part, partsOf, valueTypeOf } from "../../api";
import type { Age } from "../client/observations";
import { canonical, canonicalInput, covers, restricted, same } from "./comparison";
import { fieldOf, type Kind, type Purpose } from "./definition";
import type { Host } from "./host";
import { inputsIn, nameOf, pathOf } from "./identity";
import { readForRefresh } from "./missing";
import { recordFields } from "./records";
import { isMissingWithParent, noteRead } from "./refreshed";
import { operate } from "./time-limits";
import { atPaths, type Bag, isRecord, pick, steady } from "./values";

/** The object that an operation reads or changes, with its declared inputs and its values in state. */
export interface Target {
  kind: Kind;
  host: Host;
  path: Bag;
  want: Bag;
  /** The outputs in state after the last operation. */
  state: Bag;
  purpose: Purpose;
}

/**
 * Reads the object and adds the fields that only the resource definition has, such as the config of an instance.
 * Undefined if the object does not exist.
 */
export async function observe(target: Target, age: Age): Promise<Bag | undefined> {
  const { kind, host, path, want, state } = target;
  const { area, lookup, extend } = kind.identity;
  const context = { host, api: host.api, path, want, state, age };
  if (lookup) {
    const found = await lookup.get(context);
    return found && completed(fieldsOf(kind.outputs), found, state);
  }
  const record = await host.reads.view(area as Parameters<typeof host.reads.view>[0], path as never, { age });
  if (record === undefined) return undefined;
  const whole = completed(recordFields(kind), record, state);
  if (!extend) return whole;
  const extended = await extend(context, whole);
  return extended && completed(fieldsOf(kind.outputs), extended, state);
}

/** Adds required fields that a response lacks. They keep their values from state. */
function completed(fields: Record<string, z.core.$ZodType>, record: Bag, state: Bag): Bag {
  const lost = Object.entries(fields).flatMap(([key, field]) =>
    record[key] === undefined && !(field instanceof z.core.$ZodOptional) ? [key] : [],
  );
  return lost.length ? { ...record, ...pick(state, lost) } : record;
}

/** The current values of all inputs that the API returns. */
export function observedInputs(kind: Kind, path: Bag, seen: Bag, want: Bag): Bag {
  const now: Bag = {};
  for (const key of Object.keys(kind.fields)) {
    const { current } = fieldOf(kind, key);
    const value = current ? current(seen, want) : seen[key];
    if (value !== undefined && !isUnset(kind, key, value)) now[key] = value;
  }
  return { ...now, ...inputsIn(kind, path) };
}

/** Whether the API returned null or an empty text for an input that does not accept that value: the input is unset. */
const isUnset = (kind: Kind, key: string, value: unknown): boolean =>
  (value === null || value === "") && !z.safeParse(kind.inputs.shape[key], value).success;

/** Whether the API returns the input's value. Otherwise, the input is compared with the value that was last applied. */
export const isReturned = (kind: Kind, key: string): boolean =>
  fieldOf(kind, key).current !== undefined || key in fieldsOf(kind.outputs) || key in (kind.identity.parents ?? {});

/**
 * The values to store in state: all declared inputs, and the outputs except those that the service changes on its own.
 * An input keeps the program's notation if that is equivalent to the API's value, and otherwise gets the API's value.
 * An input that the API does not return keeps the value that was last applied.
 */
export function stateOf(kind: Kind, path: Bag, { want, seen, state = {} }: { want: Bag; seen: Bag; state?: Bag }): Bag {
  const outs: Bag = {};
  for (const [key, schema] of Object.entries(fieldsOf(kind.outputs))) {
    if (key === "id" || metaOf(schema).volatile || seen[key] === undefined) continue;
    const value = steady(schema, seen[key]);
    const isHeld = key in state && same(canonical(schema, state[key]), canonical(schema, value));
    outs[key] = isHeld ? state[key] : value;
  }
  const now = observedInputs(kind, path, seen, want);
  for (const key of Object.keys(want)) {
    if (!(key in kind.fields)) continue;
    if (isReturned(kind, key)) outs[key] = inputAsWritten(kind, key, now, want, { ...seen, ...want });
    else outs[key] = lastApplied(kind, key, want, state);
  }
  return outs;
}

/** A write-only input keeps the value with which the object was created, because updates do not change it. */
const lastApplied = (kind: Kind, key: string, want: Bag, state: Bag): unknown =>
  fieldOf(kind, key).change === "writeOnly" && Object.keys(state).length ? state[key] : want[key];

function inputAsWritten(kind: Kind, key: string, now: Bag, want: Bag, around: Bag): unknown {
  const schema = kind.inputs.shape[key];
  const seen = steady(kind.outputs.shape[key] ?? schema, now[key]);
  const means: Means = (a, b) => {
    const wanted = canonicalInput(kind, key, b, around);
    return same(restricted(schema, canonicalInput(kind, key, a, around), wanted), wanted);
  };
  return asWritten(schema, seen, want[key], means) ?? null;
}

type Means = (seen: unknown, wanted: unknown) => boolean;

/**
 * Converts a value from the API to the program's notation. Each part that equals the declared value keeps that
 * notation, even inside lists and maps, so that a refresh shows only real changes.
 */
function asWritten(
  schema: z.core.$ZodType,
  seen: unknown,
  wanted: unknown,
  means: Means = (a, b) => covers(schema, a, b),
): unknown {
  if (means(seen, wanted)) return overlaid(schema, seen, wanted);
  if (Array.isArray(seen) && Array.isArray(wanted)) return listAsWritten(schema, seen, wanted, means);
  if (!isObject(seen) || !isObject(wanted)) return seen;
  const written = partsOf(schema, seen).flatMap(({ key, ...part }) => {
    const declared = ownProperty(wanted, String(key));
    if (declared === undefined) return [];
    return valueTypeOf(schema)
      ? [[key, entryAsWritten(part, declared, (a, b) => means({ [key]: a }, { [key]: b }))]]
      : [[key, asWritten(part.schema, part.value, declared)]];
  });
  return { ...seen, ...Object.fromEntries(written) };
}

/** Entries of lists and maps contain only the fields that the program sets, because omitted fields are not managed. */
const entryAsWritten = ({ schema, value }: Omit<Part, "key">, wanted: unknown, means: Means): unknown =>
  asWritten(schema, restricted(schema, value, wanted), wanted, means);

function listAsWritten(schema: z.core.$ZodType, seen: unknown[], wanted: unknown[], means: Means): unknown[] {
  const isSame: Means = (a, b) => means([a], [b]);
  const hasNoOrder = seen.length > 1 && means(seen, seen.toReversed());
  if (hasNoOrder)
    return [
      ...wanted.filter((one) => seen.some((item) => isSame(item, one))),
      ...seen.filter((item) => !wanted.some((one) => isSame(item, one))),
    ];
  return partsOf(schema, seen).map((part, i) => {
    const one =
      wanted.find((each) => isSame(part.value, each)) ?? (seen.length === wanted.length ? wanted[i] : undefined);
    return one === undefined ? part.value : entryAsWritten(part, one, isSame);
  });
}

/** A value from the API in which declared fields have the program's notation. */
export function overlaid(schema: z.core.$ZodType, seen: unknown, wanted: unknown): unknown {
  if (!isObject(seen) || !isObject(wanted) || !isRecord(schema)) return wanted;
  const fields = fieldsOf(schema);
  const written = Object.entries(wanted).map(([key, item]) => {
    const field = ownProperty(fields, key);
    return [key, field ? overlaid(field, ownProperty(seen, key), item) : item];
  });
  return { ...seen, ...Object.fromEntries(written) };
}

export const STATE_VERSION = 1;

/** Converts state or inputs of an earlier version to the current format. */
export const migrated = (kind: Kind, state: Bag, fromVersion = 0): Bag =>
  fromVersion < STATE_VERSION && kind.migrate ? kind.migrate(state, fromVersion) : state;

export interface Read {
  outs: Bag;
  inputs: Bag;
}

/**
 * Reads the object and returns it as stored in state. Undefined if it does not exist. `declared` lists the properties
 * that the program declares, such as `alerts.cpu`. If it is omitted, the object is not in a program yet, and all inputs
 * that the API returns are included.
 */
export const read = (
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  declared?: readonly string[],
): Promise<Read | undefined> => readBy(kind, host, id, state, declared);

/**
 * Reads the object of a resource for a refresh, which removes a missing object from the state. Fails if the refresh
 * finds none of the stack's objects.
 */
export const refresh = (
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  declared: readonly string[],
): Promise<Read | undefined> => readBy(kind, host, id, state, declared, readForRefresh);

async function readBy(
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  declared: readonly string[] | undefined,
  confirmed: typeof readForRefresh = (_kind, _host, reading) => reading,
): Promise<Read | undefined> {
  const path = pathOf(kind, id);
  const want = declared ? atPaths(state, declared) : {};
  const target = { kind, path, want, state, purpose: "update" as const };
  return operate({ kind, host, operation: "read", name: () => nameOf(target) }, async (host) => {
    const reading = readAt({ ...target, host }, declared);
    if (!declared) return reading;
    noteRead(kind, host, path, reading);
    const found = await confirmed(kind, host, reading);
    if (!found && !(await isMissingWithParent(kind, host, path)))
      host.warn(`${nameOf({ kind, path, want: state })} no longer exists: the next update creates it again`);
    return found;
  });
}

async function readAt(target: Target, declared: readonly string[] | undefined): Promise<Read | undefined> {
  const { kind, path, state } = target;
  const seen = await observe(target, "young");
  if (!seen) return undefined;
  const want = declared ? target.want : observedInputs(kind, path, seen, {});
  const outs = stateOf(kind, path, { want, seen, state });
  return { outs, inputs: declared ? atPaths(outs, declared) : pick(outs, Object.keys(want)) };
}
