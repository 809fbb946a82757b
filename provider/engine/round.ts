import { z } from "zod";
import { camel } from "../../api";
import { fieldOf, inputSchema, type Kind } from "./definition";
import { type Bag, containsUnknown } from "./values";

/** Rounds the inputs as the service does. Also returns a sentence for each input that was rounded. */
export function roundInputs(kind: Kind, inputs: Bag): { inputs: Bag; warnings: string[] } {
  const rounded = { ...inputs };
  const warnings: string[] = [];
  for (const key of Object.keys(kind.fields)) {
    const value = inputs[key];
    const { round: toNearest } = fieldOf(kind, key);
    if (value === undefined || value === null || containsUnknown(value) || !toNearest) continue;
    // A value of the wrong type is not rounded, because the schema rejects it.
    if (!z.safeParse(inputSchema(kind, key), value).success) continue;
    rounded[key] = toNearest(value);
    if (rounded[key] !== value)
      warnings.push(
        `${camel(key)} ${value} will be rounded to ${rounded[key]}, the nearest value the service supports`,
      );
  }
  return { inputs: rounded, warnings };
}
