import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { namedTests } from "../../decisions";

const folder = join(__dirname, "../../../docs/decisions");

/**
 * Checks a cell in a table of docs/decisions: each line must name one test, and the linked files must exist. Whether
 * the tests exist is checked by test/reporter.ts.
 */
export function expectLinksAndTests(text: string, cell: string): void {
  for (const line of cell.split("<br>")) expect(namedTests(line), line).toHaveLength(1);
  const files = [...`${text} ${cell}`.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => file ?? "");
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
}
