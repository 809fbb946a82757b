import { fieldsOf, type Operation, pathNames, redact } from "../../api";
import type { World } from "../areas";
import type { Key, Row, Table } from "../core/store";
import { type AnyRow, type ConsoleObject, dependents, type Kind, kinds, kindsByTable } from "./kinds";

export const keyOf = (kind: string, id: Key): string => `${kind}/${id}`;

const rowsOf = (world: World, { table }: Kind): Table<Row> => world.tables.get(table) as Table<Row>;

const drawn = (world: World, { name, isOwn, draw }: Kind, row: Row): ConsoleObject | undefined =>
  isOwn && !isOwn(row as never) ? undefined : { kind: name, id: String(row.id), ...draw(world, row as never) };

/** All objects of the account. */
export const objectsOf = (world: World): ConsoleObject[] =>
  kinds.flatMap((kind) =>
    rowsOf(world, kind)
      .all()
      .flatMap((row) => drawn(world, kind, row) ?? []),
  );

interface Found {
  kind: Kind;
  row: Row;
}

/** Finds an object by its key, such as `Volume/123` or `ObjectStorageBucket/us-east-1/photos`. */
export function findObject(world: World, key: string): Found | undefined {
  const [, name = "", id = ""] = /^(\w+)\/(.+)$/s.exec(key) ?? [];
  const kind = kinds.find((one) => one.name === name);
  if (!kind) return undefined;
  const table = rowsOf(world, kind);
  const row = table.find(id) ?? (/^\d+$/.test(id) ? table.find(Number(id)) : undefined);
  return row && { kind, row };
}

/** The object with this key as it is drawn; undefined if it does not exist. */
export function objectOf(world: World, key: string): ConsoleObject | undefined {
  const found = findObject(world, key);
  return found && drawn(world, found.kind, found.row);
}

/** The keys of the objects that look different after a row has changed. */
export function affectedBy(world: World, table: string, id: Key, before: Row | undefined): readonly string[] {
  const kind = kindsByTable.get(table);
  const own = kind ? [keyOf(kind.name, id)] : [];
  const related = dependents[table];
  if (!related) return own;
  const rows = [before, world.tables.get(table)?.find(id)].filter((row): row is AnyRow => row !== undefined);
  return [...own, ...rows.flatMap((row) => related(world, row))];
}

/** The fields of an object that its view operation returns and that the row contains, without secrets. */
export function fieldsWithoutSecrets(world: World, key: string): Record<string, unknown> | undefined {
  const found = findObject(world, key);
  if (!found) return undefined;
  const { kind, row } = found;
  const schema = kind.view?.result;
  if (!schema) return { ...row };
  const fields = Object.keys(fieldsOf(schema)).flatMap((name) => (name in row ? [[name, row[name as "id"]]] : []));
  return redact(schema, Object.fromEntries(fields)) as Record<string, unknown>;
}

/** The operation that views an object, and the values of its path by parameter. Undefined for kinds without one. */
export function viewOf(
  world: World,
  key: string,
): { name: string; operation: Operation; values: Record<string, string> } | undefined {
  const found = findObject(world, key);
  if (!found?.kind.view) return undefined;
  const { kind, row } = found;
  const operation = kind.view as Operation;
  const ids = kind.path?.(row as never) ?? [row.id];
  const values = Object.fromEntries(pathNames(operation.path).map((name, i) => [name, String(ids[i])]));
  return { name: `${kind.table as string}.view`, operation, values };
}
