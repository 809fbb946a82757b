import { z } from "zod";
import { type Area, entryOf, fieldsOf, isObject, layersOf, type Operation } from "../../api";
import type { NamedOperation } from "./interceptors/call";
import { oneLine } from "./printable";

type Schema = z.core.$ZodType;
type Json = Record<string, unknown>;

/** Maximum length of an id in a response. A response with a longer id is rejected. */
const MAX_ID_LENGTH = 255;
/** Maximum number of pages of a list. A response with more than ten million entries cannot be valid. */
const MAX_PAGES = 100_000;

export const isPaged = (operation: Operation): boolean => entryOf(operation) !== undefined;

/**
 * Whether a value in a response is a valid id, which can be stored in state, inserted into URLs and printed to a
 * terminal.
 */
export function isId(schema: Schema, value: unknown): boolean {
  if (typeof value !== "string") return z.safeParse(schema, value).success;
  if (layersOf(schema).inner instanceof z.core.$ZodNumber) return false;
  return value.trim() !== "" && value.length <= MAX_ID_LENGTH && oneLine(value) === value;
}

/**
 * Whether an operation creates an object of its API area, such as a volume: a POST to the path of the collection, such
 * as `/volumes`, or to a path directly below it.
 */
export function isCreate({ method, path }: Operation, { view }: Area): boolean {
  const parentOf = (place: string): string => place.slice(0, place.lastIndexOf("/"));
  return method === "POST" && view !== undefined && [path, parentOf(path)].includes(parentOf(view.path));
}

/**
 * The reason why a successful response cannot be used, as the end of a sentence. Undefined if the response can be used.
 */
export function problemIn({ operation, isCreation }: NamedOperation, json: unknown): string | undefined {
  if (!isObject(json)) return "is not a JSON object";
  const entry = entryOf(operation);
  if (entry) return problemInPage(entry, json);
  return isCreation && !hasNewId(operation.result, json) ? "has no valid id" : undefined;
}

function problemInPage(entry: Schema, { data, page, pages = 1 }: Json): string | undefined {
  if (!Array.isArray(data)) return "is not a page of a list: it has no data array";
  if (!Number.isSafeInteger(pages)) return "is not a page of a list: its number of pages is not a number";
  if (Number(pages) > MAX_PAGES) return `declares ${pages} pages, which is more than any list has`;
  if (!data.length && Number(page) < Number(pages)) return `is an empty page of a list, ${Number(page)} of ${pages}`;
  if (!Object.keys(fieldsOf(entry)).length) return undefined;
  const invalid = data.findIndex((row) => !isObject(row) || !hasId(entry, row));
  return invalid < 0 ? undefined : `is not a page of a list: entry ${invalid} is not an object with a valid id`;
}

/** Whether an object in a response has a valid id. Always true if the schema of the object has no field `id`. */
function hasId(schema: Schema, record: unknown): boolean {
  const { id } = fieldsOf(schema);
  return id === undefined || (isObject(record) && isId(id, record.id));
}

/** Whether the response contains the id of the new object. The object is the response itself or one of its fields. */
const hasNewId = (result: Schema, json: Json): boolean =>
  "id" in fieldsOf(result)
    ? hasId(result, json)
    : Object.entries(fieldsOf(result)).every(([name, inner]) => hasId(inner, json[name]));
