import { expect, test } from "vitest";
import { isSameLog } from "../../../console/request-list";

test("a log is another one after it was cleared, and after the emulator was started again", () => {
  const log = { run: "a", clears: 1 };
  expect(isSameLog(log, { ...log })).toBe(true);
  expect(isSameLog(log, { ...log, clears: 2 })).toBe(false);
  expect(isSameLog(log, { ...log, run: "b" })).toBe(false);
  expect(isSameLog(undefined, log)).toBe(false);
});
