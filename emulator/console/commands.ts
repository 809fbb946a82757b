import { type FlagNames, flagNames, kebab, namedOperations, type Operation, operations, shellWord } from "../../api";

/** A call of an operation, without secrets. */
export interface Call {
  /** Name of the operation, such as `volumes.create`. */
  operation: string;
  method: string;
  /** Path with the version: `/v4/volumes`. */
  path: string;
  /** Values of the path's parameters, in the order of the path. */
  values: readonly string[];
  query: Readonly<Record<string, string>>;
  /** Null for a request without a body. */
  body: unknown;
  /** The header `X-Filter`. */
  filter?: string | undefined;
}

const operationsByName: ReadonlyMap<string, Operation> = new Map(
  namedOperations(operations).map(({ name, operation }) => [name, operation]),
);

/**
 * The call as a command of a POSIX shell: `npx cloudinfra api volumes create --label data --region us-east`. Null for an
 * operation that only the dialect of the emulator has. Query parameters that the operation ignores are omitted.
 */
export function cliCommand({ operation: name, values, query, body, filter }: Call): string | null {
  const operation = operationsByName.get(name);
  if (!operation) return null;
  const names = flagNames(operation);
  const words = ["npx cloudinfra api", ...name.split(".").map(kebab), ...values.map(shellWord)];
  for (const [field, value] of Object.entries(query)) {
    const option = names.query.get(field);
    if (option !== undefined) words.push(flag(option, value));
  }
  if (filter !== undefined) words.push(flag("filter", filter));
  if (body === null || body === undefined) return words.join(" ");
  const flags = bodyFlags(names.body, body);
  return flags
    ? [...words, ...flags].join(" ")
    : `${words.join(" ")} --file - <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
}

/** The call as a `curl` command. The token is a variable, because other users of the machine can see command lines. */
export function curlCommand({ method, path, query, body, filter }: Call, origin: string): string {
  const search = new URLSearchParams(query).toString();
  const verb = method === "GET" ? "" : `-X ${method} `;
  const parts = [
    `curl ${verb}${shellWord(`${origin}${path}${search && `?${search}`}`)}`,
    '-H "Authorization: Bearer $CLOUDINFRA_TOKEN"',
  ];
  if (filter !== undefined) parts.push(`-H ${shellWord(`X-Filter: ${filter}`)}`);
  if (body !== null && body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

const flag = (name: string, value: string): string =>
  `--${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;

/** The flags for a body whose fields are plain values or lists of them. Undefined for any other body. */
function bodyFlags(names: FlagNames["body"], body: unknown): string[] | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const flags: string[] = [];
  for (const [field, value] of Object.entries(body)) {
    const name = names.get(field);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (name === undefined || values.length === 0 || !values.every(isPlain)) return undefined;
    if (typeof value === "boolean") flags.push(value ? `--${name}` : `--no-${name}`);
    else flags.push(...values.map((one) => flag(name, String(one))));
  }
  return flags;
}

/** Whether a flag has the value when it is given as text. A text that a flag reads as JSON or as null does not. */
const isPlain = (value: unknown): boolean =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && !/^(null$|\{|\[(?!secret\]$)|$)/.test(value));
