import { z } from "zod";
import { innerOf, metaOf } from "../../api";
import type { Kind } from "../engine/definition";

const schemas = new WeakMap<Kind, z.core.$ZodObject>();

/** The schema of a resource's state, which contains inputs and outputs. */
export function stateSchema(kind: Kind): z.core.$ZodObject {
  const schema = schemas.get(kind) ?? (merged(kind.outputs, kind.inputs) as z.core.$ZodObject);
  schemas.set(kind, schema);
  return schema;
}

/**
 * Merges the schemas of an input and an output with the same name. Objects get the fields of both schemas. For other
 * types, the input's schema is used, because it accepts more values, and for volatile outputs, because the state has
 * only what the program declares.
 */
function merged(output: z.core.$ZodType | undefined, input: z.core.$ZodType): z.core.$ZodType {
  if (output && metaOf(output).volatile) return input;
  const [outputObject, inputObject] = [output && innerOf(output), innerOf(input)];
  if (!(outputObject instanceof z.core.$ZodObject) || !(inputObject instanceof z.core.$ZodObject)) return input;
  const [outputs, inputs] = [outputObject._zod.def.shape, inputObject._zod.def.shape];
  const both = Object.entries(inputs).map(([key, field]) => [key, merged(outputs[key], field)]);
  const object = z
    .object({ ...outputs, ...Object.fromEntries(both) })
    .meta({ ...(output && metaOf(output)), ...metaOf(input) });
  return output instanceof z.core.$ZodOptional ? object.optional() : object;
}
