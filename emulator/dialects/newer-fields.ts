import { z } from "zod";
import { isObject, problemsOf } from "../../api";
import { type Reasons, sentence } from "../core/error-response";
import type { Key, Row, Table, Tables } from "../core/store";
import type { World } from "../core/world";

type Values = Readonly<Record<string, unknown>>;

/** The value of a newer field: the same for all records, or computed from the record and the account. */
type Newer<R> = string | number | boolean | null | object | ((record: R, world: World) => unknown);

/** How the records of a service differ from those of the contract. */
export interface RecordFields<R = never> {
  /** Fields of the contract that have other values. */
  changed?: (record: R) => Values;
  /** Fields that came after the contract's release, with the values that stand for "not used". */
  added?: Readonly<Record<string, Newer<R>>>;
  /** The added fields that requests can set. They are stored with the row in `table`. */
  settings?: Readonly<Record<string, z.core.$ZodType>>;
  table?: keyof Tables & string;
  /** The field of the result that has the object, if the result has more than the object. */
  within?: string;
  /** Newer fields that only requests have. They have no effect. */
  ignored?: readonly string[];
  /** Replaces newer fields of a request by those of the contract that mean the same. */
  replaced?: (body: Values, world: World) => Values;
  /** The differences of objects in a field, or of the objects of a list. */
  inside?: Readonly<Record<string, RecordFields & { rows?: (parent: Row, world: World) => readonly Row[] }>>;
}

/** How records of a schema differ from the contract. */
export interface RecordBehavior {
  schema: z.core.$ZodType;
  fields: RecordFields;
  /** Whether the differences depend on more than the row, such as on the label of the instance that it belongs to. */
  live: boolean;
}

export const record = <S extends z.core.$ZodType>(
  schema: S,
  fields: RecordFields<z.output<S> & Values>,
  { live = false } = {},
): RecordBehavior => ({ schema, fields: fields as RecordFields, live });

/** The name under which a row keeps the newer fields that requests have set. */
const FIELD = "newerFields";

const storedIn = (row: Values): Values => (row[FIELD] ?? {}) as Values;

/** A record as the service returns it. `fields` are those of the contract, and `row` also has internal ones. */
export function withNewerFields(
  { changed, added = {}, inside = {} }: RecordFields,
  fields: Values,
  row: Values,
  world: World,
): Values {
  const stored = storedIn(row);
  const result: Record<string, unknown> = { ...fields, ...changed?.(row as never) };
  for (const [name, value] of Object.entries(added))
    result[name] = name in stored ? stored[name] : typeof value === "function" ? value(row as never, world) : value;
  for (const [name, part] of Object.entries(inside))
    if (name in result)
      result[name] = each(result[name], (one) => withNewerFields(part, one, rowOf(part, one, world), world));
  return result;
}

/** The row of an object in a record, which has the newer fields that requests have set. */
const rowOf = ({ table }: RecordFields, one: Values, world: World): Values =>
  table === undefined ? one : ((world.tables.get(table)?.find(one.id as Key) as Values | undefined) ?? one);

/** The newer fields of a request that are stored: those of the object, and those of the objects in its lists. */
interface Stored {
  own: Values;
  inside: Readonly<Record<string, readonly Stored[]>>;
}

/** Removes the newer fields from the body of a request, and returns those that are stored with the object. */
export function withoutNewerFields(
  { added = {}, settings = {}, ignored = [], replaced, inside = {} }: RecordFields,
  sent: Values,
  world: World,
  reasons: Reasons,
  at = "",
): { body: Values; stored: Stored } {
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const parts: Record<string, Stored[]> = {};
  for (const [name, value] of Object.entries(replaced?.(sent, world) ?? sent)) {
    const schema = settings[name];
    const part = inside[name];
    if (schema && value === null) continue;
    if (schema) own[name] = parsed(schema, value, reasons, `${at}${name}`);
    else if (part) {
      const stored: Stored[] = [];
      body[name] = each(value, (one, index) => {
        const path = Array.isArray(value) ? `${at}${name}.${index}.` : `${at}${name}.`;
        const inner = withoutNewerFields(part, one, world, reasons, path);
        stored.push(inner.stored);
        return inner.body;
      });
      parts[name] = stored;
    } else if (!(name in added) && !ignored.includes(name)) body[name] = value;
  }
  return { body, stored: { own, inside: parts } };
}

function parsed(schema: z.core.$ZodType, value: unknown, reasons: Reasons, field: string): unknown {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  for (const { path, reason } of problemsOf(result.error.issues))
    reasons.add(sentence(reason), [field, ...path].join("."));
  return undefined;
}

/** Stores the newer fields of a request with the object that it has created or changed, and returns the object. */
export function storeNewerFields({ within, ...fields }: RecordFields, stored: Stored, row: Row, world: World): Row {
  if (within === undefined) return storeInRow(fields, stored, row, world);
  storeInRow(fields, stored, (row as Row & Readonly<Record<string, Row>>)[within] as Row, world);
  return row;
}

function storeInRow({ table, inside = {} }: RecordFields, { own, inside: parts }: Stored, row: Row, world: World): Row {
  for (const [name, list] of Object.entries(parts)) {
    const part = inside[name];
    for (const [at, one] of (part?.rows?.(row, world) ?? []).entries())
      if (part && list[at]) storeNewerFields(part, list[at], one, world);
  }
  if (table === undefined || Object.keys(own).length === 0) return row;
  const rows = world.tables.get(table) as Table<Row & { [FIELD]?: Values }>;
  const stored = { ...storedIn(rows.get(row.id) as object as Values), ...own };
  rows.patch(row.id, { [FIELD]: stored });
  return { ...row, [FIELD]: stored } as Row;
}

/** Converts an object, or each object of a list. */
const each = (value: unknown, convert: (one: Values, at: number) => unknown): unknown =>
  Array.isArray(value)
    ? value.map((one, at) => (isObject(one) ? convert(one, at) : one))
    : isObject(value)
      ? convert(value, 0)
      : value;
