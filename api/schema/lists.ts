import { z } from "zod";
import { Paging } from "./common";
import { fieldsOf, metaOf } from "./meta";
import type { Operation } from "./operation";

/** Made once: a schema is compiled when it is first used. */
const Nothing = z.strictObject({});

/** The schema of a list's entries; undefined where the result is no list. */
export function entryOf({ result }: Pick<Operation, "result">): z.core.$ZodType | undefined {
  if (!entries.has(result)) entries.set(result, elementOf(result));
  return entries.get(result);
}
const entries = new WeakMap<z.core.$ZodType, z.core.$ZodType | undefined>();

function elementOf(result: z.core.$ZodType): z.core.$ZodType | undefined {
  const { data, pages, results } = fieldsOf(result);
  return pages && results && data instanceof z.core.$ZodArray ? data._zod.def.element : undefined;
}

/** Every list takes paging; nothing else has a query unless the contract says so. */
export const queryOf = (operation: Operation): z.core.$ZodType =>
  operation.query ?? (entryOf(operation) ? Paging : Nothing);

/** The paths of the fields that a list can be filtered by, such as `label` and `entity.id`. */
export function filterableOf(entry: z.core.$ZodType, prefix = ""): Set<string> {
  const paths = new Set<string>();
  for (const [name, field] of Object.entries(fieldsOf(entry))) {
    if (metaOf(field).filterable) paths.add(prefix + name);
    for (const inner of filterableOf(field, `${prefix}${name}.`)) paths.add(inner);
  }
  return paths;
}
