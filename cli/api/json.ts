import { isObject } from "../../api";
import { printableJson } from "../../provider/client/printable";

/**
 * Yields the text of `JSON.stringify(value, undefined, 2)` in pieces, so that a long list is never a single string in
 * memory.
 */
export function* jsonOf(answer: unknown): Generator<string> {
  const fields = isObject(answer) ? Object.entries(answer) : [];
  if (!fields.length) {
    yield `${textOf(answer)}\n`;
    return;
  }
  for (const [at, [key, value]] of fields.entries()) {
    yield `${at ? "," : "{"}\n  ${textOf(key)}: `;
    yield* Array.isArray(value) && value.length ? listed(value) : [indented(value, "  ")];
  }
  yield "\n}\n";
}

function* listed(entries: readonly unknown[]): Generator<string> {
  for (const [at, entry] of entries.entries()) yield `${at ? "," : "["}\n    ${indented(entry, "    ")}`;
  yield "\n  ]";
}

const indented = (value: unknown, by: string): string => textOf(value).replaceAll("\n", `\n${by}`);

const textOf = (value: unknown): string => printableJson(JSON.stringify(value, undefined, 2));
