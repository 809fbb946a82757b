import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Mutant, root } from "./mutants";

/** A mutant that behaves like the code, in `equivalent.json`. The texts are compared without their spacing. */
export interface Equivalent {
  file: string;
  /** The line on which the mutated code starts. */
  line: string;
  before: string;
  after: string;
  reason: string;
}

export const equivalents: readonly Equivalent[] = JSON.parse(
  readFileSync(join(root, "tools/mutants/equivalent.json"), "utf8"),
);

export const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

export function isSame({ file, line, before, after }: Equivalent, mutant: Mutant): boolean {
  const same = (left: string, right: string): boolean => squeezed(left) === squeezed(right);
  return mutant.file === file && same(mutant.line, line) && same(mutant.before, before) && same(mutant.after, after);
}
