import { z } from "zod";
import { type callOptions, elementOf, fieldsOf, flagNames, Id, kebab, layersOf, type Operation } from "../../api";
import { type InputPart, inputFields } from "../../provider/client/flat-input";

type Schema = z.core.$ZodType;

/** A flag of an operation. It sets a field of the operation's input, or a field of a nested object. */
export interface Flag {
  /** Name without the leading dashes, such as `compute-id` or `alerts.network-in`. */
  name: string;
  part: Exclude<InputPart, "filter" | "whole body">;
  /** Path of the field within the path parameters, the query or the body. */
  path: readonly string[];
  schema: Schema;
  /** Placeholder of the value in help texts. Omitted for a flag without a value. */
  value?: string;
  /** Whether the flag can be given several times. */
  repeats: boolean;
}

/** Options of the command itself, with the placeholders of their values. */
export const commonOptions = {
  json: "",
  jq: "<filter>",
  columns: "<fields>",
  all: "",
  filter: "<condition>",
  "order-by": "<field>",
  desc: "",
  file: "<file>",
  output: "<file>",
  url: "<url>",
  token: "<token>",
  timeout: "<seconds>",
  verbose: "",
  help: "",
} as const satisfies Record<(typeof callOptions)[number], string>;

export type CommonOption = keyof typeof commonOptions;

const flagsByOperation = new WeakMap<Operation, readonly Flag[]>();

/** All flags of an operation: first for path parameters, then for the query, then for the body. */
export function flagsOf(operation: Operation): readonly Flag[] {
  const flags = flagsByOperation.get(operation) ?? flagsFor(operation);
  flagsByOperation.set(operation, flags);
  return flags;
}

function flagsFor(operation: Operation): Flag[] {
  const names = flagNames(operation);
  return inputFields(operation).flatMap(([field, part]) => {
    if (part === "filter" || part === "whole body") return [];
    return expanded(names[part].get(field) as string, part, [field], fieldOf(operation, part, field));
  });
}

function fieldOf({ params = {}, query, body }: Operation, part: Flag["part"], field: string): Schema {
  if (part === "path") return params[field] ?? Id;
  return fieldsOf((part === "query" ? query : body) as Schema)[field] as Schema;
}

/** A flag for a field and, if the field is an object, flags for its fields, such as `alerts.network-in`. */
function expanded(name: string, part: Flag["part"], path: readonly string[], schema: Schema): Flag[] {
  const inner = Object.entries(fieldsOf(layersOf(schema).inner));
  const value = placeholderOf(schema);
  const repeats = value !== undefined && (elementOf(schema) !== undefined || isMap(schema));
  return [
    { name, part, path, schema, repeats, ...(value !== undefined && { value }) },
    ...inner.flatMap(([field, nested]) => expanded(`${name}.${kebab(field)}`, part, [...path, field], nested)),
  ];
}

/** Whether the value is a map whose keys are user data. */
export const isMap = (schema: Schema): boolean => layersOf(schema).inner instanceof z.core.$ZodRecord;

function placeholderOf(schema: Schema): string | undefined {
  const { inner, nullable } = layersOf(schema);
  if (inner instanceof z.core.$ZodBoolean) return nullable ? "<true|false|null>" : undefined;
  if (isMap(schema)) return "<key=value>";
  return `<${kindOf(elementOf(schema) ?? schema)}>`;
}

function kindOf(schema: Schema): string {
  const { inner } = layersOf(schema);
  if (inner instanceof z.core.$ZodNumber) return "number";
  if (inner instanceof z.core.$ZodBoolean) return "true|false";
  if (inner instanceof z.core.$ZodString || inner instanceof z.core.$ZodEnum || inner instanceof z.core.$ZodLiteral)
    return "text";
  return "json";
}

/** The allowed values of an enum, literal or boolean. Empty if other values are possible. */
export function choicesOf({ schema }: Pick<Flag, "schema">): string[] {
  const { inner } = layersOf(elementOf(schema) ?? schema);
  if (inner instanceof z.core.$ZodEnum) return Object.values(inner._zod.def.entries).map(String);
  if (inner instanceof z.core.$ZodLiteral) return inner._zod.def.values.map(String);
  return inner instanceof z.core.$ZodBoolean ? ["true", "false"] : [];
}
