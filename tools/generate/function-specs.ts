import { z } from "zod";
import { camel, fieldsOf, holdsSecret, isRequired, kebab, metaOf, singular } from "../../api";
import type { ReadFunction } from "../../provider/functions/functions";
import type { Method } from "../../provider/functions/methods";
import { DEPRECATED, factsOf } from "./client/areas";
import type { Filters } from "./filters";
import {
  type FunctionSpec,
  nameIn,
  type ObjectSpec,
  type PackageSchema,
  type Properties,
  type PropertySpec,
  type TypeSpec,
  token,
  typeAt,
} from "./model";
import type { ResultTypes } from "./results";
import { type Types, typeName } from "./types";

type Schema = z.core.$ZodType;

/** Converts a read operation of the API to a function in Pulumi's package schema. */
export function functionSpec(fn: ReadFunction, types: Types, results: ResultTypes, filters: Filters): FunctionSpec {
  const { area, operation, inputs, items } = fn;
  const fields = Object.entries(fieldsOf(inputs));
  const required = fields.filter(([, field]) => isRequired(field)).map(([key]) => camel(key));
  const subject = subjectOf(fn);
  const entry = items && elementIn(fieldsOf(fn.result)[items]);
  const record = entry && results.nameOf(entry, subject);
  const module = kebab(area);
  const property = (key: string, field: Schema): PropertySpec => {
    // Lists of the same object type share one filter type and one sort type, instead of a type for each function.
    if (record && key === "filter") return { ...about(field), ...filters.of(record, fn.filters) };
    if (record && key === "order_by") return { ...about(field), ...filters.order(record, field) };
    return types.input(field, typeName(subject, key));
  };
  return {
    description: [operation.summary, ...(items ? ["Reads all pages."] : []), factsOf(operation)]
      .join("\n\n")
      .replace("\n\nReads", " Reads"),
    ...(operation.deprecated ? { deprecationMessage: DEPRECATED } : {}),
    inputs: {
      properties: Object.fromEntries(fields.map(([key, field]) => [camel(key), property(key, field)])),
      ...(required.length ? { required } : {}),
    },
    ...(entry
      ? { outputs: listOf(items, holdsSecret(entry), results.record(entry, subject)), language: { nodejs: { module } } }
      : resultOf(results.record(fn.result, subject), { types: types.specs }, module)),
  };
}

/**
 * The type of a function's result. It lists the properties itself instead of referring to a named type, because Pulumi
 * YAML does not support a reference as a result.
 */
function resultOf(
  result: TypeSpec,
  schema: Pick<PackageSchema, "types">,
  module: string,
): Pick<FunctionSpec, "outputs" | "language"> {
  const { properties, required = [] } = typeAt(schema, result) as ObjectSpec;
  return { outputs: { properties, required }, language: { nodejs: { module, result: nameIn(result.$ref ?? "") } } };
}

/** A method of a resource class in Pulumi's package schema, which calls a function with the resource's id. */
export const methodSpec = (
  kind: string,
  { fn, id }: Method,
  { description, outputs, language }: FunctionSpec,
): FunctionSpec => ({
  description,
  inputs: {
    properties: {
      __self__: { $ref: `#/resources/${token(kind)}`, description: "Resource that the method is called on." },
    },
    required: ["__self__"],
  },
  outputs,
  ...(language && { language: { nodejs: { ...language.nodejs, calls: { name: fn.name, id: camel(id) } } } }),
});

const about = (field: Schema): PropertySpec => ({ description: metaOf(field).description ?? "" });

/** The object types that a function returns, each with a name. A union has one for each variant. */
export function recordsIn(fn: ReadFunction): [name: string, record: Schema][] {
  const { items, result } = fn;
  const record = items === undefined ? result : elementIn(fieldsOf(result)[items]);
  const name = subjectOf(fn);
  if (!(record instanceof z.core.$ZodDiscriminatedUnion)) return [[name, record]];
  const { discriminator, options } = record._zod.def;
  return options.map((option) => {
    const [kind] = (fieldsOf(option)[discriminator] as z.core.$ZodLiteral)._zod.def.values;
    return [typeName(name, String(kind)), option];
  });
}

/** The object type in a function's name: `Volume` in `getVolume`, and also in `listVolumes`. */
const subjectOf = ({ name, items }: ReadFunction): string =>
  items ? singular(name.slice("list".length)) : name.slice("get".length);

const elementIn = (list: Schema | undefined): Schema => (list as z.core.$ZodArray)._zod.def.element;

function listOf(items: string, secret: boolean, entry: TypeSpec): { properties: Properties; required: string[] } {
  const description = "All entries that match the arguments.";
  const list: PropertySpec = { type: "array", items: entry, description, ...(secret ? { secret } : {}) };
  return { properties: { [items]: list }, required: [items] };
}
