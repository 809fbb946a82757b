import type { z } from "zod";
import {
  camel,
  didYouMean,
  fieldsOf,
  fromWire,
  HIDDEN,
  metaOf,
  type Problem,
  partsOf,
  pathText,
  redact,
} from "../../api";
import type { Bag, Kind } from "./resource";

export interface Failure {
  /** The top-level property. */
  property: string;
  reason: string;
}

/** More of what was given would hide what is said about it. */
const SHOWN = 100;

/** A problem as Pulumi shows it: the top-level property, then where in it, what is allowed and what was given. */
export function failure(kind: Pick<Kind, "inputs">, inputs: Bag, { path, reason }: Problem): Failure {
  const { names, schema, secret, known } = follow(kind.inputs, path);
  const where = names.length > 1 ? `${pathText(names)} ` : "";
  const meant = schema ? "" : didYouMean(String(names.at(-1)), known);
  return {
    property: String(names[0] ?? ""),
    reason: `${where}${reason}${meant}${given(schema, valueAt(inputs, path), secret)}`,
  };
}

/** A field that nobody knows can be a secret one, ill-spelt: its value is not shown. */
function given(schema: z.core.$ZodType | undefined, value: unknown, secret: boolean): string {
  if (value === undefined || !schema) return "";
  const text = secret ? HIDDEN : written(fromWire(schema, redact(schema, value)));
  return ` (given ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text})`;
}

/** As JSON, except for numbers that JSON turns into null. */
const written = (value: unknown): string => (typeof value === "number" ? String(value) : JSON.stringify(value));

interface Place {
  /** The path under the names that programs use. */
  names: Problem["path"];
  /** What lies there; undefined for a field that nobody knows. */
  schema: z.core.$ZodType | undefined;
  secret: boolean;
  /** The names of the fields beside it. */
  known: string[];
}

function follow(inputs: z.core.$ZodType, path: Problem["path"]): Place {
  const start: Place = { names: [], schema: inputs, secret: false, known: [] };
  return path.reduce(({ names, schema, secret }, key) => {
    const fields = schema ? fieldsOf(schema) : {};
    const name = typeof key === "string" && key in fields ? camel(key) : key;
    const [part] = schema ? partsOf(schema, typeof key === "number" ? [undefined] : { [key]: undefined }) : [];
    return {
      names: [...names, name],
      schema: part?.schema,
      secret: secret || (part !== undefined && metaOf(part.schema).secret === true),
      known: Object.keys(fields).map(camel),
    };
  }, start);
}

export const valueAt = (value: unknown, path: Problem["path"]): unknown =>
  path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key], value);
