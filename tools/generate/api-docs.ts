import { z } from "zod";
import * as api from "../../api";
import { fullPath, type NamedOperation, sentence } from "../../api";
import type { Files } from "./mark";
import { anchor, code, link, table } from "./markdown";
import { areas } from "./operations";
import { typeOf as wordsFor } from "./type-words";

type Schema = z.core.$ZodType;

/** Records that have a name of their own in the contract; each is shown once. */
export const records = new Map<Schema, string>();
for (const [name, value] of Object.entries<unknown>({ ...api }))
  if (/^[A-Z]/.test(name) && value instanceof z.core.$ZodObject && !records.has(value)) records.set(value, name);

/** docs/api.md: the whole contract for people. */
export function apiFile(): Files {
  const shown = new Set<Schema>();
  const parts = areas.map(({ area, all }) => [`## ${area}`, ...all.flatMap((one) => described(one, shown))]);
  const shapes = recordsOf(shown);
  const contents = areas.map(({ area, all }) => {
    const calls = all.map(({ key, name }) => link(key, anchor(name)));
    return `- ${link(area, anchor(area))}: ${calls.join(", ")}`;
  });
  const text = [
    "# The API, operation by operation",
    `Version ${api.VERSION}. Written by \`make generate\` from the contract in \`api/\`; \`/openapi.json\` of a running emulator says the same to programs.`,
    ...conventions,
    "## Contents",
    contents.join("\n"),
    ...parts.flat(),
    "## Records",
    ...shapes,
  ];
  return { "docs/api.md": `${text.join("\n\n")}\n` };
}

const conventions = [
  "## What holds for all",
  [
    "- A request carries `Authorization: Bearer <token>` unless an operation needs no token. The token needs every scope that is named; `read_write` contains `read_only`.",
    "- A restricted user needs the grant as well: `add_…` to make things, `read_only` or `read_write` on the thing or on the account, or to be no restricted user at all (`unrestricted`).",
    "- Bodies are JSON with `Content-Type: application/json`. Fields in **bold** are required; a field that the contract does not know is refused. In a field that is not required, and whose type is not *or null*, `null` means that the field is not given.",
    "- An update (`PUT`) ignores read-only fields that are sent back as `GET` at the same path shows them, so that an answer can be changed in one field and sent back whole. A read-only field with another value is refused, but for what moves by itself, such as `updated`.",
    "- Lists take `page` and `page_size` and answer `data`, `page`, `pages`, `results`. The header `X-Filter` holds a JSON object over the fields marked *filterable*: equality, `+and`, `+or`, `+gt`, `+gte`, `+lt`, `+lte`, `+neq`, `+contains`, `+order_by`, and with it `+order`.",
    '- A refusal answers `{"errors": [{"field": …, "reason": …}]}` with every problem of the request.',
    "- Operations marked *beta* are under `/v4beta` only; all others are under both versions.",
  ].join("\n"),
  table(
    ["Status", "Meaning"],
    Object.entries(api.refusals).map(([status, meaning]) => [status, meaning]),
  ),
];

/** One operation, under its name in the client. */
function described({ name, operation }: NamedOperation, shown: Set<Schema>): string[] {
  const { summary, method, body, query, params, decided = [], deprecated } = operation;
  const fields = (title: string, schema: Schema | undefined, prefix = ""): string[] => {
    const rows = schema ? [...fieldRows(schema, prefix, { sent: true, shown })] : [];
    return rows.length > 0 ? [table([title, "Type", "Allowed", "About"], rows)] : [];
  };
  const bytes = body && api.contentTypeOf(body);
  return [
    `### ${name}`,
    `${deprecated ? "*Deprecated.* " : ""}${summary}`,
    `${code(`${method} ${fullPath(operation)}`)}${operation.beta ? " *beta*" : ""}`,
    facts(operation, shown),
    ...fields("Path", params && z.strictObject(params as z.core.$ZodLooseShape)),
    ...(query && query !== api.Paging ? fields("Query", query) : []),
    ...(bytes ? [`Body: bytes of ${code(bytes)}. ${api.metaOf(body).description ?? ""}`] : fields("Body", body)),
    ...(decided.length > 0
      ? [`Where the documents are silent:\n\n${decided.map((text) => `- ${text}`).join("\n")}`]
      : []),
  ];
}

function facts(operation: api.Operation, shown: Set<Schema>): string {
  const { scopes, grant, event, source, result, idle, unready } = operation;
  const needs = scopes.map(code).join(" and ");
  const optional = operation.public ? " with a token; without one, what everybody may see" : "";
  const entry = api.entryOf(operation);
  const lines = [
    `Scope: ${needs ? `${needs}${optional}` : "none, and no token"}`,
    ...(grant ? [`Grant: ${code(grant)}`] : []),
    `Answer: ${entry ? `a page of ${typeOf(entry, shown)}` : answerOf(result, shown)}`,
    `Refusals: ${[
      api.refusalsOf(operation).join(", "),
      ...(idle ? [`400 says “${api.reasons.busy}” while a job runs on the instance`] : []),
      ...(unready ? [`503 says “${unready}”`] : []),
    ].join("; ")}`,
    ...(event ? [`Event: ${code(event)}`] : []),
    `Source: ${source}`,
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}

function answerOf(result: Schema, shown: Set<Schema>): string {
  const type = api.contentTypeOf(result);
  if (type) return `bytes of ${code(type)}`;
  if (Object.keys(api.fieldsOf(result)).length === 0) return "an empty object";
  if (records.has(result)) return typeOf(result, shown);
  const fields = Object.entries(api.fieldsOf(result)).map(
    ([name, field]) => `${code(name)} (${typeOf(field, shown)}${described1(field)})`,
  );
  return `an object with ${fields.join(", ")}`;
}

const described1 = (field: Schema): string => {
  const { description } = api.metaOf(field);
  return description ? `: ${description.replace(/\.$/, "")}` : "";
};

/** The records that operations answer, and those within them. */
function recordsOf(shown: Set<Schema>): string[] {
  const done = new Map<string, string[]>();
  // Showing one may name others, which the loop then reaches: a set keeps its order.
  for (const schema of shown) {
    const rows = [...fieldRows(schema, "", { sent: false, shown })];
    const name = records.get(schema) as string;
    done.set(name, [`### ${name}`, table(["Field", "Type", "Allowed", "About"], rows)]);
  }
  return [...done].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
}

interface Showing {
  /** Whether the fields are sent or answered: what is sent can be required or have a default. */
  sent: boolean;
  shown: Set<Schema>;
}

/** A line for each field, and for those inside of it: `node_pools[].count`. */
function* fieldRows(schema: Schema, prefix: string, showing: Showing): Iterable<string[]> {
  for (const [name, field] of Object.entries(api.fieldsOf(schema))) {
    const path = `${prefix}${name}`;
    yield [nameOf(path, field, showing), typeOf(field, showing.shown, showing.sent), allowedIn(field), aboutOf(field)];
    const { inner } = api.layersOf(field);
    const part = inner instanceof z.core.$ZodArray ? inner._zod.def.element : inner;
    const under = `${path}${inner instanceof z.core.$ZodArray ? "[]" : ""}.`;
    if (showing.sent || !records.has(api.layersOf(part).inner)) yield* fieldRows(part, under, showing);
  }
}

const nameOf = (path: string, field: Schema, { sent }: Showing): string =>
  sent && api.isRequired(field) ? `**${code(path)}**` : code(path);

/** What is sent is shown in full; in a response, a record with a name is shown by it. */
const typeOf = (field: Schema, shown: Set<Schema>, sent = false): string =>
  wordsFor(field, (inner) => {
    const record = sent ? undefined : records.get(inner);
    if (!record) return undefined;
    shown.add(inner);
    return link(record, anchor(record));
  });

function allowedIn(field: Schema): string {
  const { description = "" } = api.metaOf(field);
  return api.allowed(field, description).join("; ");
}

function aboutOf(field: Schema): string {
  const { description, filterable, secret } = api.metaOf(field);
  const { initial } = api.layersOf(field);
  const notes = [
    ...(description ? [sentence(description)] : []),
    ...(initial === undefined ? [] : [`Default: ${code(JSON.stringify(initial))}.`]),
    ...(filterable ? ["*Filterable.*"] : []),
    ...(secret ? ["*Secret.*"] : []),
  ];
  return notes.join(" ");
}
