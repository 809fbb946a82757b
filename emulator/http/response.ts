import { z } from "zod";
import { entryOf, fieldsOf, type Operation } from "../../api";
import { EmulatorBug } from "../core/emulator-bug";
import type { Random } from "../core/random";
import type { Granted } from "../core/users";
import { type Caller, kindOf } from "./auth";
import { type Filter, readFilter } from "./filter";
import type { Listed, Rows } from "./handlers";
import { queryList } from "./list-query";
import type { Route } from "./routes";

type Entry = Readonly<Record<string, unknown>>;

export interface ResponseContext {
  query: unknown;
  caller: Caller;
  /** Shuffles what the API does not order, where that is wanted. */
  random: Random | undefined;
}

/** Read before the handler runs, so that a wrong filter refuses the request. */
export const filterOf = ({ operation }: Route, header: string | undefined): Filter | undefined => {
  const entry = entryOf(operation);
  return entry && header !== undefined ? readFilter(header, entry) : undefined;
};

/** The body of a success: the handler's record, or the page that was asked for, proved to fit the contract. */
export function responseBody(
  route: Route,
  result: unknown,
  filter: Filter | undefined,
  asked: ResponseContext,
): unknown {
  const { operation } = route;
  const entry = entryOf(operation);
  const body = entry
    ? pageOf(result as readonly Entry[] | Rows<Entry> | Listed<Entry>, entry, listKinds.get(operation), filter, asked)
    : contractFields(operation.result, result);
  const row = Object.isFrozen(result) ? (result as object) : undefined;
  if (row && proven.get(operation.result)?.has(row)) return asked.random ? unordered(body, asked.random) : body;
  const check = z.safeParse(operation.result, body);
  if (check.success && row) prove(operation.result, row);
  if (check.success) return asked.random ? unordered(body, asked.random) : body;
  const [issue] = check.error.issues;
  throw new EmulatorBug(
    `emulator answered outside its contract: ${route.name}: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** Rows are frozen: one that was found to fit once need not be looked at again. */
const proven = new WeakMap<z.core.$ZodType, WeakSet<object>>();
function prove(schema: z.core.$ZodType, row: object): void {
  const rows = proven.get(schema) ?? new WeakSet();
  proven.set(schema, rows.add(row));
}

function pageOf(
  result: readonly Entry[] | Rows<Entry> | Listed<Entry>,
  entry: z.core.$ZodType,
  kind: Granted | undefined,
  filter: Filter | undefined,
  { query, caller, random }: ResponseContext,
) {
  const list = "show" in result ? result : { rows: result, show: (row: Entry) => row };
  const may = kind && caller.restricted ? ({ id }: Entry) => caller.may(kind, id as number, "read_only") : undefined;
  const seen = queryList(list, filter, may);
  const { page, page_size: size } = query as { page: number; page_size: number };
  let data = seen.slice((page - 1) * size, page * size);
  // Only within the page: which entries a page holds must not change between two reads of a list.
  if (random && !filter?.order) data = random.shuffled(data);
  return {
    data: data.map((row) => contractFields(entry, list.show(row as never))),
    page,
    pages: Math.max(1, Math.ceil(seen.length / size)),
    results: seen.length,
  };
}

/** Only what the contract names leaves the emulator: a row's other fields are its own. */
export function contractFields(schema: z.core.$ZodType, value: unknown): unknown {
  const names = namesOf(schema);
  if (names.length === 0 || typeof value !== "object" || value === null) return value;
  const fields: Record<string, unknown> = {};
  for (const name of names) if ((value as Entry)[name] !== undefined) fields[name] = (value as Entry)[name];
  return fields;
}

const names = new WeakMap<z.core.$ZodType, string[]>();
function namesOf(schema: z.core.$ZodType): string[] {
  const cached = names.get(schema);
  if (cached) return cached;
  const list = Object.keys(fieldsOf(schema));
  names.set(schema, list);
  return list;
}

/** Lists whose order the API leaves open, inside records. */
const UNORDERED: ReadonlySet<string> = new Set(["tags", "nodes", "capabilities", "axfr_ips", "master_ips"]);

function unordered(value: unknown, random: Random, name = ""): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => unordered(one, random));
    return UNORDERED.has(name) ? random.shuffled(list) : list;
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unordered(inner, random, key)]));
}

/** Which lists show things that restricted users are granted one by one: those whose entries have a path of their own. */
const listKinds = new WeakMap<Operation, Granted>();
export function findLists(routes: readonly Route[]): void {
  const kinds = new Map(routes.flatMap(({ operation: { path } }) => kindUnder(path)));
  for (const route of routes) {
    const kind = kinds.get(route.operation.path);
    if (kind && entryOf(route.operation)) listKinds.set(route.operation, kind);
  }
}

/** `/volumes/{volumeId}` says that `/volumes` lists volumes. */
function kindUnder(path: Operation["path"]): [string, Granted][] {
  const [, list, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const kind = parameter && kindOf(parameter, path);
  return list && kind ? [[list, kind]] : [];
}
