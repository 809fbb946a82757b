import { camel, contentTypeOf, fromWire, type Operation, pathNames } from "../../api";
import { isPaged } from "../client/envelope";
import { ApiError, CloudInfraError, isNotFound } from "../client/errors";
import { inputParts } from "../client/flat-input";
import { callNamed, type NamedCall } from "../client/operation-calls";
import type { Input } from "../client/request";
import type { Host } from "../engine/host";
import type { Bag } from "../engine/values";
import { checked } from "./check";
import type { ReadFunction } from "./functions";
import { isMarked } from "./names";

/** A function found no object or several objects, or received an error response, which is then the `cause`. */
export class FunctionError extends CloudInfraError {
  override readonly name = "FunctionError";

  constructor(
    readonly called: string,
    problem: string,
    override readonly cause?: unknown,
  ) {
    super(`${called}: ${problem}`);
  }
}

/** Calls a function: validates the arguments, sends the request, and returns the result with camelCase names. */
export async function call(called: ReadFunction, api: Host["api"], args: unknown): Promise<Bag> {
  const { inputs, filter } = checked(called, args);
  const input = inputOf(called.operation, inputs);
  const operation = (key: string): NamedCall => callNamed(api, called.area, key);
  try {
    const { named } = called;
    const answer =
      named && inputs[named.id] === undefined
        ? await byName(called, operation(named.list), input, inputs[named.by])
        : await answerOf(called, operation(called.key), input, filter);
    return fromWire(called.result, answer) as Bag;
  } catch (error) {
    throw explained(called, inputs, error);
  }
}

/** Assigns the inputs to the path, query, filter and body of the request. */
function inputOf(operation: Operation, inputs: Bag): Input {
  const parts = inputParts(operation);
  const those = (part: string) => Object.fromEntries(Object.entries(inputs).filter(([key]) => parts.get(key) === part));
  return { path: those("path"), query: those("query"), ...(operation.body ? { body: those("body") } : {}) };
}

async function answerOf(
  { operation, items = "", part }: ReadFunction,
  method: NamedCall,
  input: Input,
  filter: Bag | undefined,
): Promise<unknown> {
  if (isPaged(operation)) return { [items]: await all(method, input, filter) };
  if (isMarked(operation)) return { [items]: await allMarked(method, input) };
  const answer = await method(input);
  const bytes = contentTypeOf(operation.result);
  if (bytes) return { content_base64: Buffer.from(answer as Uint8Array).toString("base64"), content_type: bytes };
  return part ? part(answer as Bag) : answer;
}

const all = (method: NamedCall, input: Input, filter: Bag | undefined): Promise<Bag[]> =>
  Array.fromAsync(method.all(input, filter ? { filter } : {}));

async function allMarked(method: NamedCall, input: Input): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let query = input.query ?? {}; ; ) {
    const page = (await method({ ...input, query })) as { data: unknown[]; next_marker?: string | null };
    found.push(...page.data);
    if (!page.next_marker) return found;
    query = { ...query, marker: page.next_marker };
  }
}

async function byName(
  { name, named }: ReadFunction,
  list: NamedCall,
  { path = {} }: Input,
  wanted: unknown,
): Promise<Bag> {
  const { by, id } = named as NonNullable<ReadFunction["named"]>;
  const [found, ...more] = await all(list, { path }, { [by]: wanted });
  const said = `the ${camel(by)} ${JSON.stringify(wanted)}`;
  if (!found) throw new FunctionError(name, `no object has ${said}`);
  if (!more.length) return found;
  const ids = [found, ...more].map((one) => String(one.id));
  throw new FunctionError(name, `${ids.length} objects have ${said}: set ${id} to one of ${ids.join(", ")}`);
}

/** Adds the name of the function and the ids in its arguments to an error. */
function explained({ name, operation }: ReadFunction, inputs: Bag, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const reason = error.message.slice(error.operation.length + 2);
  const path = pathNames(operation.path).filter((part) => inputs[part] !== undefined);
  if (!isNotFound(error) || !path.length) return new FunctionError(name, reason, error);
  const ids = path.map((part) => `${part} ${JSON.stringify(inputs[part])}`).join(", ");
  return new FunctionError(name, `no object with ${ids} exists (${reason})`, error);
}
