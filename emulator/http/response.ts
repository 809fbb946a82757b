import { z } from "zod";
import { contentTypeOf, entryOf, fieldsOf, metaOf, type Operation } from "../../api";
import type { Granted } from "../core/core-tables";
import { EmulatorBug } from "../core/emulator-bug";
import type { Random } from "../core/random";
import { TextCache } from "../core/text-cache";
import type { World } from "../core/world";
import { type Caller, kindOf } from "./auth";
import { type Filter, readFilter } from "./filter";
import type { Listed, Rows } from "./handlers";
import { queryList } from "./list-query";
import type { Route } from "./routes";
import type { Written } from "./vocabulary";

type Entry = Readonly<Record<string, unknown>>;

export interface ResponseContext {
  world: World;
  query: unknown;
  caller: Caller;
  /** Shuffles lists whose order the API does not define. Undefined if shuffling is disabled. */
  random: Random | undefined;
  /** The conversion of records with a schema to the names of a dialect. If omitted, they have the contract's names. */
  named?: ((schema: z.core.$ZodType) => Written | undefined) | undefined;
}

/** Parses the filter before the handler runs, so that a request with an invalid filter has no effect. */
export const filterOf = ({ operation }: Route, header: string | undefined): Filter | undefined => {
  const entry = header === undefined ? undefined : entryOf(operation);
  if (!entry) return undefined;
  const read = filters.get(entry) ?? new TextCache();
  filters.set(entry, read);
  return read.get(header as string, (text) => readFilter(text, entry));
};
const filters = new WeakMap<z.core.$ZodType, TextCache<Filter>>();

/**
 * The body of a successful response: the handler's result as JSON, the requested page of a list, or bytes. Throws if
 * the result does not match the contract.
 */
export function responseBody(
  route: Route,
  result: unknown,
  filter: Filter | undefined,
  context: ResponseContext,
): string | Uint8Array {
  const { operation } = route;
  const entry = entryOf(operation);
  if (contentTypeOf(operation.result)) {
    requireFit(route, operation.result, result, []);
    return result as string | Uint8Array;
  }
  return entry
    ? pageBody(route, entry, result as readonly Entry[] | Rows<Entry> | Listed<Entry>, filter, context)
    : shownText(operation.result, context, recordText(route, operation.result, context, result));
}

/** The JSON text as clients receive it: shuffled if that is enabled, and without characters that its schema escapes. */
function shownText(schema: z.core.$ZodType, { random }: ResponseContext, text: string): string {
  const shown = random ? JSON.stringify(unordered(JSON.parse(text), random)) : text;
  return metaOf(schema).ascii ? escaped(shown) : shown;
}

/** The JSON text with escape sequences instead of characters that are not ASCII. */
const escaped = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * JSON texts of frozen objects, by schema or its conversion. A frozen object never changes, so it is validated and
 * serialized only once.
 */
const texts = new WeakMap<z.core.$ZodType | Written, WeakMap<object, string>>();

function recordText(
  route: Route,
  schema: z.core.$ZodType,
  { named, world }: ResponseContext,
  record: unknown,
  at?: number,
): string {
  const written = named?.(schema);
  const form = written ?? schema;
  let cache: WeakMap<object, string> | undefined;
  if (!written?.live && typeof record === "object" && record !== null && Object.isFrozen(record)) {
    cache = texts.get(form) ?? new WeakMap();
    const text = cache.get(record);
    if (text !== undefined) return text;
    texts.set(form, cache);
  }
  const fields = contractFields(schema, record);
  requireFit(route, schema, fields, at === undefined ? [] : ["data", at]);
  const text = JSON.stringify(written ? written.write(fields, record, world) : fields);
  cache?.set(record as object, text);
  return text;
}

function requireFit(route: Route, schema: z.core.$ZodType, value: unknown, at: readonly (string | number)[]): void {
  const { error } = z.safeParse(schema, value);
  if (!error) return;
  const [issue] = error.issues;
  const path = [...at, ...(issue?.path ?? [])].join(".");
  throw new EmulatorBug(
    `the emulator's response does not match the schema of the operation ${route.name}: ${path}: ${issue?.message}`,
  );
}

function pageBody(
  route: Route,
  entry: z.core.$ZodType,
  result: readonly Entry[] | Rows<Entry> | Listed<Entry>,
  filter: Filter | undefined,
  context: ResponseContext,
): string | Uint8Array {
  const { query, caller, random } = context;
  const kind = listKinds.get(route.operation);
  const list = "show" in result ? result : { rows: result, show: (row: Entry) => row };
  const may = kind && caller.restricted ? ({ id }: Entry) => caller.may(kind, id as number, "read_only") : undefined;
  const seen = queryList(list, filter, may);
  const { page, page_size: size } = query as { page: number; page_size: number };
  let data = seen.slice((page - 1) * size, page * size);
  // Shuffles only within the page. If entries moved between pages, a client that reads all pages could miss some of
  // them.
  if (random && !filter?.order) data = random.shuffled(data);
  const records = data.map((row) => list.show(row as never));
  const place = `"page":${page},"pages":${Math.max(1, Math.ceil(seen.length / size))},"results":${seen.length}`;
  const written = context.named?.(entry);
  const form = written ?? entry;
  const last = random ? undefined : lastPages.get(form);
  if (last?.place === place && areSame(records, last.records)) return last.body;
  const shown = records.map((record, at) => recordText(route, entry, context, record, at));
  const text = shownText(entry, context, `{"data":[${shown.join(",")}],${place}}`);
  if (random || written?.live || !records.every((record) => Object.isFrozen(record))) return text;
  const body = Buffer.from(text);
  lastPages.set(form, { records, place, body });
  return body;
}

const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/**
 * The last page of each list, by schema or its conversion, for clients that wait for a change. It is sent again as long
 * as it has the same frozen records, which never change.
 */
const lastPages = new WeakMap<
  z.core.$ZodType | Written,
  { records: readonly unknown[]; place: string; body: Uint8Array }
>();

/** Removes the fields of a row that are not in the contract, because they are internal to the emulator. */
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

/**
 * Names of fields such as `tags` that contain lists whose order the API does not define, so that they can be shuffled.
 */
const UNORDERED: ReadonlySet<string> = new Set(["tags", "nodes", "capabilities", "axfr_ips", "master_ips"]);

function unordered(value: unknown, random: Random, name = ""): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => unordered(one, random));
    return UNORDERED.has(name) ? random.shuffled(list) : list;
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unordered(inner, random, key)]));
}

/**
 * The type of the entries of each list operation, such as volumes for `GET /volumes`. Restricted users see only the
 * entries for which they have a grant.
 */
const listKinds = new WeakMap<Operation, Granted>();
export function findLists(routes: readonly Route[]): void {
  const kinds = new Map(routes.flatMap(({ operation: { path } }) => kindUnder(path)));
  for (const route of routes) {
    const kind = kinds.get(route.operation.path);
    if (kind && entryOf(route.operation)) listKinds.set(route.operation, kind);
  }
}

/** Derives the type of a list's entries: the path `/volumes/{volumeId}` means that `/volumes` lists volumes. */
function kindUnder(path: Operation["path"]): [string, Granted][] {
  const [, list, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const kind = parameter && kindOf(parameter, path);
  return list && kind ? [[list, kind]] : [];
}
