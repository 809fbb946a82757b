import stringWidth from "string-width";
import { printable } from "../../provider/client/printable";
import { styled } from "./style";

/** Formats a value as plain text. Control characters are escaped, because they must not reach the terminal. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length ? value.map(plainText).join(", ") : "–";
  if (typeof value === "object") return nameOfRecord(value as Record<string, unknown>);
  return printable(String(value)).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)$/, "$1 $2");
}

/** The most descriptive field of an object, for cells that have no room for all fields. */
function nameOfRecord(record: Record<string, unknown>): string {
  const { label, name, id } = record;
  const short = label ?? name ?? id;
  return short === undefined || typeof short === "object" ? printable(JSON.stringify(record)) : plainText(short);
}

/** Truncates a text to one line of the given number of columns. */
export function cut(text: string, width: number): string {
  const line = text.replaceAll("\n", " ");
  return stringWidth(line) > width ? `${folded(line, width - 1)[0]}…` : line;
}

/**
 * Wraps a text to lines with the given number of columns. Characters of some scripts take two columns. An emoji is
 * never split.
 */
export function folded(line: string, width: number): string[] {
  const lines = [""];
  let room = width;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    const segmentWidth = stringWidth(segment);
    if (segmentWidth > room) {
      lines.push("");
      room = width;
    }
    lines[lines.length - 1] += segment;
    room -= segmentWidth;
  }
  return lines;
}

const goodStatuses = /^(active|available|running|ready|enabled|finished|completed|succeeded|ok|up|valid|accepted)$/;
const badStatuses =
  /^(failed|error|disabled|contact_support|has_errors|offline|expired|canceled|down|stale|problem|not_ready)$/;

/** Colors states by their meaning, and dims empty cells. */
export function coloured(field: string, text: string): string {
  if (text === "–") return styled("dim", text);
  if (!/(^|_|\.)(status|state)$/.test(field)) return text;
  return styled(goodStatuses.test(text) ? "green" : badStatuses.test(text) ? "red" : "yellow", text);
}
