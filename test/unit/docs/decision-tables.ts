import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { namedTests } from "../../decisions";

const folder = join(__dirname, "../../../docs/decisions");

/** Every line of the cell names a test, and all files exist. Whether the tests do is known when they run: test/reporter.ts. */
export function expectLinksAndTests(text: string, cell: string): void {
  for (const line of cell.split("<br>")) expect(namedTests(line), line).toHaveLength(1);
  const files = [...`${text} ${cell}`.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => file ?? "");
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
}
