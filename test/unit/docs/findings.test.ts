import { expect, test } from "vitest";
import { namedTests, rowsOf } from "../../decisions";
import { expectLinksAndTests } from "./decision-tables";

/**
 * Number of findings in each part of the table in docs/decisions/findings.md: part E, for example, must have the rows
 * E1 to E27.
 */
const findings = { E: 27, P: 16, C: 6, S: 11 };

const rows = rowsOf("findings.md", /^[EPCS]\d+$/).map(([number = "", done = "", shown = "", ...rest]) => ({
  number,
  done,
  shown,
  rest,
}));

test("every finding has a row with its solution", () => {
  const numbers = Object.entries(findings).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, at) => `${part}${at + 1}`),
  );
  expect(rows.map(({ number }) => number)).toEqual(numbers);
  for (const { number, done, rest } of rows) {
    expect(rest, number).toEqual([""]);
    expect(done.length, number).toBeGreaterThan(10);
  }
});

test.each(rows)("$number: its tests exist, and one of them has the number in its name", ({ number, done, shown }) => {
  expectLinksAndTests(done, shown);
  const carries = new RegExp(`(^|> )([A-Z]\\d+, )*${number}[:, ]`);
  expect(namedTests(shown).filter(({ name }) => carries.test(name))).not.toEqual([]);
});
