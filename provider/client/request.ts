import { contentTypeOf, entryOf, hide, type Operation, pathNames, secretsIn, type Translation } from "../../api";
import type { Call, CallOptions, NamedOperation } from "./interceptors/call";
import { oneLine } from "./printable";

export interface Options {
  signal?: AbortSignal | undefined;
  /**
   * Ends a call that changes something while it waits to be sent or to be retried. A request that was sent is completed.
   */
  signalUntilSent?: AbortSignal | undefined;
  /**
   * Filter of a list, sent as the header `X-Filter`: fields with values, or with the operators of the API
   * documentation, such as `{ label: { "+contains": "web" } }`.
   */
  filter?: Filter | undefined;
  /** Time at which to stop trying, in milliseconds by this machine's clock. */
  deadline?: number | undefined;
}

export type Filter = Readonly<Record<string, unknown>>;

/** The input of an operation, for code that does not know the operation's type. */
export interface Input {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * Converts a call to the request that undici sends. `url` is the base URL of the API, and `names` converts names if the
 * service has others than the contract.
 */
export function requestOf(
  { name, operation, isCreation = false }: NamedOperation,
  input: Input,
  { filter, deadline, signal, waitSignal }: Pick<Options, "filter"> & Pick<Call, "deadline" | "signal" | "waitSignal">,
  { url, token, names, settingNames }: { url: URL; token: string } & Pick<Call, "names" | "settingNames">,
): CallOptions {
  const { method, beta } = operation;
  const bytes = operation.body && contentTypeOf(operation.body);
  const accepted = contentTypeOf(operation.result);
  const body = bytes ? bytesOf(name, input.body) : operation.body && (input.body ?? {});
  // Error responses are JSON even if successful responses have another type.
  const headers: Record<string, string> = { accept: accepted ? `${accepted}, ${JSON_TYPE}` : JSON_TYPE };
  if (body !== undefined) headers["content-type"] = bytes ?? JSON_TYPE;
  if (filter) headers["x-filter"] = asciiJson(filterIn(names, operation, filter));
  const secrets = [token, ...secretsOf(operation, input)];
  const call: Call = {
    name,
    operation,
    isCreation,
    objects: pathNames(operation.path)
      .map((part) => `${objectNameOf(part)} ${input.path?.[part]}`)
      .join(", "),
    deadline,
    signal,
    waitSignal,
    body,
    names,
    settingNames,
    instance: method === "GET" ? undefined : instanceOf(input),
    hide: (text) => hide(text, secrets),
    // Redacts a second time, because invisible characters can split a secret, which is recognized only after they are
    // removed.
    sanitize: (text) => hide(oneLine(hide(text, secrets)), secrets),
  };
  return {
    origin: url.origin,
    method,
    path: `${url.pathname}${beta ? "beta" : ""}${pathOf(name, operation, input.path, names)}${queryOf(input.query)}`,
    headers,
    ...(body !== undefined && { body: bytes ? (body as Uint8Array) : jsonOf(operation, body, names) }),
    call,
  };
}

/** The name of the object that a path parameter identifies: `nodeBalancerId` becomes `node balancer`. */
export const objectNameOf = (parameter: string): string =>
  parameter
    .replace(/Id$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^compute\b/, "instance");

const JSON_TYPE = "application/json";

function bytesOf(name: string, body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  throw new TypeError(`${name}: body must be a Uint8Array`);
}

const jsonOf = ({ body: schema }: Operation, body: unknown, names: Translation | undefined): string =>
  JSON.stringify((schema && names?.of(schema, "fromUser")?.(body)) ?? body);

const filterIn = (names: Translation | undefined, operation: Operation, filter: Filter): unknown => {
  const entry = names && entryOf(operation);
  return entry ? names.filter(entry, "fromUser")(filter) : filter;
};

function pathOf(
  name: string,
  { path, params }: Operation,
  values: Record<string, unknown> = {},
  names?: Translation,
): string {
  return pathNames(path).reduce((result, part) => {
    const own = String(values[part] ?? "");
    const value = String((params?.[part] && names?.of(params[part], "fromUser")?.(own)) ?? own);
    // An empty value, `.` or `..` would turn the path into that of another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name}: path.${part} is "${value}", which is not a valid id`);
    return result.replace(`{${part}}`, () => encodeURIComponent(value));
  }, names?.path(path) ?? path);
}

function queryOf(query: Record<string, unknown> = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) parameters.set(key, String(value));
  return parameters.size ? `?${parameters}` : "";
}

/** Escapes all characters in JSON that are not ASCII, because headers may contain only ASCII. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * The instance that a call changes: `computeId` in the path, or else `compute_id` in the body, for example when a
 * volume is attached.
 */
function instanceOf({ path, body }: Input): string | undefined {
  const id = path?.computeId ?? (body as { compute_id?: unknown } | undefined)?.compute_id;
  return id === undefined || id === null ? undefined : String(id);
}

function secretsOf({ params = {}, body }: Operation, input: Input): string[] {
  const fromPath = Object.entries(params).flatMap(([name, schema]) => secretsIn(schema, input.path?.[name]));
  return [...fromPath, ...(body ? secretsIn(body, input.body) : [])];
}
