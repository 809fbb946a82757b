import { expect, test } from "vitest";
import { oneLine, printable, printableJson } from "../../../provider/client/printable";
import { EVIL, steering } from "../../hostile";

const texts: Record<string, [from: string, to: string]> = {
  colours: ["\u001b[31mred\u001b[0m", "red"],
  "a window's title": ["\u001b]0;title\u0007shown", "shown"],
  "a link": ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  "sequences in one character": ["\u009b2Jcleared", "cleared"],
  "a carriage return": ["over\rwritten", "over written"],
  "line breaks of Windows": ["two\r\nlines", "two\nlines"],
  "tabs and other separators": ["a\tb\u2028c\u2029d", "a b c d"],
  "a reversed direction": ["\u202egnp.exe", "gnp.exe"],
  "characters of no width": ["pass\u200bword\ufeff\u00ad", "password"],
  "half a character": ["half \ud800 a pair", "half  a pair"],
  "letters of any script": ["Ωmega, 日本, 😀 and a\u0301", "Ωmega, 日本, 😀 and a\u0301"],
};

test.each(Object.entries(texts))("%s: the output contains no control characters", (_, [text, shown]) => {
  expect(printable(text)).toBe(shown);
});

test("a message is one line with a maximum length", () => {
  expect(oneLine("first\nwarning: forged\r\nline")).toBe("first warning: forged line");
  expect(oneLine("x".repeat(5000))).toBe(`${"x".repeat(1000)}…`);
  expect(steering(oneLine(EVIL))).toEqual([]);
});

test("escaped JSON has the same value", () => {
  const value = { [EVIL]: [EVIL, "\u{e0041}\u{1f600}"] };
  const json = printableJson(JSON.stringify(value, undefined, 2));
  expect(steering(json)).toEqual([]);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain("\u{1f600}");
});

test("unfinished escape sequences take no time", () => {
  const started = performance.now();
  for (const start of ["\u001b[", "\u001b]", "\u009d"]) printable(start.repeat(200_000) + "0".repeat(1_000_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
