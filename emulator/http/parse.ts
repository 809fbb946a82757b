import { z } from "zod";
import {
  type Catalogue,
  contentTypeOf,
  fieldsOf,
  isObject,
  metaOf,
  type Operation,
  ownProperty,
  problemsOf,
  type Rule,
  reported,
  unwrapped,
  visit,
  withoutAbsent,
} from "../../api";
import { ErrorResponse, notFound, type Reason, Reasons, sentence } from "../core/error-response";
import { TextCache } from "../core/text-cache";
import { rejectBrokenText, rejectUnsafeJson } from "../core/unsafe-json";
import type { World } from "../core/world";
import { seesImage } from "./account-checks";
import type { Caller } from "./auth";

/** Parses a request's query and body. Throws a single 400 that lists all errors. */
export function receive(
  { operation, rules, query: schema }: { operation: Operation; rules: readonly Rule<never>[]; query: z.core.$ZodType },
  raw: { search: string; query: URLSearchParams; body: unknown },
  world: World,
  caller: Caller,
  reasons: Reasons,
): { query: unknown; body: unknown } {
  const query = parsedQuery(schema, raw, reasons);
  if (!operation.body) {
    if (raw.body !== undefined) parsed(Nothing, raw.body, reasons);
    reasons.throwIfAny();
    return { query, body: undefined };
  }
  const isBinary = contentTypeOf(operation.body) !== undefined;
  if (operation.method === "PUT" && !isBinary && raw.body === undefined)
    reasons.add("The body is missing: send a JSON object with the fields to change");
  const nothing = isBinary ? new Uint8Array() : {};
  const sent = withoutAbsent(operation.body, raw.body);
  const body = parsed(operation.body, sent ?? nothing, reasons);
  const complained = new Set(reasons.list.map(({ field }) => field));
  for (const reason of unknownEntries({ world, caller }, operation.body, sent, ""))
    if (!complained.has(reason.field)) reasons.list.push(reason);
  if (body !== undefined) reasons.addBreaches(rules as readonly Rule<unknown>[], body);
  reasons.throwIfAny();
  return { query, body };
}

/** Parses the query string, and caches the result if the query is valid. */
function parsedQuery(
  schema: z.core.$ZodType,
  { search, query }: { search: string; query: URLSearchParams },
  reasons: Reasons,
): unknown {
  const known = queries.get(schema) ?? new TextCache();
  queries.set(schema, known);
  return known.get(search, () => {
    const before = reasons.list.length;
    const value = parsed(schema, queryValues(query, schema, reasons), reasons);
    return reasons.list.length > before ? undefined : Object.freeze(value);
  });
}
const queries = new WeakMap<z.core.$ZodType, TextCache<unknown>>();

/**
 * Parses the values in the path. Throws a 404 for a value that no object can have, such as a malformed id, and a 400
 * for a number that is out of range.
 */
export function pathOf(operation: Operation, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const reasons = new Reasons();
  const path: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(values)) {
    const schema = operation.params?.[name];
    const value = schema ? coerced(schema, text) : idOf(text);
    if (schema && !Number.isInteger(value) && !z.safeParse(schema, value).success) throw notFound();
    path[name] = schema ? parsed(schema, value, reasons, name) : value;
  }
  reasons.throwIfAny();
  return path;
}

/** Parses an id. Throws a 404 unless the text consists of digits without a leading zero. */
function idOf(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id)) throw notFound();
  return id;
}

const Nothing = z.strictObject({});

/** The operation's own parameters. Others are ignored, because clients add paging to requests that return no list. */
function queryValues(query: URLSearchParams, known: z.core.$ZodType, reasons: Reasons): Record<string, unknown> {
  const fields = fieldsOf(known);
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of query) {
    const schema = ownProperty(fields, name);
    if (!schema) continue;
    if (name in values) reasons.add("Must be set only once", name);
    values[name] = coerced(schema, text);
  }
  return { ...values };
}

/**
 * Converts text to a number or boolean if the schema expects one. Invalid text is returned unchanged, so that
 * validation rejects it.
 */
function coerced(schema: z.core.$ZodType, text: string): unknown {
  const inner = unwrapped(schema);
  if (inner !== schema) return coerced(inner, text);
  if (schema instanceof z.core.$ZodNumber && /^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (schema instanceof z.core.$ZodBoolean && /^(true|false|1|0)$/.test(text)) return text === "true" || text === "1";
  return text;
}

function parsed(schema: z.core.$ZodType, value: unknown, reasons: Reasons, field?: string): unknown {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  for (const problem of problemsOf(result.error.issues)) {
    const addressed = reported(problem.reason, [...(field ? [field] : []), ...problem.path].join(".") || undefined);
    reasons.add(sentence(addressed.reason), addressed.field);
  }
  return undefined;
}

/** Reports ids in the body that do not exist, such as an unknown region, or that are hidden from the caller. */
function* unknownEntries(
  viewer: { world: World; caller: Caller },
  schema: z.core.$ZodType,
  value: unknown,
  field: string,
): Iterable<Reason> {
  if (value == null || !namesEntries(schema)) return;
  const inner = unwrapped(schema);
  const { catalogue } = metaOf(schema);
  if (catalogue && typeof value === "string") {
    if (!knows(viewer, catalogue, value))
      yield {
        field,
        reason: `There is no ${noun[catalogue]} ${JSON.stringify(value)}; GET ${list[catalogue]} lists them`,
      };
  } else if (inner !== schema) yield* unknownEntries(viewer, inner, value, field);
  else if (schema instanceof z.core.$ZodArray && Array.isArray(value))
    for (const [at, one] of value.entries())
      yield* unknownEntries(viewer, schema._zod.def.element, one, `${field}.${at}`);
  else if (typeof value === "object")
    for (const [name, part] of Object.entries(fieldsOf(schema)))
      yield* unknownEntries(viewer, part, (value as Record<string, unknown>)[name], field ? `${field}.${name}` : name);
}

/** Whether the id, such as that of a region, exists. A private image does not exist for callers who may not see it. */
function knows({ world, caller }: { world: World; caller: Caller }, catalogue: Catalogue, id: string): boolean {
  if (catalogue !== "images") return world[catalogue].find(id) !== undefined;
  const image = world.images.find(id);
  return image !== undefined && seesImage(caller, image);
}

/** Whether the schema contains, at any depth, a field for the id of a region, an image or another catalogue entry. */
function namesEntries(schema: z.core.$ZodType): boolean {
  const found = naming.get(schema) ?? visit(schema).some((part) => metaOf(part.schema).catalogue);
  naming.set(schema, found);
  return found;
}
const naming = new WeakMap<z.core.$ZodType, boolean>();

const noun = {
  regions: "region",
  types: "type",
  images: "image",
  kernels: "kernel",
  lkeVersions: "Kubernetes version",
  objectStorageClusters: "object storage cluster",
} satisfies Record<Catalogue, string>;
const list = {
  regions: "/v4/regions",
  types: "/v4/compute/types",
  images: "/v4/images",
  kernels: "/v4/compute/kernels",
  lkeVersions: "/v4/lke/versions",
  objectStorageClusters: "/v4/object-storage/clusters",
} satisfies Record<Catalogue, string>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body as JSON, or returns the bytes of a binary one; undefined if it is empty. */
export function bodyOf(
  bytes: Uint8Array | undefined,
  contentType: string | undefined,
  schema?: z.core.$ZodType,
): unknown {
  if (!bytes || bytes.length === 0) return undefined;
  const wanted = schema && contentTypeOf(schema);
  const sent = contentType?.split(";")[0]?.trim().toLowerCase();
  if (wanted && sent !== wanted) throw new ErrorResponse(415, `The body must be sent with Content-Type: ${wanted}`);
  if (wanted) return bytes;
  if (sent !== "application/json")
    throw new ErrorResponse(415, "The body must be JSON, sent with Content-Type: application/json");
  const body = json(bytes);
  if (!isObject(body)) throw new ErrorResponse(400, "The body must be a JSON object");
  rejectUnsafeJson(body, 1);
  rejectBrokenText(body);
  return body;
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new ErrorResponse(
      400,
      error instanceof SyntaxError ? "The body is not valid JSON" : "The body must be UTF-8",
    );
  }
}
