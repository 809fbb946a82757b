import stringWidth from "string-width";
import { expect, test } from "vitest";
import { z } from "zod";
import { tableOf } from "../../../cli/api/table";
import { cut, folded } from "../../../cli/api/table-cells";

const family = "👨‍👩‍👧";

test.each([
  ["plain text", 6, "plain…"],
  ["日本語の名前", 7, "日本語…"],
  ["日本語の名前", 6, "日本…"],
  [`a${family}bcd`, 4, `a${family}…`],
  ["fits", 4, "fits"],
  ["two\nlines", 9, "two lines"],
])("%s in %i columns is %s", (text, width, expected) => {
  expect(cut(text, width)).toBe(expected);
  expect(stringWidth(cut(text, width))).toBeLessThanOrEqual(width);
});

test("wraps a line by columns without losing characters", () => {
  expect(folded("日本語abc", 4)).toEqual(["日本", "語ab", "c"]);
  expect(folded("", 4)).toEqual([""]);
});

test("columns are aligned below wide characters", () => {
  const entry = z.strictObject({ id: z.int(), label: z.string(), region: z.string() });
  const rows = ["日本語", "web", "café"].map((label, at) => ({ id: at + 1, label, region: "us-east" }));
  const lines = tableOf(entry, rows).split("\n");
  const before = lines.slice(1).map((line) => stringWidth(line.slice(0, line.indexOf("us-east"))));
  expect(new Set(before).size).toBe(1);
});
