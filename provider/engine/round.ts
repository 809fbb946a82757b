import { z } from "zod";
import { camel } from "../../api";
import { fieldOf, type Kind } from "./definition";
import { type Bag, holdsUnknown } from "./values";

/** Rounds the inputs as the service does. Also returns a sentence for each input that was rounded. */
export function round(kind: Kind, inputs: Bag): { inputs: Bag; warnings: string[] } {
  const rounded = { ...inputs };
  const warnings: string[] = [];
  for (const key of Object.keys(kind.fields)) {
    const given = inputs[key];
    const { round: toNearest } = fieldOf(kind, key);
    if (given === undefined || given === null || holdsUnknown(given) || !toNearest) continue;
    // A value of the wrong type is not rounded, because the schema rejects it.
    if (!z.safeParse(kind.inputs.shape[key], given).success) continue;
    rounded[key] = toNearest(given);
    if (rounded[key] !== given)
      warnings.push(
        `${camel(key)} ${given} will be rounded to ${rounded[key]}, the nearest value the service supports`,
      );
  }
  return { inputs: rounded, warnings };
}
