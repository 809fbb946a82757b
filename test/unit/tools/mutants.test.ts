import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { equivalents, squeezed } from "../../../tools/mutants/equivalents";

const root = join(__dirname, "../../..");

test.each(equivalents)("the code of an equivalent mutant exists: $file, $before", ({ file, line, before, after }) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(text.split("\n").map(squeezed)).toContain(squeezed(line));
  expect(squeezed(text)).toContain(squeezed(before));
  expect(squeezed(after)).not.toBe(squeezed(before));
});
