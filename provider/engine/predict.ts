import type { z } from "zod";
import { fieldsOf, isObject, metaOf } from "../../api";
import { fieldOf, type Kind } from "./definition";
import { overlaid } from "./observe";
import { diff } from "./update";
import { type Bag, isRecord, pick, UNKNOWN } from "./values";

/** The outputs of a new object as far as a preview knows them: the declared inputs. */
export function predictCreated(kind: Kind, want: Bag): Bag {
  const outs = Object.fromEntries(keptOutputs(kind).map((key) => [key, UNKNOWN as unknown]));
  for (const [key, value] of Object.entries(want))
    if (key in kind.fields) outs[key] = completed(kind.outputs.shape[key], value);
  return outs;
}

/** The outputs after an update as far as a preview knows them: outputs that no change touches keep their values. */
export function predictUpdated(kind: Kind, state: Bag, want: Bag): Bag {
  const { changed, unapplied } = diff(kind, state, want);
  const outs = pick(state, keptOutputs(kind));
  for (const key of Object.keys(want)) {
    if (!(key in kind.fields)) continue;
    outs[key] = unapplied.includes(key) ? state[key] : overlaid(kind.inputs.shape[key], state[key], want[key]);
  }
  const touched = changed.flatMap((key) => fieldOf(kind, key).touches ?? []);
  const containing = Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    changed.includes(metaOf(field).contains ?? "") ? [key] : [],
  );
  // Of an input that is declared in part, the rest is not known.
  for (const key of [...touched, ...containing])
    outs[key] = want[key] === undefined ? UNKNOWN : completed(kind.outputs.shape[key], want[key]);
  return outs;
}

/** The outputs that state keeps. */
const keptOutputs = (kind: Kind): string[] =>
  Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    key === "id" || metaOf(field).volatile ? [] : [key],
  );

/** A declared object with the fields that the API decides about, which are not known yet. */
function completed(output: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!output || !isObject(value) || !isRecord(output)) return value;
  const fields = Object.entries(fieldsOf(output)).filter(([key, field]) => !metaOf(field).volatile || key in value);
  const parts = fields.map(([key, field]) => [key, key in value ? completed(field, value[key]) : UNKNOWN]);
  return { ...value, ...Object.fromEntries(parts) };
}
