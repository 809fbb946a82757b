const WIDTH = 80;

/** An expression in a program, such as a reference to another resource. */
export class Expression {
  constructor(readonly code: string) {}
}

/**
 * Formats a value as TypeScript, in the style of Prettier and Biome. `depth` is the indentation level, and `reserved`
 * the number of other characters on the value's line.
 */
export function literal(value: unknown, depth = 0, reserved = 0): string {
  const line = onOneLine(value);
  if (line !== undefined && (!isNested(value) || depth * 2 + reserved + line.length <= WIDTH)) return line;
  const indent = "  ".repeat(depth + 1);
  const lines = Array.isArray(value) ? elementsOf(value, depth + 1) : propertiesOf(value as object, depth + 1);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.map((each) => `${indent}${each}\n`).join("")}${"  ".repeat(depth)}${close}`;
}

/** Formats the properties of an object, each with a comma. A text too long for the line of its key is on the next. */
export function propertiesOf(value: object, depth: number): string[] {
  return Object.entries(value).map(([key, item]) => {
    const name = keyOf(key);
    const text = literal(item, depth, name.length + 3);
    const isLong = typeof item === "string" && name.length > 2 && depth * 2 + name.length + 3 + text.length > WIDTH;
    return isLong ? `${name}:\n${"  ".repeat(depth + 1)}${text},` : `${name}: ${text},`;
  });
}

/** Formats the elements of a list: as many numbers on a line as fit, and every other element on a line of its own. */
function elementsOf(list: readonly unknown[], depth: number): string[] {
  if (list.length < 2 || !list.every((item) => typeof item === "number"))
    return list.map((item) => `${literal(item, depth, 1)},`);
  const lines: string[] = [];
  for (const number of list) {
    const longer = `${lines.at(-1)} ${number},`;
    if (lines.length && depth * 2 + longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${number},`);
  }
  return lines;
}

/** The value on one line. Undefined if a formatter would use several lines. */
function onOneLine(value: unknown): string | undefined {
  if (!isNested(value)) return value instanceof Expression ? value.code : scalar(value);
  const isList = Array.isArray(value);
  if (isList && value.length > 1 && (value.every(hasSeveral) || value.every(isLongList))) return undefined;
  const parts = isList
    ? value.map(onOneLine)
    : Object.entries(value).map(([key, item]) => {
        const text = onOneLine(item);
        return text && `${keyOf(key)}: ${text}`;
      });
  if (parts.includes(undefined)) return undefined;
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (!parts.length) return `${open}${close}`;
  const space = isList ? "" : " ";
  return `${open}${space}${parts.join(", ")}${space}${close}`;
}

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Expression);

const hasSeveral = (item: unknown): boolean => isNested(item) && !Array.isArray(item) && Object.keys(item).length > 1;

const isLongList = (item: unknown): boolean => Array.isArray(item) && item.length > 1;

/**
 * Formats a single value. Control characters and invisible characters are escaped. As in Prettier, the quotes are those
 * that occur less often in the text.
 */
function scalar(value: unknown): string {
  const text = (JSON.stringify(value) ?? "undefined").replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (typeof value !== "string" || value.split('"').length <= value.split("'").length) return text;
  return `'${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function keyOf(key: string): string {
  // Brackets are needed for this key, because without them it would set the prototype.
  if (key === "__proto__") return `["__proto__"]`;
  return /^[a-zA-Z_$][\w$]*$/.test(key) ? key : scalar(key);
}
