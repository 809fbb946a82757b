import { z } from "zod";
import { fieldsOf, isObject, metaOf, ownProperty, type Part, partsOf, valueTypeOf } from "../../api";
import type { Age } from "../client/observations";
import { canonical, canonicalInput, isEqual, matchesDeclared, onlyDeclared } from "./comparison";
import { fieldOf, inputSchema, type Kind, type Purpose } from "./definition";
import type { Uncertain } from "./errors";
import type { Host } from "./host";
import { displayNameOf, parentInputs, pathOf } from "./identity";
import { readForRefresh } from "./missing";
import { recordFields } from "./records";
import { isMissingWithParent, recordRead } from "./refreshed";
import { withTimeLimit } from "./time-limits";
import { unsupportedInputs } from "./unsupported";
import { atPaths, type Bag, isRecord, pick, withoutVolatile } from "./values";

/** The object that an operation reads or changes, with its declared inputs and its values in state. */
export interface Target {
  kind: Kind;
  host: Host;
  path: Bag;
  want: Bag;
  /** The inputs as the program declares them, if `want` has values of the object instead of some. */
  declared?: Bag;
  /** The outputs in state after the last operation. */
  state: Bag;
  purpose: Purpose;
  /** Whether an in-place update may have changed the object. */
  isTouched?: boolean | undefined;
  /**
   * Whether an interrupted run has created the object, perhaps with other inputs. It is then ready in every status in
   * which an existing object is: an instance that was created with `booted: false` does not boot by itself.
   */
  isResumed?: boolean;
  /** Whether the create request of an interrupted run had other values of inputs that the API does not return. */
  hasUnknownInputs?: boolean;
  /**
   * The inputs that an update applies: those that its preview has shown, and those that a failed update was to change.
   * Undefined if all declared inputs must be applied, as after a create.
   */
  announced?: ReadonlySet<string> | undefined;
  /** The parts of inputs that a failed create or update may have changed. Their values in state may be old. */
  uncertain?: Uncertain | undefined;
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
    return found && withStateValues(fieldsOf(kind.outputs), found, state);
  }
  const record = await host.reads.view(area as Parameters<typeof host.reads.view>[0], path as never, { age });
  if (record === undefined) return undefined;
  const complete = withStateValues(recordFields(kind), record, state);
  if (!extend) return complete;
  const extended = await extend(context, complete);
  return extended && withStateValues(fieldsOf(kind.outputs), extended, state);
}

/**
 * Reads the object, and once more after half a second if it is not found: a service with several copies of its data, or a
 * proxy, can respond with 404 for an object that exists. Its resource must not be removed from state then.
 */
export async function observeSurely(target: Target, age: Age): Promise<Bag | undefined> {
  const found = await observe(target, age);
  if (found) return found;
  await target.host.sleep(500);
  return observe(target, "now");
}

/** Adds required fields that a response lacks. They keep their values from state. */
function withStateValues(fields: Record<string, z.core.$ZodType>, record: Bag, state: Bag): Bag {
  const absent = Object.entries(fields).flatMap(([key, field]) =>
    record[key] === undefined && !(field instanceof z.core.$ZodOptional) ? [key] : [],
  );
  return absent.length ? { ...record, ...pick(state, absent) } : record;
}

export function observedInputs(kind: Kind, path: Bag, observed: Bag, want: Bag): Bag {
  const inputs: Bag = {};
  for (const key of Object.keys(kind.fields)) {
    const { current } = fieldOf(kind, key);
    const value = current ? current(observed, want) : observed[key];
    if (value !== undefined && !isUnset(kind, key, value)) inputs[key] = value;
  }
  return { ...inputs, ...parentInputs(kind, path) };
}

/** Whether the API returned null or an empty text for an input that does not accept that value: the input is unset. */
const isUnset = (kind: Kind, key: string, value: unknown): boolean =>
  (value === null || value === "") && !z.safeParse(inputSchema(kind, key), value).success;

/** Whether the API returns the input's value. Otherwise, the input is compared with the value that was last applied. */
export const isReturned = (kind: Kind, key: string): boolean =>
  fieldOf(kind, key).current !== undefined || key in fieldsOf(kind.outputs) || key in (kind.identity.parents ?? {});

/**
 * The values to store in state: all declared inputs, and the outputs except those that the service changes on its own.
 * An input keeps the program's notation if that is equivalent to the API's value, and otherwise gets the API's value.
 * An input that the API does not return keeps the value that was last applied.
 */
export function stateOf(
  kind: Kind,
  path: Bag,
  { want, observed, state = {} }: { want: Bag; observed: Bag; state?: Bag },
): Bag {
  const outs: Bag = {};
  for (const [key, schema] of Object.entries(fieldsOf(kind.outputs))) {
    if (key === "id" || metaOf(schema).volatile || observed[key] === undefined) continue;
    const value = withoutVolatile(schema, observed[key]);
    const isUnchanged = key in state && isEqual(canonical(schema, state[key]), canonical(schema, value));
    outs[key] = isUnchanged ? state[key] : value;
  }
  const current = observedInputs(kind, path, observed, want);
  for (const key of Object.keys(want)) {
    if (!(key in kind.fields)) continue;
    if (isReturned(kind, key)) outs[key] = inputInProgramNotation(kind, key, current, want, { ...observed, ...want });
    else outs[key] = lastApplied(kind, key, want, state);
  }
  return outs;
}

/** A write-only input keeps the value with which the object was created, because updates do not change it. */
const lastApplied = (kind: Kind, key: string, want: Bag, state: Bag): unknown =>
  fieldOf(kind, key).change === "writeOnly" && Object.keys(state).length ? state[key] : want[key];

function inputInProgramNotation(kind: Kind, key: string, current: Bag, want: Bag, siblings: Bag): unknown {
  const schema = inputSchema(kind, key);
  const observed = withoutVolatile(fieldsOf(kind.outputs)[key] ?? schema, current[key]);
  const canonicalOf = (value: unknown): unknown => canonicalInput(kind, key, value, siblings, current[key]);
  const isEquivalent: Equivalence = (a, b) => {
    const wanted = canonicalOf(b);
    return isEqual(onlyDeclared(schema, canonicalOf(a), wanted), wanted);
  };
  return inProgramNotation(schema, observed, want[key], isEquivalent) ?? null;
}

type Equivalence = (observed: unknown, wanted: unknown) => boolean;

/**
 * Converts a value from the API to the program's notation. Each part that equals the declared value keeps that
 * notation, even inside lists and maps, so that a refresh shows only real changes.
 */
function inProgramNotation(
  schema: z.core.$ZodType,
  observed: unknown,
  wanted: unknown,
  isEquivalent: Equivalence = (a, b) => matchesDeclared(schema, a, b),
): unknown {
  if (isEquivalent(observed, wanted)) return withDeclaredNotation(schema, observed, wanted);
  if (Array.isArray(observed) && Array.isArray(wanted))
    return listInProgramNotation(schema, observed, wanted, isEquivalent);
  if (!isObject(observed) || !isObject(wanted)) return observed;
  const written = partsOf(schema, observed).flatMap(({ key, ...part }) => {
    const declared = ownProperty(wanted, String(key));
    if (declared === undefined) return [];
    return valueTypeOf(schema)
      ? [[key, entryInProgramNotation(part, declared, (a, b) => isEquivalent({ [key]: a }, { [key]: b }))]]
      : [[key, inProgramNotation(part.schema, part.value, declared)]];
  });
  return { ...observed, ...Object.fromEntries(written) };
}

/** Entries of lists and maps contain only the fields that the program sets, because omitted fields are not managed. */
const entryInProgramNotation = (
  { schema, value }: Omit<Part, "key">,
  wanted: unknown,
  isEquivalent: Equivalence,
): unknown => inProgramNotation(schema, onlyDeclared(schema, value, wanted), wanted, isEquivalent);

function listInProgramNotation(
  schema: z.core.$ZodType,
  observed: unknown[],
  wanted: unknown[],
  isEquivalent: Equivalence,
): unknown[] {
  const isSame: Equivalence = (a, b) => isEquivalent([a], [b]);
  // Two different entries show whether the list has an order: a whole list can be the same in reverse, as [a, b, a].
  const [first] = observed;
  const other = observed.find((item) => !isSame(item, first));
  const hasNoOrder = observed.length > 1 && (other === undefined || isEquivalent([first, other], [other, first]));
  if (hasNoOrder)
    return [
      ...wanted.filter((declared) => observed.some((item) => isSame(item, declared))),
      ...observed.filter((item) => !wanted.some((declared) => isSame(item, declared))),
    ];
  return partsOf(schema, observed).map((part, i) => {
    const declared =
      wanted.find((candidate) => isSame(part.value, candidate)) ??
      (observed.length === wanted.length ? wanted[i] : undefined);
    return declared === undefined ? part.value : entryInProgramNotation(part, declared, isSame);
  });
}

/** A value from the API in which declared fields have the program's notation. */
export function withDeclaredNotation(schema: z.core.$ZodType, observed: unknown, wanted: unknown): unknown {
  if (!isObject(observed) || !isObject(wanted) || !isRecord(schema)) return wanted;
  const fields = fieldsOf(schema);
  const written = Object.entries(wanted).map(([key, item]) => {
    const field = ownProperty(fields, key);
    return [key, field ? withDeclaredNotation(field, ownProperty(observed, key), item) : item];
  });
  return { ...observed, ...Object.fromEntries(written) };
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
): Promise<Read | undefined> => readResource(kind, host, id, state, declared);

/**
 * Reads the object of a resource for a refresh, which removes a missing object from the state. Fails if the refresh
 * finds none of the stack's objects. `lastInputs` contains inputs of the last update. Those to which the service cannot
 * change the object keep their values, so that the next update recognizes that the object has changed and not the
 * program.
 */
export async function refresh(
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  declared: readonly string[],
  lastInputs: Bag = {},
): Promise<Read | undefined> {
  const found = await readResource(kind, host, id, state, declared, readForRefresh);
  const want = { ...atPaths(state, declared), ...lastInputs };
  return found && { ...found, inputs: { ...found.inputs, ...unsupportedInputs(kind, found.outs, want) } };
}

async function readResource(
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  declared: readonly string[] | undefined,
  confirm: typeof readForRefresh = (_target, reading) => reading,
): Promise<Read | undefined> {
  const path = pathOf(kind, id);
  const want = declared ? atPaths(state, declared) : {};
  const target = { kind, path, want, state, purpose: "update" as const };
  return withTimeLimit({ kind, host, operation: "read", name: () => displayNameOf(target) }, async (host) => {
    const reading = readTarget({ ...target, host }, declared);
    if (!declared) return reading;
    recordRead(kind, host, path, reading);
    const found = await confirm({ ...target, host }, reading);
    if (!found && !(await isMissingWithParent(kind, host, path)))
      host.warn(`${displayNameOf({ kind, path, want: state })} no longer exists: the next update creates it again`);
    return found;
  });
}

async function readTarget(target: Target, declared: readonly string[] | undefined): Promise<Read | undefined> {
  const { kind, path, state } = target;
  const observed = await observeSurely(target, "recent");
  if (!observed) return undefined;
  const want = declared ? target.want : observedInputs(kind, path, observed, {});
  const outs = stateOf(kind, path, { want, observed, state });
  return { outs, inputs: declared ? atPaths(outs, declared) : pick(outs, Object.keys(want)) };
}
