import { isObject } from "../../api";
import { printableJson } from "../../provider/client/printable";

/**
 * Yields the text of `JSON.stringify(value, undefined, 2)` in pieces, so that a long list is never a single string in
 * memory.
 */
export function* jsonOf(result: unknown): Generator<string> {
  const fields = isObject(result) ? Object.entries(result) : [];
  if (!fields.length) {
    yield `${textOf(result)}\n`;
    return;
  }
  for (const [index, [key, value]] of fields.entries()) {
    yield `${index ? "," : "{"}\n  ${textOf(key)}: `;
    yield* Array.isArray(value) && value.length ? listed(value) : [indented(value, "  ")];
  }
  yield "\n}\n";
}

function* listed(entries: readonly unknown[]): Generator<string> {
  for (const [index, entry] of entries.entries()) yield `${index ? "," : "["}\n    ${indented(entry, "    ")}`;
  yield "\n  ]";
}

const indented = (value: unknown, by: string): string => textOf(value).replaceAll("\n", `\n${by}`);

const textOf = (value: unknown): string => printableJson(JSON.stringify(value, undefined, 2));
