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

test("the list of omitted kinds in docs/import.md comes from the definitions", () => {
  const page = pageOf("Before.\nLeft out; to add them, name them:\n  Vanished: it existed once\n```\nAfter.\n") ?? "";
  expect(page).toMatch(/^Before\.\nLeft out; to add them, name them:\n( {2}\w+: .+\n){5,}```\nAfter\.\n$/);
  expect(page).toContain("\n  VolumeAttachment: `computeId` of the volume declares it\n");
  expect(page).not.toContain("Vanished");
});

test("a page without the list is an error that says where the list belongs", () => {
  expect(() => pageOf("Nothing.\n")).toThrow(
    'docs/import.md has no line that starts with "Left out; ", below which the list is',
  );
});
