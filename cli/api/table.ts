import Table from "cli-table3";
import stringWidth from "string-width";
import { z } from "zod";
import { elementOf, fieldsOf, isObject, layersOf, metaOf } from "../../api";
import { oneLine } from "../../provider/client/printable";
import { columns, styled } from "./style";
import { coloured, cut, folded, plainText } from "./table-cells";

type Row = Readonly<Record<string, unknown>>;
type Schema = z.core.$ZodType;

const WIDEST = 40;
const GAP = 2;

/** Formats a list as a table that fits the terminal. The most important fields come first. */
export function tableOf(entry: Schema, rows: readonly Row[]): string {
  const shownColumns = columnsOf(entry, rows, columns());
  const table = plainTable(
    shownColumns.map(({ name }) => styled(["bold", "underline"], oneLine(name))),
    shownColumns.map(({ right }) => right),
  );
  for (const row of rows)
    table.push(shownColumns.map(({ name, width }) => coloured(name, cut(plainText(row[name]), width))));
  return trimmed(table.toString());
}

/** Formats the given fields of each row as a table. Long values are not truncated. */
export function rowsOf(names: readonly string[], rows: readonly unknown[]): string {
  const at = (row: unknown, path: string): unknown =>
    path.split(".").reduce((value, part) => (isObject(value) ? value[part] : undefined), row);
  const table = plainTable(names.map((name) => styled(["bold", "underline"], name)));
  for (const row of rows)
    table.push(names.map((name) => coloured(name, plainText(at(row, name)).replaceAll("\n", " "))));
  return trimmed(table.toString());
}

interface Column {
  name: string;
  width: number;
  right: boolean;
}

/** The columns of a table: as many as fit, without empty columns and secrets. */
function columnsOf(entry: Schema, rows: readonly Row[], room: number): Column[] {
  const fields = Object.entries(fieldsOf(entry));
  const names = fields.length ? fields : Object.keys(rows[0] ?? {}).map((name) => [name, z.unknown()] as const);
  const ranked = names
    .filter(([, schema]) => isShort(schema))
    .map(([name, schema], index) => ({ name, rank: rankOf(name, schema) * 100 + index }))
    .sort((a, b) => a.rank - b.rank);
  const all = ranked.flatMap(({ name }): Column[] => {
    const texts = rows.map((row) => plainText(row[name]));
    const right = name !== "id" && rows.every((row) => typeof row[name] === "number");
    if (texts.every((text) => text === "–")) return [];
    return [
      {
        name,
        right,
        width: Math.min(
          WIDEST,
          texts.reduce((max, text) => Math.max(max, stringWidth(text)), stringWidth(name)),
        ),
      },
    ];
  });
  let remaining = room + GAP;
  return all.filter(({ width }, index) => {
    const isFitting = index === 0 || width + GAP <= remaining;
    if (isFitting) remaining -= width + GAP;
    return isFitting;
  });
}

/** Whether the values of a column fit into cells: single values, lists of single values, and objects with a name. */
function isShort(schema: Schema): boolean {
  if (metaOf(schema).secret) return false;
  const { inner } = layersOf(elementOf(schema) ?? schema);
  if (inner instanceof z.core.$ZodRecord) return false;
  if (!(inner instanceof z.core.$ZodObject)) return true;
  return !elementOf(schema) && ["label", "name"].some((name) => name in fieldsOf(inner));
}

/** The position of a column: name, status, address, type and location first, long texts and times last. */
function rankOf(name: string, schema: Schema): number {
  const { inner } = layersOf(schema);
  if (name === "id") return 0;
  if (/^(label|name|username|domain|hostname|address|title|action|bucket|range)$/.test(name)) return 1;
  if (/^(status|state|ipv4)$/.test(name)) return 2;
  if (
    /(_at|created|updated|expiry|_path|description|comments|group|hypervisor)$/.test(name) ||
    metaOf(schema).deprecated
  )
    return 5;
  if (inner instanceof z.core.$ZodArray) return 4;
  return 3;
}

/** Formats an object as keys and values. The fields of nested objects have keys such as `alerts.cpu`. */
export function recordOf(record: Row): string {
  const rows = spread(record, "").map(([key, value]) => [oneLine(key), value] as const);
  const keys = rows.reduce((max, [key]) => Math.max(max, stringWidth(key)), 0);
  const room = Math.max(20, columns() - keys - GAP);
  const table = plainTable([]);
  for (const [key, value] of rows) {
    const lines = plainText(value)
      .split("\n")
      .flatMap((line) => folded(line, room));
    table.push([styled("bold", key), lines.map((line) => coloured(key, line)).join("\n")]);
  }
  return trimmed(table.toString());
}

function spread(value: unknown, at: string): [string, unknown][] {
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null || (isList && value.every((one) => typeof one !== "object")))
    return [[at, value]];
  const parts = Object.entries(value);
  if (!parts.length) return at ? [[at, undefined]] : [];
  return parts.flatMap(([key, one]) => spread(one, isList ? `${at}[${key}]` : at ? `${at}.${key}` : key));
}

const nothing = [
  "top",
  "top-mid",
  "top-left",
  "top-right",
  "bottom",
  "bottom-mid",
  "bottom-left",
  "bottom-right",
  "left",
];
const lines = [...nothing, "left-mid", "mid", "mid-mid", "right", "right-mid"];

const plainTable = (head: string[], right: readonly boolean[] = []) =>
  new Table({
    head,
    colAligns: right.map((isRight) => (isRight ? "right" : "left")),
    chars: { ...Object.fromEntries(lines.map((part) => [part, ""])), middle: " ".repeat(GAP) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });

const trimmed = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
