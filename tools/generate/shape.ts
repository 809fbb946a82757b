import type { z } from "zod";
import { metaOf, visit } from "../../api";
import type { Kind } from "../../provider/engine/definition";

type Schema = z.core.$ZodType;

/**
 * The schema from which `.describe()` or `.meta()` has made a copy. All copies of a schema get the same generated type.
 */
export const originOf = (schema: Schema): Schema => (schema._zod.parent ? originOf(schema._zod.parent) : schema);

/** All names of fields in a schema, including nested ones. */
export const fieldNames = (schema: Schema): string[] => [...visit(schema)].flatMap(({ field }) => field ?? []);

/** The package version that added a resource class or a field. Defaults to the first version, 0.1.0. */
export const sinceOf = ({ since = "0.1.0" }: Pick<Kind, "since">, field?: Schema): string =>
  (field && metaOf(field).since) ?? since;
