import { dialects } from "./tables";
import { Translation } from "./translation";

export type { Dialect } from "./dialect";
export type { Direction, Translate, Translation } from "./translation";

export type DialectName = keyof typeof dialects;

/** The names of the dialects, for options. */
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];

/** The conversion between the contract's names and those of a dialect. It is compiled once, when it is first used. */
export function translationOf(name: DialectName): Translation {
  const known = translations.get(name) ?? new Translation(dialects[name]);
  translations.set(name, known);
  return known;
}
const translations = new Map<DialectName, Translation>();
