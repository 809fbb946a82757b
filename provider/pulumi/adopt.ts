import { z } from "zod";
import {
  fieldsOf,
  formOf,
  holdsSecret,
  isObject,
  mapParts,
  metaOf,
  type Operation,
  operations,
  valueTypeOf,
} from "../../api";
import { check, invalidForCreate, missingForCreate } from "../engine/check";
import { canonical, canonicalInput, isEqual } from "../engine/comparison";
import { fieldOf, type Kind } from "../engine/definition";
import { diff } from "../engine/diff";
import type { Host } from "../engine/host";
import { displayNameOf, idOf, pathOf } from "../engine/identity";
import { defaultsOf, withDefaults } from "../engine/naming";
import { observe, observedInputs, stateOf } from "../engine/observe";
import { withTimeLimit } from "../engine/time-limits";
import { type Bag, defaultOf, pick, withoutVolatile } from "../engine/values";
import { alphabet } from "./order";

/**
 * An existing object that is added to a stack: its values for the state, and the inputs with which a program manages it
 * without changing it.
 */
export interface Adopted {
  /** The id, in the same format as in state. */
  id: string;
  /** The inputs for the program: those that the API returns and that differ from their defaults. */
  program: Bag;
  /** Inputs that are required to create the object and that the API does not return, such as a password. */
  withheld: string[];
  /** Optional inputs that the API does not return. */
  hidden: string[];
  inputs: Bag;
  outs: Bag;
  /** Inputs that the next update would change, for example because the stack's configuration adds tags. */
  differing: string[];
  /** Those of these inputs because of which the next update would replace the object. */
  replacing: string[];
}

/** Reads an object that is not in any state, without changing it. Undefined if the object does not exist. */
export function adopt(kind: Kind, host: Host, name: string, id: string): Promise<Adopted | undefined> {
  const path = pathOf(kind, id);
  const displayName = () => displayNameOf({ kind, path, want: {} });
  return withTimeLimit({ kind, host, operation: "read", name: displayName }, (host) =>
    adoptedObject(kind, host, name, path),
  );
}

async function adoptedObject(kind: Kind, host: Host, name: string, path: Bag): Promise<Adopted | undefined> {
  const observed = await observe({ kind, host, path, want: {}, state: {}, purpose: "update" }, "recent");
  if (!observed) return undefined;
  const now = observedInputs(kind, path, observed, {});
  const program = declared(kind, host, now, observed);
  const secrets = secretInputs(kind).filter((key) => now[key] !== undefined && now[key] !== null);
  const withheld = [...new Set([...secrets, ...missingForCreate(kind, program)])];
  // The program omits inputs that have their default, which are managed even so.
  const known = withDefaults(kind, host.settings, program);
  const checked = await check(kind, host, name, known, program);
  // Inputs that the provider computes from a local file, such as the hash of an image file, are copied from the
  // existing object, because the file is not available here.
  const inputs = { ...pick(now, computedInputs(kind)), ...checked.inputs };
  const outs = stateOf(kind, path, { want: inputs, observed });
  const { changed, unapplied, replaces } = diff(kind, outs, inputs);
  return {
    id: idOf(kind, path),
    program,
    withheld,
    hidden: settableInputs(kind).filter((key) => now[key] === undefined && !(key in inputs) && !withheld.includes(key)),
    inputs,
    outs,
    differing: [...changed, ...unapplied],
    replacing: replaces,
  };
}

/**
 * The inputs that the API returns, without those that have default values or the values of a new object. An input that
 * a create request requires is never left out.
 */
function declared(kind: Kind, host: Host, now: Bag, observed: Bag): Bag {
  const [fields, outputs, created] = [fieldsOf(kind.inputs), fieldsOf(kind.outputs), fieldsOf(createBody(kind))];
  const defaults = defaultsOf(kind, host.settings, {});
  const siblings = { ...observed, ...now };
  const isDefault = (key: string, value: unknown, initial: unknown): boolean =>
    initial !== undefined &&
    isEqual(canonicalInput(kind, key, value, siblings), canonicalInput(kind, key, initial, siblings));
  const all: Bag = Object.fromEntries(
    settableInputs(kind).flatMap((key) => {
      const field = fields[key] as z.core.$ZodType;
      if (holdsSecret(field)) return [];
      const value = settable(field, withoutVolatile(outputs[key] ?? field, now[key]), {
        created: created[key],
        object: observed,
      });
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const isOmitted = (key: string): boolean => isLeftOut(fields[key] as z.core.$ZodType, all[key]);
  const program = Object.fromEntries(
    Object.entries(all).filter(([key, value]) => {
      const initial = initialOf(fields[key] as z.core.$ZodType, { created: created[key], object: observed });
      return !isOmitted(key) && !isDefault(key, value, defaults[key] ?? initial);
    }),
  );
  const missing = missingForCreate(kind, program);
  // An empty value can be required too: that of `target` in a Null MX record.
  const isEmpty = missing.some((key) => Object.hasOwn(all, key) && isOmitted(key));
  const invalid = isEmpty ? invalidForCreate(kind, { ...program, ...pick(all, missing) }) : [];
  const required = missing.filter((key) => !isOmitted(key) || !invalid.includes(key));
  const declared = new Set([...Object.keys(program), ...required]);
  return Object.fromEntries(Object.entries(all).filter(([key]) => declared.has(key)));
}

/** The body of the request that creates an object, whose defaults the API sets. An empty object if there is none. */
function createBody({ identity: { area } }: Kind): z.core.$ZodType {
  const { create } = operations[area as keyof typeof operations] as Partial<Record<string, Operation>>;
  return create?.body ?? z.object({});
}

/** The context that decides which value a field of a new object has. */
interface Creation {
  /** The field in the body of the create request, if it has one. */
  created: z.core.$ZodType | undefined;
  object: Bag;
}

/** The value that the field has if the program omits it. Undefined if there is none, or if it is not known. */
function initialOf(field: z.core.$ZodType, { created, object }: Creation): unknown {
  const { initial } = metaOf(field);
  const own = defaultOf(field);
  if (own !== undefined || initial === null) return own;
  if (initial !== undefined) return typeof initial === "function" ? initial(object) : initial;
  return created && defaultOf(created);
}

/**
 * The parts of a value that the input accepts and that differ from their defaults and from those of a new object,
 * because the API also returns read-only fields.
 */
function settable(schema: z.core.$ZodType, value: unknown, { created, object }: Creation): unknown {
  const inner = (part: z.core.$ZodType, item: unknown) => settable(part, item, { created: undefined, object });
  if (Array.isArray(value)) return ordered(schema, mapParts(schema, value, inner) as unknown[]);
  if (!isObject(value) || valueTypeOf(schema)) return mapParts(schema, value, inner);
  const fields = Object.entries(fieldsOf(formOf(schema, value)));
  if (!fields.length) return value;
  const requested = created ? fieldsOf(created) : {};
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      const creation = { created: requested[key], object };
      const part = settable(field, value[key], creation);
      return isLeftOut(field, part) || isInitial(field, part, creation) ? [] : [[key, part]];
    }),
  );
}

/**
 * Sorts lists whose order does not matter. The API returns such lists in no particular order, but the same object must
 * always result in the same program.
 */
function ordered(schema: z.core.$ZodType, list: readonly unknown[]): readonly unknown[] {
  const sorted = [...list].sort((a, b) => alphabet.compare(JSON.stringify(a), JSON.stringify(b)));
  return isEqual(canonical(schema, sorted), canonical(schema, list)) ? sorted : list;
}

const isInitial = (field: z.core.$ZodType, value: unknown, creation: Creation): boolean => {
  const initial = field._zod.optin === undefined ? undefined : initialOf(field, creation);
  return initial !== undefined && isEqual(canonical(field, value), canonical(field, initial));
};

/**
 * Whether omitting the input has the same effect as declaring this value, for example an empty list for an optional
 * input. If the input also accepts null, an empty list is a value of its own: a key with access to no bucket.
 */
function isLeftOut(field: z.core.$ZodType, value: unknown): boolean {
  if (value === undefined) return true;
  const isValue = Array.isArray(value) && !value.length && z.safeParse(field, null).success;
  return field._zod.optin === "optional" && isEmpty(value) && !isValue;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.values(value as object).every(isEmpty));

const inputsThat = (kind: Kind, holds: (key: string, field: z.core.$ZodType) => boolean): string[] =>
  Object.entries(fieldsOf(kind.inputs)).flatMap(([key, field]) => (holds(key, field) ? [key] : []));

const secretInputs = (kind: Kind): string[] => inputsThat(kind, (_, field) => holdsSecret(field));

const computedInputs = (kind: Kind): string[] => inputsThat(kind, (_, field) => metaOf(field).computed === true);

/**
 * The inputs that are sent to the API, without those that only the provider uses, such as `allow_reboot` and computed
 * hashes.
 */
const settableInputs = (kind: Kind): string[] =>
  inputsThat(kind, (key, field) => !metaOf(field).computed && fieldOf(kind, key).change !== "local");
