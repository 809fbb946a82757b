import { expect, test } from "vitest";
import { oneLine, printable, printableJson } from "../../../provider/client/printable";
import { EVIL, steering } from "../../hostile";

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007shown", "shown"],
  ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["\u009b2Jcleared", "cleared"],
  ["over\rwritten", "over written"],
  ["two\r\nlines", "two\nlines"],
  ["a\tb\u2028c\u2029d", "a b c d"],
  ["\u202egnp.exe", "gnp.exe"],
  ["pass\u200bword\ufeff\u00ad", "password"],
  ["half \ud800 a pair", "half  a pair"],
  ["Ωmega, 日本, 😀 and a\u0301", "Ωmega, 日本, 😀 and a\u0301"],
])("S2: %j is shown as %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("S2: a message is one line of a length that can be read", () => {
  expect(oneLine("first\nwarning: forged\r\nline")).toBe("first warning: forged line");
  expect(oneLine("x".repeat(5000))).toBe(`${"x".repeat(1000)}…`);
  expect(steering(oneLine(EVIL))).toEqual([]);
});

test("S2: in JSON the value stays the same", () => {
  const value = { [EVIL]: [EVIL, "\u{e0041}\u{1f600}"] };
  const json = printableJson(JSON.stringify(value, undefined, 2));
  expect(steering(json)).toEqual([]);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain("\u{1f600}");
});

test("S2: text without an end of its sequences takes no time", () => {
  const started = performance.now();
  for (const start of ["\u001b[", "\u001b]", "\u009d"]) printable(start.repeat(200_000) + "0".repeat(1_000_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
