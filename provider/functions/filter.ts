import { z } from "zod";
import {
  camel,
  didYouMean,
  filterableFields,
  isObject,
  layersOf,
  type Problem,
  problemsOf,
  suggestion,
} from "../../api";
import { type Bag, normalise } from "../engine/values";

type Schema = z.core.$ZodType;

export interface FilterField {
  /** Path of the field in the API, such as `entity.id`. */
  path: string;
  /**
   * Schema of the values to filter by. The schema has fewer constraints than the field's own schema, because a filter
   * may contain values that the field cannot have.
   */
  value: Schema;
  /** In a list of objects, the field of each object that is compared, such as `label` in `interfaces`. */
  inner: string | undefined;
}

/** The fields by which a list can be filtered, with camelCase names: `entity.id` becomes `entityId`. */
export const filterFields = (entry: Schema): ReadonlyMap<string, FilterField> =>
  new Map(
    [...filterableFields(entry)].map(([name, { path, value }]) => [
      camel(name.replaceAll(".", "_")),
      { path: name, value: wantedOf(value), inner: path === name ? undefined : camel(path.slice(name.length + 1)) },
    ]),
  );

function wantedOf(schema: Schema): Schema {
  const { inner, nullable } = layersOf(schema);
  const value = lenientSchema(inner);
  return nullable ? z.nullable(value) : value;
}

function lenientSchema(inner: Schema): Schema {
  if (inner instanceof z.core.$ZodNumber) return z.number();
  if (inner instanceof z.core.$ZodBoolean) return z.boolean();
  return inner instanceof z.core.$ZodEnum ? inner : z.string();
}

/** The comparisons that a field supports. `contains` is only for text. */
export function comparisonsOf(value: Schema): readonly string[] {
  const { inner } = layersOf(value);
  if (inner instanceof z.core.$ZodBoolean) return ["neq"];
  const ordered = ["neq", "gt", "gte", "lt", "lte"];
  return inner instanceof z.core.$ZodNumber ? ordered : [...ordered, "contains"];
}

type Path = Problem["path"];

interface Found {
  /** Value of the header `X-Filter`. */
  filter: Bag;
  problems: Problem[];
}

/** Converts a program's filter to the API's filter syntax. Collects all problems of the filter. */
export function readFilter(fields: ReadonlyMap<string, FilterField>, value: unknown, at: Path = ["filter"]): Found {
  if (!isObject(value)) return { filter: {}, problems: [{ path: at, reason: "must be an object" }] };
  const found: Found = { filter: {}, problems: [] };
  for (const [name, wanted] of Object.entries(value)) {
    if (wanted === undefined) continue;
    const path = [...at, name];
    const field = fields.get(name);
    const { value, problems } =
      name === "and" || name === "or"
        ? readParts(fields, wanted, path)
        : field
          ? readWanted(field, wanted, path)
          : { value: undefined, problems: [unknownField(path, [...fields.keys(), "and", "or"])] };
    found.filter[field?.path ?? `+${name}`] = value;
    found.problems.push(...problems);
  }
  return found;
}

interface Read {
  value: unknown;
  problems: Problem[];
}

function readParts(fields: ReadonlyMap<string, FilterField>, wanted: unknown, path: Path): Read {
  if (!Array.isArray(wanted)) return { value: wanted, problems: [{ path, reason: "must be a list of filters" }] };
  const parts = wanted.map((part, i) => readFilter(fields, part, [...path, i]));
  return { value: parts.map(({ filter }) => filter), problems: parts.flatMap(({ problems }) => problems) };
}

/** Converts the condition for one field: a value that the field must equal, or comparisons such as `{ gte: 20 }`. */
function readWanted({ value }: FilterField, wanted: unknown, path: Path): Read {
  if (!isObject(wanted)) return { value: normalise(value, wanted), problems: problemsIn(value, wanted, path) };
  const known = comparisonsOf(value);
  const declared = Object.entries(wanted).filter(([, operand]) => operand !== undefined);
  return {
    value: Object.fromEntries(declared.map(([name, operand]) => [`+${name}`, normalise(value, operand)])),
    problems: declared.flatMap(([name, operand]) =>
      known.includes(name)
        ? problemsIn(name === "contains" ? z.string() : value, operand, [...path, name])
        : [unknownField([...path, name], known)],
    ),
  };
}

function problemsIn(schema: Schema, value: unknown, at: Path): Problem[] {
  const { inner } = layersOf(schema);
  const values = inner instanceof z.core.$ZodEnum ? Object.values(inner._zod.def.entries).map(String) : [];
  const hint = typeof value === "string" && !values.includes(value) ? didYouMean(value, values) : "";
  if (hint) return [{ path: at, reason: `is not a valid value for this field${hint}` }];
  const { error } = z.safeParse(schema, normalise(schema, value), { reportInput: true });
  return problemsOf(error?.issues ?? []).map(({ path, reason }) => ({ path: [...at, ...path], reason }));
}

const UNKNOWN = "is not a filterable field";

/**
 * Whether the problem is about an unknown field. The value of such a field is not shown in messages, because it could
 * be a secret.
 */
export const isUnknownField = ({ reason }: Problem): boolean => reason.startsWith(UNKNOWN);

const unknownField = (path: Path, known: readonly string[]): Problem => ({
  path,
  reason: `${UNKNOWN}${suggestion(String(path.at(-1)), known)}`,
});
