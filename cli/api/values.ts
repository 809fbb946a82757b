import { z } from "zod";
import { elementOf, layersOf } from "../../api";
import { type Flag, isMap } from "./flags";

type Schema = z.core.$ZodType;

/**
 * Thrown for a text that is not a valid value of a flag. The message, such as `must be true or false`, is shown after
 * the flag's name.
 */
export class InvalidValueError extends Error {}

/**
 * Parses the values of a flag. A flag for a list or map can have several; for any other flag, the last value applies.
 */
export function parseValues({ schema, repeats }: Pick<Flag, "schema" | "repeats">, texts: readonly string[]): unknown {
  const last = texts.at(-1) ?? "";
  if (!repeats || (texts.length === 1 && last === "null" && layersOf(schema).nullable)) return single(schema, last);
  if (isMap(schema)) return Object.fromEntries(texts.flatMap(entriesOf));
  const element = elementOf(schema) as Schema;
  return texts.flatMap((text) => listOf(text) ?? [single(element, text)]);
}

function single(schema: Schema, text: string): unknown {
  const { inner, nullable } = layersOf(schema);
  if (nullable && text === "null") return null;
  if (inner instanceof z.core.$ZodNumber) return numberOf(text, inner);
  if (inner instanceof z.core.$ZodBoolean) return parseBoolean(text);
  if (inner instanceof z.core.$ZodUnion) return parseUnion(inner._zod.def.options, text);
  if (inner instanceof z.core.$ZodLiteral) return inner._zod.def.values.find((value) => String(value) === text) ?? text;
  if (isJson(inner)) return jsonOf(text, inner instanceof z.core.$ZodUnknown ? text : undefined);
  return text;
}

const isJson = (schema: Schema): boolean =>
  [z.core.$ZodObject, z.core.$ZodArray, z.core.$ZodRecord, z.core.$ZodUnknown].some((kind) => schema instanceof kind);

function numberOf(text: string, schema: Schema): number {
  const isInteger = schema instanceof z.core.$ZodNumberFormat;
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text))
    throw new InvalidValueError(`must be a ${isInteger ? "whole " : ""}number`);
  return Number(text);
}

function parseBoolean(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidValueError("must be true or false");
  return text === "true";
}

/**
 * Parses a text as the first variant of a union that accepts it. Returns the text unchanged if none does; validating
 * the input then reports the error.
 */
function parseUnion(options: readonly Schema[], text: string): unknown {
  for (const option of options) {
    try {
      const value = single(option, text);
      if (z.safeParse(option, value).success) return value;
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
    }
  }
  return text;
}

function jsonOf(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (otherwise !== undefined) return otherwise;
    // The parser's own error is not shown, because it would quote the text, which may be secret.
    throw new InvalidValueError("must be JSON");
  }
}

/** Parses a value that contains a whole list: `["a", "b"]`. */
function listOf(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  const list = jsonOf(text, false);
  return Array.isArray(list) ? list : undefined;
}

/** Parses a value that is one entry of a map, `key=value`, or a whole map in JSON. */
function entriesOf(text: string): [string, unknown][] {
  if (text.trimStart().startsWith("{")) return Object.entries(jsonOf(text) as object);
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidValueError("must be key=value or a JSON object");
  return [[text.slice(0, at), text.slice(at + 1)]];
}
