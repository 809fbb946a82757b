import type { z } from "zod";
import { camel, contentTypeOf, fieldsOf, fromWire, metaOf, type Operation, pathNames, redact } from "../../api";
import { isPaged } from "../client/envelope";
import { ApiError, CloudInfraError, isNotFound } from "../client/errors";
import { inputParts } from "../client/flat-input";
import { callNamed, type NamedCall } from "../client/operation-calls";
import type { Input } from "../client/request";
import { isEqual } from "../engine/comparison";
import type { Host } from "../engine/host";
import type { Bag } from "../engine/values";
import { checked } from "./check";
import type { ReadFunction } from "./functions";
import { isMarked } from "./names";

/** A function found no object or several objects, or received an error response, which is then the `cause`. */
export class FunctionError extends CloudInfraError {
  override readonly name = "FunctionError";

  constructor(
    readonly fn: string,
    problem: string,
    override readonly cause?: unknown,
  ) {
    super(`${fn}: ${problem}`);
  }
}

/** Calls a function: validates the arguments, sends the request, and returns the result with camelCase names. */
export async function call(fn: ReadFunction, api: Host["api"], args: unknown): Promise<Bag> {
  const { inputs, filter } = checked(fn, args);
  const input = inputOf(fn.operation, inputs);
  const operation = (key: string): NamedCall => callNamed(api, fn.area, key);
  try {
    const { lookup } = fn;
    const response =
      lookup && inputs[lookup.id] === undefined
        ? await byName(fn, operation(lookup.list), input, inputs[lookup.by])
        : await responseOf(fn, operation(fn.key), input, filter);
    return fromWire(fn.result, response) as Bag;
  } catch (error) {
    throw withArguments(fn, inputs, error);
  }
}

/** Assigns the inputs to the path, query, filter and body of the request. */
function inputOf(operation: Operation, inputs: Bag): Input {
  const parts = inputParts(operation);
  const inputsIn = (part: string) =>
    Object.fromEntries(Object.entries(inputs).filter(([key]) => parts.get(key) === part));
  return { path: inputsIn("path"), query: inputsIn("query"), ...(operation.body ? { body: inputsIn("body") } : {}) };
}

async function responseOf(
  { name, operation, items = "", convert }: ReadFunction,
  method: NamedCall,
  input: Input,
  filter: Bag | undefined,
): Promise<unknown> {
  if (isPaged(operation)) return { [items]: await all(method, input, filter) };
  if (isMarked(operation)) return { [items]: await allMarked(name, method, input) };
  const response = await method(input);
  const bytes = contentTypeOf(operation.result);
  if (bytes) return { content_base64: Buffer.from(response as Uint8Array).toString("base64"), content_type: bytes };
  return convert ? convert(response as Bag) : response;
}

const all = (method: NamedCall, input: Input, filter: Bag | undefined): Promise<Bag[]> =>
  Array.fromAsync(method.all(input, filter ? { filter } : {}));

async function allMarked(fn: string, method: NamedCall, input: Input): Promise<unknown[]> {
  const found: unknown[] = [];
  const markers = new Set<string>();
  for (let query = input.query ?? {}; ; ) {
    const page = (await method({ ...input, query })) as { data: unknown[]; next_marker?: string | null };
    found.push(...page.data);
    const marker = page.next_marker;
    if (!marker) return found;
    if (markers.has(marker))
      throw new FunctionError(
        fn,
        `the list has no end: the service returned the marker ${JSON.stringify(marker)} twice`,
      );
    markers.add(marker);
    query = { ...query, marker };
  }
}

async function byName(
  { name, lookup, result }: ReadFunction,
  list: NamedCall,
  { path = {} }: Input,
  value: unknown,
): Promise<Bag> {
  const { by, id } = lookup as NonNullable<ReadFunction["lookup"]>;
  const form = metaOf(fieldsOf(result)[by] as z.core.$ZodType).canonical;
  const stored = form ? form(value) : value;
  const filtered = await all(list, { path }, { [by]: stored });
  // The service compares names exactly, and may store a name with several forms, such as a domain, in another one.
  const rows = form && !filtered.length ? await all(list, { path }, undefined) : filtered;
  const [found, ...others] = form ? rows.filter((row) => isEqual(form(row[by]), stored)) : rows;
  const condition = `the ${camel(by)} ${JSON.stringify(value)}`;
  if (!found) throw new FunctionError(name, `no object has ${condition}`);
  if (!others.length) return found;
  const ids = [found, ...others].map((one) => String(one.id));
  throw new FunctionError(name, `${ids.length} objects have ${condition}: set ${id} to one of ${ids.join(", ")}`);
}

/** Adds the name of the function and the ids in its arguments to an error. */
function withArguments({ name, operation, inputs: schema }: ReadFunction, inputs: Bag, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const reason = error.message.slice(error.operation.length + 2);
  const path = pathNames(operation.path).filter((part) => inputs[part] !== undefined);
  if (!isNotFound(error) || !path.length) return new FunctionError(name, reason, error);
  const shown = redact(schema, inputs) as Bag;
  const ids = path.map((part) => `${part} ${JSON.stringify(shown[part])}`).join(", ");
  return new FunctionError(name, `no object with ${ids} exists (${reason})`, error);
}
