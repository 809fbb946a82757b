import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { z } from "zod";
import { camel, elementOf, fieldsOf, innerOf, isObject, isText, metaOf, valueTypeOf } from "../../api";
import type { Kind } from "../engine/definition";
import { type Bag, isSecretValue, SECRET, SIGNATURE, UNKNOWN } from "../engine/values";
import { withoutUndefined } from "../pulumi/own-properties";
import { toProgramNames } from "../pulumi/properties";
import { ANY_KEY, mapSelected, type Selection, selectedAt, union } from "../pulumi/selection";
import { stateSchema } from "../pulumi/state";

type Schema = z.core.$ZodType;

export type Secrets = Selection;

/**
 * Properties from a message of Pulumi. Secrets are unwrapped, and `secrets` contains their paths. All unknown values
 * are replaced by a single placeholder.
 */
export interface ReceivedProperties {
  bag: Bag;
  secrets: Secrets;
}

/**
 * Pulumi's placeholders for unknown values: the one for strings, and those for booleans, numbers, lists, objects, assets
 * and archives. The plugin accepts all of them, but sends only the first, whatever the type of the value: the SDKs of
 * Node, Python and Go know no other, and would pass it to a program's `apply` as if it were a value.
 */
const unknowns: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

export function fromStruct(struct: Struct | undefined): ReceivedProperties {
  const { value, secrets = {} } = unwrapped(struct?.toJavaScript() ?? {});
  return { bag: value as Bag, secrets };
}

function unwrapped(value: unknown): { value: unknown; secrets?: Secrets } {
  if (unknowns.has(value)) return { value: UNKNOWN };
  if (value === null || typeof value !== "object") return { value };
  if (Array.isArray(value)) {
    const items = value.map(unwrapped);
    const secrets = items.flatMap((item) => item.secrets ?? []).reduce<Secrets | undefined>(union, undefined);
    return { value: items.map((item) => item.value), ...(secrets && { secrets: { [ANY_KEY]: secrets } }) };
  }
  const bag = value as Bag;
  if (isSecretValue(bag)) return { value: unwrapped(bag.value).value, secrets: true };
  const entries = Object.entries(bag).map(([key, item]) => [key, unwrapped(item)] as const);
  const secrets = Object.fromEntries(entries.flatMap(([key, item]) => (item.secrets ? [[key, item.secrets]] : [])));
  return {
    value: Object.fromEntries(entries.map(([key, item]) => [key, item.value])),
    ...(Object.keys(secrets).length && { secrets }),
  };
}

/**
 * Converts properties for a message to Pulumi: secrets are wrapped, and `undefined` is removed, because Pulumi rejects it.
 */
export const toStruct = (bag: Bag, secrets: Secrets = {}): Struct =>
  Struct.fromJavaScript(wrapped(withoutUndefined(bag), secrets) as Parameters<typeof Struct.fromJavaScript>[0]);

const wrapped = (value: unknown, secrets: Secrets): unknown =>
  mapSelected(value, secrets, (secret) => ({ [SIGNATURE]: SECRET, value: secret }));

/**
 * Converts the properties of a resource for a message to Pulumi. `secrets` are the values that the program has marked
 * as secret, and `stored` the properties in state.
 */
export function propertiesToStruct(kind: Kind, bag: Bag, ownProperties: Bag, secrets: Secrets, stored?: Bag): Struct {
  const schema = stateSchema(kind);
  const props = { ...(withTextIds(schema, toProgramNames(kind, bag)) as Bag), ...ownProperties };
  const allSecrets = [secrets, secretsIn(schema), secretContainers(kind, secrets), secretHashes(kind, secrets)].reduce(
    union,
  );
  return toStruct(stored ? (asStored(props, stored) as Bag) : props, allSecrets);
}

/**
 * Converts ids to numbers if they are numbers in state, as in the state of dynamic resources. A refresh would otherwise
 * report a change.
 */
function asStored(value: unknown, stored: unknown): unknown {
  if (typeof stored === "number" && value === String(stored)) return stored;
  if (Array.isArray(value) && Array.isArray(stored)) return value.map((item, i) => asStored(item, stored[i]));
  if (!isObject(value) || !isObject(stored)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asStored(item, stored[key])]));
}

/**
 * Returns a function that selects the parts of a schema that meet a condition, for example all secret fields. Fields in
 * the selection have the names that programs use.
 */
function selectionOf(matches: (schema: Schema) => boolean): (schema: Schema) => Selection {
  const selections = new WeakMap<Schema, Selection>();
  const select = (schema: Schema): Selection => {
    const selection = selections.get(schema) ?? selectionIn(schema);
    selections.set(schema, selection);
    return selection;
  };
  function selectionIn(schema: Schema): Selection {
    if (matches(schema)) return true;
    const inner = innerOf(schema);
    const each = elementOf(inner) ?? valueTypeOf(inner);
    if (each) return withoutEmpty([[ANY_KEY, select(each)]]);
    if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.map(select).reduce(union);
    const propertyNameOf = (key: string) => (metaOf(schema).opaque ? key : camel(key));
    return withoutEmpty(Object.entries(fieldsOf(inner)).map(([key, field]) => [propertyNameOf(key), select(field)]));
  }
  return select;
}

const withoutEmpty = (selection: [key: string, parts: Selection][]): Selection =>
  Object.fromEntries(selection.filter(([, part]) => part === true || Object.keys(part).length));

export const secretsIn = selectionOf((schema) => metaOf(schema).secret === true);

const textIdsIn = selectionOf(isText);

/** Converts the ids in a value to strings. Field names are those that programs use. */
export const withTextIds = (schema: Schema, value: unknown): unknown =>
  mapSelected(value, textIdsIn(schema), (id) => (typeof id === "number" ? String(id) : id));

/** Outputs whose value contains an input that the program marks as secret. The outputs are secret too. */
function secretContainers({ outputs }: Kind, secrets: Secrets): Secrets {
  const fields = Object.entries(fieldsOf(outputs));
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      const { contains } = metaOf(field);
      const isSecret = contains !== undefined && selectedAt(secrets, [camel(contains)]);
      return isSecret ? [[camel(key), true as const]] : [];
    }),
  );
}

/** The hashes of a content, from which a short content can be found, if the program marks the content as secret. */
function secretHashes({ inputs }: Kind, secrets: Secrets): Secrets {
  const fields = Object.entries(fieldsOf(inputs));
  if (!fields.some(([key, field]) => metaOf(field).hashedIn && selectedAt(secrets, [camel(key)]))) return {};
  return Object.fromEntries(
    fields.flatMap(([key, field]) => (metaOf(field).computed ? [[camel(key), true as const]] : [])),
  );
}
