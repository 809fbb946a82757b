import { escapePathComponent, unescapePathComponent } from "fast-json-patch";
import type { z } from "zod";
import {
  camel,
  didYouMean,
  elementOf,
  fieldsOf,
  fromWire,
  HIDDEN,
  metaOf,
  type Problem,
  partsOf,
  redact,
} from "../../api";
import type { Difference } from "./comparison";
import { type Bag, containsUnknown, valueAt } from "./values";

export interface Failure {
  /** The path of the property that is invalid, in the names that programs use. */
  path: Problem["path"];
  /** The constraint. */
  reason: string;
  /** The given value as text. Undefined if there is none, or if the schema does not show whether it is a secret. */
  value?: string;
}

export const withValue = (reason: string, value: string | undefined): string =>
  value === undefined ? reason : `${reason} (given ${value})`;

/** Describes a problem for Pulumi: the path of the property, what is allowed, and the given value. */
export function failureOf(inputs: z.core.$ZodType, values: Bag, { path, reason }: Problem): Failure {
  const property = propertyAt(inputs, path);
  const { names, schema, siblings } = property;
  const suggestion = schema ? "" : didYouMean(String(names.at(-1)), siblings);
  const value = valueAt(values, path);
  // The value of an unknown property is not shown, because the property could be a misspelled secret property.
  const isShown = value !== undefined && schema && !containsUnknown(value);
  return { path: names, reason: `${reason}${suggestion}`, ...(isShown && { value: textOf(property, value) }) };
}

/** One difference between two values as text, with the names that programs use and without secrets. */
export interface Change {
  /** A JSON pointer, such as `/rules/inbound/0/ports`. */
  path: string;
  change: Difference["change"];
  before?: string;
  after?: string;
}

export function describedChange(inputs: z.core.$ZodType, { path, change, before, after }: Difference): Change {
  const keys = path.split("/").slice(1).map(unescapePathComponent);
  const property = propertyAt(inputs, keys);
  return {
    path: property.names.map((name) => `/${escapePathComponent(String(name))}`).join(""),
    change,
    ...(before !== undefined && { before: textOf(property, before) }),
    ...(after !== undefined && { after: containsUnknown(after) ? "not known yet" : textOf(property, after) }),
  };
}

/** Maximum length of a value in a message. */
const MAX_VALUE_LENGTH = 100;

function textOf({ schema, isSecret }: Property, value: unknown): string {
  if (isSecret || !schema) return HIDDEN;
  const shown = fromWire(schema, redact(schema, value));
  // JSON turns NaN and Infinity into null.
  const text = typeof shown === "number" ? String(shown) : JSON.stringify(shown);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

interface Property {
  /** The path in the names that programs use, such as `regionId` for `region_id`. */
  names: Problem["path"];
  /** The schema of the value at the path; undefined for an unknown field. */
  schema: z.core.$ZodType | undefined;
  isSecret: boolean;
  /**
   * The names of all fields of the object that contains the last field of the path, from which the message suggests a
   * correction of a misspelled name.
   */
  siblings: string[];
}

function propertyAt(inputs: z.core.$ZodType, path: Problem["path"]): Property {
  const root: Property = { names: [], schema: inputs, isSecret: false, siblings: [] };
  return path.reduce(({ names, schema, isSecret }, key) => {
    const fields = schema ? fieldsOf(schema) : {};
    const name = typeof key === "string" && key in fields ? camel(key) : key;
    const [part] = schema ? partsOf(schema, elementOf(schema) ? [undefined] : { [key]: undefined }) : [];
    return {
      names: [...names, name],
      schema: part?.schema,
      isSecret: isSecret || (part !== undefined && metaOf(part.schema).secret === true),
      siblings: Object.keys(fields).map(camel),
    };
  }, root);
}
