import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import equivalents from "../../../tools/mutants/equivalent.json";

const root = join(__dirname, "../../..");
const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

test.each(equivalents)("the code of an equivalent mutant exists: $file, $before", ({ file, line, before, after }) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(text.split("\n").map(squeezed)).toContain(squeezed(line));
  expect(squeezed(text)).toContain(squeezed(before));
  expect(squeezed(after)).not.toBe(squeezed(before));
});
