import { expect, test } from "vitest";
import { progressBar } from "../../../cli/import/report";

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  const out = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { out, written };
};

test("draws the progress of an import on a terminal, and clears it at the end", () => {
  const { out, written } = terminal(true);
  const draw = progressBar(out, {});
  draw?.(1, 2);
  draw?.(2, 2);
  expect(written.join("")).toBe(
    `\r[${"#".repeat(15)}${" ".repeat(15)}] 1 of 2 objects\r[${"#".repeat(30)}] 2 of 2 objects\r\u001b[K`,
  );
});

test("draws nothing in CI or into a file", () => {
  expect(progressBar(terminal(true).out, { CI: "true" })).toBeUndefined();
  expect(progressBar(terminal(false).out, {})).toBeUndefined();
});
