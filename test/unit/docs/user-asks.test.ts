import { expect, test } from "vitest";
import { rowsOf } from "../../decisions";
import { expectLinksAndTests } from "./decision-tables";

/**
 * Number of findings in each part of the table in docs/decisions/user-asks.md: part 1a, for example, must have the rows
 * 1a·1 to 1a·10.
 */
const findings = { "1a": 10, "1b": 7, "1c": 8, "1d": 7, "1e": 13, "1f": 5 };

const rows = rowsOf("user-asks.md", /^\d\w·/).map(([no = "", finding = "", solved = "", shown = "", ...rest]) => ({
  no,
  finding,
  solved,
  shown,
  rest,
}));

test("every finding has a row with its solution, files and tests", () => {
  const numbers = Object.entries(findings).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, at) => `${part}·${at + 1}`),
  );
  expect(rows.map(({ no }) => no)).toEqual(numbers);
  for (const { no, finding, solved, shown, rest } of rows) {
    expect(rest, no).toEqual([""]);
    expect(finding.length, no).toBeGreaterThan(10);
    expect(solved.length, no).toBeGreaterThan(10);
    expect(shown, no).toMatch(/: `/);
  }
});

test.each(rows)("$no: every file exists, and every test with its name", ({ solved, shown }) =>
  expectLinksAndTests(solved, shown),
);
