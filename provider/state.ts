import { z } from "zod";
import type { Kind } from "./resource";

const known = new WeakMap<Kind, z.core.$ZodObject>();

/** What a resource's state can hold: its inputs and outputs; where both name a field, the input's form is the wider. */
export function stateSchema(kind: Kind): z.core.$ZodObject {
  const schema = known.get(kind) ?? z.object({ ...kind.outputs.shape, ...kind.inputs.shape });
  known.set(kind, schema);
  return schema;
}
