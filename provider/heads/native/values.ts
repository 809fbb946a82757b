import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { z } from "zod";
import {
  camel,
  elementOf,
  fieldsOf,
  holdsSecret,
  innerOf,
  isObject,
  mapParts,
  metaOf,
  valueTypeOf,
} from "../../../api";
import type { Kind } from "../../engine/definition";
import { type Bag, isUnknown, SECRET, SIGNATURE, UNKNOWN } from "../../engine/values";
import { plain } from "../own-properties";
import { fromEngine } from "../properties";
import { stateSchema } from "../state";

type Schema = z.core.$ZodType;

/**
 * The parts of a value that are secret: the whole value, or the given keys; `*` matches every entry of a list or map.
 */
export type Secrets = true | { readonly [key: string]: Secrets };

/**
 * Properties from Pulumi's messages: `secrets` lists the secret parts, whose wrappers are removed, and a single
 * placeholder represents unknown values of all types.
 */
export interface Received {
  bag: Bag;
  secrets: Secrets;
}

const EVERY = "*";

/** Placeholders for values that are not known yet, by the type of the value. */
const unknowns = {
  string: UNKNOWN,
  boolean: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  asset: "030794c1-ac77-496b-92df-f27374a8bd58",
  archive: "e48ece36-62e2-4504-bad9-02848725956a",
} as const;

const isAnyUnknown = (value: unknown): boolean => Object.values<unknown>(unknowns).includes(value);

export function received(struct: Struct | undefined): Received {
  const { value, secrets = {} } = unwrapped(struct?.toJavaScript() ?? {});
  return { bag: value as Bag, secrets };
}

function unwrapped(value: unknown): { value: unknown; secrets?: Secrets } {
  if (isAnyUnknown(value)) return { value: UNKNOWN };
  if (value === null || typeof value !== "object") return { value };
  if (Array.isArray(value)) {
    const items = value.map(unwrapped);
    const secrets = items.flatMap((item) => item.secrets ?? []).reduce<Secrets | undefined>(union, undefined);
    return { value: items.map((item) => item.value), ...(secrets && { secrets: { [EVERY]: secrets } }) };
  }
  const bag = value as Bag;
  if (bag[SIGNATURE] === SECRET) return { value: unwrapped(bag.value).value, secrets: true };
  const entries = Object.entries(bag).map(([key, item]) => [key, unwrapped(item)] as const);
  const secrets = Object.fromEntries(entries.flatMap(([key, item]) => (item.secrets ? [[key, item.secrets]] : [])));
  return {
    value: Object.fromEntries(entries.map(([key, item]) => [key, item.value])),
    ...(Object.keys(secrets).length && { secrets }),
  };
}

/** The parts that are secret in either value. */
export function union(a: Secrets | undefined, b: Secrets | undefined): Secrets {
  if (a === true || b === true) return true;
  if (!a || !b) return a ?? b ?? {};
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, union(a[key], b[key])]));
}

/**
 * Properties in the form of Pulumi's messages: secrets wrapped, unknown values with their types. Pulumi rejects
 * `undefined` anywhere.
 */
export const sent = (bag: Bag, secrets: Secrets = {}): Struct =>
  Struct.fromJavaScript(wrapped(plain(bag), secrets) as Parameters<typeof Struct.fromJavaScript>[0]);

function wrapped(value: unknown, secrets: Secrets | undefined): unknown {
  if (value === null || !secrets) return value;
  if (secrets === true) return { [SIGNATURE]: SECRET, value };
  if (Array.isArray(value)) return value.map((item) => wrapped(item, secrets[EVERY]));
  if (!isObject(value)) return value;
  const at = (key: string) => (secrets[key] || secrets[EVERY] ? union(secrets[key], secrets[EVERY]) : undefined);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrapped(item, at(key))]));
}

/** A resource's properties in the form of Pulumi's messages; `secrets` are those that the program marked as secret. */
export function sentOf(kind: Kind, bag: Bag, own: Bag, secrets: Secrets): Struct {
  const props = { ...fromEngine(kind, typed(stateSchema(kind), bag) as Bag), ...own };
  return sent(props, [secrets, secretsIn(stateSchema(kind)), containing(kind, secrets)].reduce(union));
}

/** Replaces unknown values by placeholders for the types that the values will have. */
const typed = (schema: Schema, value: unknown): unknown =>
  isUnknown(value) ? unknowns[typeOf(schema)] : mapParts(schema, value, typed);

function typeOf(schema: Schema): keyof typeof unknowns {
  const inner = innerOf(schema);
  if (metaOf(schema).asset) return "asset";
  if (inner instanceof z.core.$ZodNumber) return "number";
  if (inner instanceof z.core.$ZodBoolean) return "boolean";
  if (inner instanceof z.core.$ZodArray) return "array";
  return inner instanceof z.core.$ZodObject || inner instanceof z.core.$ZodRecord ? "object" : "string";
}

const known = new WeakMap<Schema, Secrets>();

/** The parts that the schema marks as secret, under the names that programs use. */
export function secretsIn(schema: Schema): Secrets {
  const found = known.get(schema) ?? secretParts(schema);
  known.set(schema, found);
  return found;
}

function secretParts(schema: Schema): Secrets {
  if (metaOf(schema).secret) return true;
  if (!holdsSecret(schema)) return {};
  const inner = innerOf(schema);
  const each = elementOf(inner) ?? valueTypeOf(inner);
  if (each) return { [EVERY]: secretsIn(each) };
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.map(secretsIn).reduce(union);
  const fields = Object.entries(fieldsOf(inner)).filter(([, field]) => holdsSecret(field));
  return Object.fromEntries(fields.map(([key, field]) => [metaOf(schema).opaque ? key : camel(key), secretsIn(field)]));
}

/** Outputs that contain an input are secret if the input is. */
function containing({ outputs }: Kind, secrets: Secrets): Secrets {
  const fields = Object.entries(fieldsOf(outputs));
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      const { contains } = metaOf(field);
      const isSecret = contains !== undefined && secrets !== true && secrets[camel(contains)] !== undefined;
      return isSecret ? [[camel(key), true as const]] : [];
    }),
  );
}
