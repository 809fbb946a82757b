import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../tools/generate/import-docs";
import { newFolder } from "../../folder";

const root = newFolder();
mkdirSync(join(root, "docs"));
const pageOf = (text: string): string | undefined => {
  writeFileSync(join(root, "docs/import.md"), text);
  return importFile(root)["docs/import.md"];
};

test("the omitted kinds in docs/import.md come from the definitions", () => {
  const page = pageOf(
    "Before.\nLeft out: Vanished.\n```\nIt also leaves out these kinds:\n\n- `Vanished`: it existed once\n\nAfter.\n",
  );
  expect(page).toMatch(
    /^Before\.\nLeft out: AccountContact, .+\n```\nIt also leaves out these kinds:\n\n(- `\w+`: .+\n){5,}\nAfter\.\n$/,
  );
  expect(page).toContain("\n- `VolumeAttachment`: `computeId` of the volume declares it\n");
  expect(page).not.toContain("Vanished");
});

test.each([
  ["Nothing.\n", 'line that starts with "Left out: "'],
  ["Left out: Volume.\n", 'line that ends with "leaves out these kinds:"'],
])("a page without a part for the omitted kinds is an error that names it", (page, missing) => {
  expect(() => pageOf(page)).toThrow(`docs/import.md has no ${missing}, where the omitted kinds are named`);
});
