import { z } from "zod";
import { layersOf } from "../../api/bounds";
import * as common from "../../api/common";
import { fieldsOf, metaOf } from "../../api/meta";
import { bare, valueType } from "../../provider/engine/walk";

type Schema = z.core.$ZodType;

/** The schema that a chain of `.describe()` and `.meta()` started from: all its copies are of one shape. */
export const originOf = (schema: Schema): Schema => (schema._zod.parent ? originOf(schema._zod.parent) : schema);

/** Whether the field holds the id of another object, whatever optional, nullable or default wraps it. */
export const isReference = (schema: Schema): boolean => common.isReference(layersOf(schema).inner);

/** What a schema is made of: its fields by name, its elements or values without one. */
function partSchemas(schema: Schema): [name: string | undefined, part: Schema][] {
  const inner = bare(schema);
  if (inner instanceof z.core.$ZodArray) return [[undefined, inner._zod.def.element]];
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.map((option) => [undefined, option]);
  const values = valueType(inner);
  return values ? [[undefined, values]] : Object.entries(fieldsOf(inner));
}

/** Whether the value is secret or holds something that is. */
export const isSecret = (schema: Schema): boolean =>
  metaOf(schema).secret === true || partSchemas(schema).some(([, part]) => isSecret(part));

/** Every field name in a schema, however deep. */
export const fieldNames = (schema: Schema): string[] =>
  partSchemas(schema).flatMap(([name, part]) => [...(name === undefined ? [] : [name]), ...fieldNames(part)]);
