import { counted, wrapped } from "../../api";
import { printableJson, reportLine } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { columns, styled } from "../api/style";
import type { Check, Result } from "./check";

/** The checks of one part of the set-up, such as `Tools`. */
export interface Part {
  title: string;
  checks: readonly Check[];
}

export type Report = readonly Part[];

export const problemsIn = (report: Report): Check[] =>
  report.flatMap(({ checks }) => checks.filter(({ result }) => result === "problem"));

/** The report as data, for programs. */
export function json(report: Report): string {
  const checks = report.flatMap(({ title, checks }) => checks.map((check) => ({ part: title, ...check })));
  const content = { version, problems: problemsIn(report).length, checks };
  return `${printableJson(JSON.stringify(content, undefined, 2))}\n`;
}

const marks: Readonly<Record<Result, string>> = {
  ok: styled("green", "✓"),
  problem: styled("red", "✗"),
  "not checked": styled("dim", "–"),
};

/** A line for each check: the result, what was checked, what was found and, for a problem, what to do. */
export function text(report: Report): string {
  const parts = report.filter(({ checks }) => checks.length);
  const width = Math.max(...parts.flatMap(({ checks }) => checks.map(({ name }) => name.length)));
  const lines = parts.flatMap(({ title, checks }) => [
    styled("bold", title),
    ...checks.flatMap((check) => linesOf(check, width)),
    "",
  ]);
  return `${[...lines, summaryOf(report)].join("\n")}\n`;
}

function linesOf({ name, result, message, fix }: Check, width: number): string[] {
  const indent = " ".repeat(width + 6);
  const found = reportLine(result === "not checked" ? `not checked: ${message}` : message);
  const [first = "", ...rest] = fitted(found, indent.length);
  const todo = fix === undefined ? [] : fitted(reportLine(fix), indent.length + 2);
  const shown = (line: string): string => (result === "not checked" ? styled("dim", line) : line);
  return [
    `  ${marks[result]} ${name.padEnd(width)}  ${shown(first)}`,
    ...rest.map((line) => indent + shown(line)),
    ...todo.map((line, i) => `${indent}${i ? " " : styled("yellow", "→")} ${line}`),
  ];
}

/** Breaks a text into lines for a terminal. Files get one line, which is easier to search. */
const fitted = (text: string, indent: number): string[] =>
  process.stdout.isTTY ? wrapped(text, Math.max(30, columns() - indent)) : [text];

function summaryOf(report: Report): string {
  const count = (wanted: Result): number =>
    report.flatMap(({ checks }) => checks).filter(({ result }) => result === wanted).length;
  const [problems, skipped] = [count("problem"), count("not checked")];
  const head = problems ? styled("red", counted(problems, "problem")) : styled("green", "No problems");
  return `${head}, ${count("ok")} ok${skipped ? `, ${skipped} not checked` : ""}`;
}
