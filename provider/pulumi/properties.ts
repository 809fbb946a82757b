import type { z } from "zod";
import { camel, camelPath, fieldsOf, fromWire, isReference, mapParts, toWire } from "../../api";
import type { Kind } from "../engine/definition";
import { withoutName } from "../engine/naming";
import { migrated } from "../engine/observe";
import { unsupportedInputs } from "../engine/unsupported";
import type { Bag } from "../engine/values";
import { AUTONAMED, DECLARED, UNMET, UNSUPPORTED, VERSION, withoutOwnProperties } from "./own-properties";
import { stateSchema } from "./state";

/** Converts a resource's properties from the names and types that Pulumi uses to those of the API. */
export const toApiNames = (kind: Kind, props: Bag): Bag => {
  const schema = stateSchema(kind);
  return withNumbers(schema, toWire(schema, withoutOwnProperties(props))) as Bag;
};

/** Converts ids to numbers, because Pulumi passes the id of another resource as a string. */
const withNumbers = (schema: z.core.$ZodType, value: unknown): unknown =>
  typeof value === "string" && isReference(schema) && /^[1-9]\d*$/.test(value)
    ? Number(value)
    : mapParts(schema, value, withNumbers);

/** Converts a resource's properties from the API's names to the names in programs. */
export const toProgramNames = (kind: Kind, bag: Bag): Bag => fromWire(stateSchema(kind), bag) as Bag;

export const propertyName = (kind: Kind, key: string): string =>
  key in fieldsOf(stateSchema(kind)) ? camel(key) : key;

/** The outputs in a stack's state, converted to the current format and to the API's names. */
export const stateIn = (kind: Kind, props: Bag): Bag =>
  migrated(kind, toApiNames(kind, props), Number(props[VERSION] ?? 0));

/**
 * Properties that dynamic resources store in addition, because Pulumi does not pass inputs to their refresh: the paths
 * that the program declares, the inputs that have not been applied yet, and those of `inputs` that cannot be applied.
 */
export function declaredProperties(
  kind: Kind,
  { outs, inputs, declared, unmet }: { outs: Bag; inputs: Bag; declared: readonly string[]; unmet: readonly string[] },
): Bag {
  const unsupported = toProgramNames(kind, unsupportedInputs(kind, outs, inputs));
  return {
    [DECLARED]: declared.map(camelPath).join(","),
    ...(unmet.length && { [UNMET]: unmet.map((key) => propertyName(kind, key)).join(",") }),
    ...(Object.keys(unsupported).length && { [UNSUPPORTED]: unsupported }),
  };
}

/**
 * The resource definition for these inputs. If the program omits the name, the definition does not compare the
 * generated name with the object's name, so a renamed object does not count as changed. The kind's own name stays.
 */
export const kindFor = (kind: Kind, inputs: Bag): Kind => (inputs[AUTONAMED] ? withoutName(kind) : kind);
