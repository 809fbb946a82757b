import type { z } from "zod";
import { camel, camelPath, fieldsOf, fromWire, isReference, mapParts, toWire } from "../../api";
import type { Kind } from "../engine/definition";
import { withoutName } from "../engine/identity";
import { migrated } from "../engine/observe";
import type { Bag } from "../engine/values";
import { AUTONAMED, DECLARED, UNMET, VERSION, withoutOurs } from "./own-properties";
import { stateSchema } from "./state";

/** Converts a resource's properties from Pulumi to the API's names, as the engine uses them. */
export const toEngine = (kind: Kind, props: Bag): Bag => {
  const schema = stateSchema(kind);
  return withNumbers(schema, toWire(schema, withoutOurs(props))) as Bag;
};

/**
 * Converts ids from strings to numbers. The engine and dynamic resources use numbers, and Pulumi otherwise uses
 * strings.
 */
const withNumbers = (schema: z.core.$ZodType, value: unknown): unknown =>
  typeof value === "string" && isReference(schema) && /^[1-9]\d*$/.test(value)
    ? Number(value)
    : mapParts(schema, value, withNumbers);

/** Converts a resource's properties from the engine to the names in programs. */
export const fromEngine = (kind: Kind, bag: Bag): Bag => fromWire(stateSchema(kind), bag) as Bag;

/** The name of an input or output in programs. */
export const propertyName = (kind: Kind, key: string): string =>
  key in fieldsOf(stateSchema(kind)) ? camel(key) : key;

/** The outputs in a stack's state, converted to the current format and to the API's names. */
export const stateIn = (kind: Kind, props: Bag): Bag =>
  migrated(kind, toEngine(kind, props), Number(props[VERSION] ?? 0));

/**
 * Properties that only dynamic resources have: the paths that the program declares, and the inputs that have not been
 * applied.
 */
export const declarationsOf = (kind: Kind, declared: readonly string[], unmet: readonly string[]): Bag => ({
  [DECLARED]: declared.map(camelPath).join(","),
  ...(unmet.length && { [UNMET]: unmet.map((key) => propertyName(kind, key)).join(",") }),
});

/** The kind to use for these inputs. If the name was generated, the kind does not compare names. */
export const kindFor = (kind: Kind, inputs: Bag): Kind => (inputs[AUTONAMED] ? withoutName(kind) : kind);
