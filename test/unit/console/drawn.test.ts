import { expect, test } from "vitest";
import { drawnIndexes } from "../../../console/drawn";

test.each([
  ["only the entries on the screen if none has the focus", -1, [3, 4, 5]],
  ["a focused entry on the screen once", 4, [3, 4, 5]],
  ["a focused entry above the screen before the others", 0, [0, 3, 4, 5]],
  ["a focused entry below the screen after the others", 9, [3, 4, 5, 9]],
])("draws %s", (_, focused, expected) => {
  expect(drawnIndexes(10, 3, 6, focused)).toEqual(expected);
});

test("draws no entries after the last one", () => {
  expect(drawnIndexes(4, 3, 6, -1)).toEqual([3]);
  expect(drawnIndexes(4, 7, 9, 2)).toEqual([2]);
  expect(drawnIndexes(0, 0, 6, -1)).toEqual([]);
});
