import type { z } from "zod";
import { metaOf, visit } from "../../api";
import type { Kind } from "../../provider/engine/definition";

type Schema = z.core.$ZodType;

/** The schema that a chain of `.describe()` and `.meta()` started from: all its copies are of one shape. */
export const originOf = (schema: Schema): Schema => (schema._zod.parent ? originOf(schema._zod.parent) : schema);

/** Every field name in a schema, however deep. */
export const fieldNames = (schema: Schema): string[] => [...visit(schema)].flatMap(({ field }) => field ?? []);

/** The version that a kind or a field came with, which is the first one unless it says another. */
export const sinceOf = ({ since = "0.1.0" }: Pick<Kind, "since">, field?: Schema): string =>
  (field && metaOf(field).since) ?? since;
