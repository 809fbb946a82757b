import { z } from "zod";
import { fieldsOf, metaOf } from "../../api";
import { canonical, canonicalInput, stated } from "./canonical";
import { parentsIn } from "./id";
import type { Bag, Kind } from "./resource";
import { same } from "./same";
import { steady } from "./stated";
import { asWritten } from "./written";

/** What the inputs' values are now; an input that the API never shows is absent. */
export function observed(kind: Kind, path: Bag, seen: Bag, want: Bag): Bag {
  const now: Bag = {};
  for (const key of Object.keys(kind.changes)) {
    const look = kind.observe?.[key];
    const value = look ? look(seen, want) : seen[key];
    if (value !== undefined && !isUnset(kind, key, value)) now[key] = value;
  }
  return { ...now, ...parentsIn(kind, path) };
}

/** Whether the API shows by null or an empty text that an input, which can be neither, is not set. */
const isUnset = (kind: Kind, key: string, value: unknown): boolean =>
  (value === null || value === "") && !z.safeParse(kind.inputs.shape[key], value).success;

/** Whether the API shows what an input's value is. */
export const isShown = (kind: Kind, key: string): boolean =>
  kind.observe?.[key] !== undefined || key in fieldsOf(kind.outputs) || key in (kind.parent ?? {});

/**
 * What goes into state: the outputs that hold still, and every stated input: as written where it means what is
 * observed, as observed where it does not, as last applied where the API never shows it.
 */
export function outsOf(kind: Kind, path: Bag, { want, seen, was = {} }: { want: Bag; seen: Bag; was?: Bag }): Bag {
  const outs: Bag = {};
  for (const [key, schema] of Object.entries(fieldsOf(kind.outputs))) {
    if (key === "id" || metaOf(schema).volatile || seen[key] === undefined) continue;
    const value = steady(schema, seen[key]);
    const held = key in was && same(canonical(schema, was[key]), canonical(schema, value));
    outs[key] = held ? was[key] : value;
  }
  const now = observed(kind, path, seen, want);
  for (const key of Object.keys(want)) {
    if (!(key in kind.changes)) continue;
    if (isShown(kind, key)) outs[key] = written(kind, key, now, want, { ...seen, ...want });
    else outs[key] = lastApplied(kind, key, want, was);
  }
  return outs;
}

/** A shown input as the program wrote it where it means what is observed, else as observed. */
function written(kind: Kind, key: string, now: Bag, want: Bag, around: Bag): unknown {
  const schema = kind.inputs.shape[key];
  const seen = steady(kind.outputs.shape[key] ?? schema, now[key]);
  return asWritten(schema, seen, want[key], (a, b) => means(kind, key, a, b, around)) ?? null;
}

const means = (kind: Kind, key: string, now: unknown, want: unknown, around: Bag): boolean => {
  const wanted = canonicalInput(kind, key, want, around);
  return same(stated(kind.inputs.shape[key], canonicalInput(kind, key, now, around), wanted), wanted);
};

/** An input that only mattered at creation keeps the value that it was created with. */
const lastApplied = (kind: Kind, key: string, want: Bag, was: Bag): unknown =>
  typeof kind.changes[key] === "object" && Object.keys(was).length ? was[key] : want[key];
