import { z } from "zod";
import { camel, fieldsOf, innerOf, isObject, isReference, mapParts, metaOf } from "../../api";
import type { Bag, Kind } from "./resource";
import { holdsUnknown, isUnknown } from "./unknown";

/**
 * The inputs as the API takes them: numbers written as strings are numbers, words are in small letters where the contract
 * leaves that open, documented defaults are filled in.
 */
export function normalise(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null || isUnknown(value)) return value;
  if (typeof value === "string") return spelt(schema, value);
  const inner = innerOf(schema);
  return withDefaults(inner, mapParts(inner, value, normalise));
}

function spelt(schema: z.core.$ZodType, text: string): unknown {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodEnum && metaOf(schema).caseless)
    return Object.values(inner._zod.def.entries).find((word) => word === text.toLowerCase()) ?? text;
  if (!(inner instanceof z.core.$ZodNumber)) return text;
  // Only the id of a part names its parents as well: elsewhere `12/34` is the id of something else.
  const own =
    isReference(inner) && metaOf(schema).part && /^\d+(\/\d+)+$/.test(text)
      ? text.slice(text.lastIndexOf("/") + 1)
      : text;
  return /^-?\d+$/.test(own) ? Number(own) : text;
}

function withDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  if (!(schema instanceof z.core.$ZodObject) || !isObject(value)) return value;
  const absent = Object.entries(fieldsOf(schema)).filter(([key]) => value[key] === undefined);
  const filled = absent.flatMap(([key, field]) => {
    const initial = defaultOf(field);
    return initial === undefined ? [] : [[key, initial] as const];
  });
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries([...present, ...filled]);
}

/** What the contract fills in where an input is absent. */
export const defaultOf = (schema: z.core.$ZodType): unknown =>
  schema instanceof z.core.$ZodDefault ? structuredClone(schema._zod.def.defaultValue) : undefined;

/** Inputs rounded as the service rounds them, and a sentence for each that was. */
export function round(kind: Kind, inputs: Bag): { inputs: Bag; warnings: string[] } {
  const rounded = { ...inputs };
  const warnings: string[] = [];
  for (const [key, toNearest] of Object.entries(kind.rounds ?? {})) {
    const given = inputs[key];
    if (given === undefined || given === null || holdsUnknown(given) || !toNearest) continue;
    // What is no such number at all is refused as it was given.
    if (!z.safeParse(kind.inputs.shape[key], given).success) continue;
    rounded[key] = toNearest(given);
    if (rounded[key] !== given)
      warnings.push(`${camel(key)} ${given} becomes ${rounded[key]}, the value the service knows`);
  }
  return { inputs: rounded, warnings };
}
