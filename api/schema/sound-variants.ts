import { z } from "zod";
import { boundsOf } from "./bounds";
import type { Problem } from "./problems";
import { elementOf, fieldsOf, innerOf, valueTypeOf } from "./schema-walk";

type Schema = z.core.$ZodType;
type Path = Problem["path"];
type Bag = Readonly<Record<string, unknown>>;

/** Number of variants: enough for each option of the enumerations that rules read. */
const VARIANTS = 6;

/**
 * The problems that rules find in inputs of which some parts are not valid. Rules expect valid inputs, so they check
 * variants in which other values stand for the invalid ones. A problem is reported if all variants have it, because it
 * then does not depend on the invalid values.
 */
export function certainProblems(
  inputs: z.core.$ZodObject,
  bag: Bag,
  broken: readonly Path[],
  problemsIn: (bag: Bag) => Problem[],
): Problem[] {
  if (!broken.length) return problemsIn(bag);
  const fields = fieldsOf(inputs);
  const mended = (bag: Bag, [key = "", ...rest]: Path, i: number): Bag =>
    fields[key] ? { ...bag, [key]: repaired(fields[key], bag[key], rest, i) } : bag;
  const variants = Array.from({ length: VARIANTS }, (_, i) => broken.reduce((bag, path) => mended(bag, path, i), bag));
  const isValidVariant = (variant: Bag): boolean =>
    broken.every(([key = ""]) => !fields[key] || isValid(fields[key], variant[key]));
  if (!variants.every(isValidVariant)) return [];
  const [first = [], ...others] = variants.map(problemsIn);
  return first.filter(
    ({ path }) =>
      !isWithin(path, broken) && others.every((problems) => problems.some((other) => isSame(path, other.path))),
  );
}

/** Whether a path is one of the given paths, or leads to a part of the value at one of them. */
export const isWithin = (path: Path, paths: readonly Path[]): boolean =>
  paths.some((outer) => outer.every((key, i) => String(path[i]) === String(key)));

const isSame = (a: Path, b: Path): boolean => a.length === b.length && isWithin(a, [b]);

const isValid = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success;

const NONE = Symbol("none");

/** Replaces the part at a path by a valid value or, if there is none, the smallest part around it. */
function repaired(schema: Schema, value: unknown, [key, ...rest]: Path, variant: number): unknown {
  if (key === undefined) return standIn(schema, variant);
  if (value === null || typeof value !== "object") return value;
  const part = fieldsOf(schema)[key] ?? elementOf(schema) ?? valueTypeOf(schema);
  if (!part) return without(value, key);
  const mended = repaired(part, (value as Bag)[key], rest, variant);
  if (mended === NONE) return standIn(schema, variant);
  return Array.isArray(value) ? value.with(Number(key), mended) : { ...value, [key]: mended };
}

const without = (value: object, key: string | number): unknown =>
  Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(key)));

/** A value that a schema accepts, another one for each variant if there are several. */
function standIn(schema: Schema, variant: number): unknown {
  const inner = innerOf(schema);
  const options = inner instanceof z.core.$ZodEnum ? Object.values(inner._zod.def.entries) : [];
  const { min = 0, max = min + 1 } = boundsOf(schema);
  const candidates = [...options, "a".repeat(Math.max(1, min)), "", min, max, true, false, [], {}];
  const valid = candidates.filter((candidate) => isValid(schema, candidate));
  if (!valid.length) return NONE;
  const both = isValid(schema, undefined) ? [...valid, undefined] : valid;
  return both[variant % both.length];
}
