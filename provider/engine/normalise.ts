import { z } from "zod";
import { fieldsOf } from "../../api/meta";
import { camel } from "../names";
import type { Bag, Kind } from "../resource";
import { holdsUnknown, isUnknown } from "./unknown";
import { bare, mapParts } from "./walk";

/** The inputs as the API takes them: numbers written as strings are numbers, documented defaults are filled in. */
export function normalise(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null || isUnknown(value)) return value;
  const inner = bare(schema);
  if (inner instanceof z.core.$ZodNumber && typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
  return withDefaults(inner, mapParts(inner, value, normalise));
}

function withDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  if (!(schema instanceof z.core.$ZodObject) || typeof value !== "object" || value === null) return value;
  const absent = Object.entries(fieldsOf(schema)).filter(([key]) => (value as Bag)[key] === undefined);
  const filled = absent.flatMap(([key, field]) => {
    const initial = defaultOf(field);
    return initial === undefined ? [] : [[key, initial] as const];
  });
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries([...present, ...filled]);
}

const defaultOf = (schema: z.core.$ZodType): unknown =>
  schema instanceof z.core.$ZodDefault ? structuredClone(schema._zod.def.defaultValue) : undefined;

/** Inputs rounded as the service rounds them, and a sentence for each that was. */
export function round(kind: Kind, inputs: Bag): { inputs: Bag; warnings: string[] } {
  const rounded = { ...inputs };
  const warnings: string[] = [];
  for (const [key, toNearest] of Object.entries(kind.rounds ?? {})) {
    const given = inputs[key];
    if (given === undefined || given === null || holdsUnknown(given) || !toNearest) continue;
    if (typeof given !== "number") continue;
    rounded[key] = toNearest(given);
    if (rounded[key] !== given)
      warnings.push(`${camel(key)} ${given} becomes ${rounded[key]}, the value the service knows`);
  }
  return { inputs: rounded, warnings };
}
