import { randomBytes } from "node:crypto";
import { z } from "zod";
import { innerOf } from "../../api";
import type { Bag, Kind } from "./resource";

const SUFFIX = 7;

/** The inputs with a name: the program's, else the one given before, else one made from the resource's own name. */
export function autoname(
  kind: Kind,
  name: string,
  was: Bag,
  given: Bag,
  prefix = "",
): { inputs: Bag; autonamed: boolean } {
  const input = kind.autoname;
  if (!input || (given[input] !== undefined && given[input] !== null)) return { inputs: given, autonamed: false };
  return { inputs: { ...given, [input]: was[input] ?? madeFrom(kind, input, `${prefix}${name}`) }, autonamed: true };
}

const unnamed = new WeakMap<Kind, Kind>();

/** The kind for an object whose name the program does not set: as with any omitted input, what it is now is no difference. */
export function withoutName(kind: Kind): Kind {
  if (!kind.autoname) return kind;
  const known = unnamed.get(kind) ?? { ...kind, changes: { ...kind.changes, [kind.autoname]: "local" } };
  unnamed.set(kind, known);
  return known;
}

/** A name that fits the field and that nobody else has: a random end lets a replacement live beside the old object. */
function madeFrom(kind: Kind, input: string, name: string): string {
  const most = longest(kind.inputs.shape[input]);
  const end = randomBytes(4).toString("hex").slice(0, SUFFIX);
  const plain = name.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^[^a-zA-Z]+/, "");
  const start =
    plain.slice(0, most - SUFFIX - 1).replace(/-+$/, "") || kind.kind.toLowerCase().slice(0, most - SUFFIX - 1);
  const made = `${start}-${end}`;
  return z.safeParse(kind.inputs.shape[input], made).success ? made : made.toLowerCase();
}

function longest(schema: z.core.$ZodType): number {
  const inner = innerOf(schema);
  return (inner instanceof z.ZodString ? inner.maxLength : undefined) ?? 64;
}
