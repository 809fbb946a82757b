const WIDTH = 100;

/**
 * Formats a value as TypeScript at an indentation of `depth` levels. A value that fits on one line is written on one
 * line.
 */
export function literal(value: unknown, depth = 0): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${literal(item, depth + 1)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (!parts.length) return `${open}${close}`;
  const space = isList ? "" : " ";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length + depth * 2 <= WIDTH && !line.includes("\n")) return line;
  const indent = "  ".repeat(depth);
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

/** Control characters and invisible characters are escaped. */
const scalar = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function keyOf(key: string): string {
  // Without brackets, this key would set the prototype.
  if (key === "__proto__") return `["__proto__"]`;
  return /^[a-zA-Z_$][\w$]*$/.test(key) ? key : scalar(key);
}
