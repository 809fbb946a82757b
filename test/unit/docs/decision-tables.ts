import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { namedTests } from "../../decisions";

const folder = join(__dirname, "../../../docs/decisions");

/**
 * Expects that every line of a cell refers to a test, and that the files exist. test/reporter.ts checks whether the
 * tests exist.
 */
export function expectLinksAndTests(text: string, cell: string): void {
  for (const line of cell.split("<br>")) expect(namedTests(line), line).toHaveLength(1);
  const files = [...`${text} ${cell}`.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => file ?? "");
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
}
