import { z } from "zod";
import * as api from "../../api";
import { fullPath, type NamedOperation } from "../../api";
import { type Files, PAGE_MARK } from "./mark";
import { apiPage, code, descriptionOf, link, recordPage, requestField, table } from "./markdown";
import { areas } from "./operations";
import { typeOf as wordsFor } from "./type-words";

type Schema = z.core.$ZodType;

/** The object schemas that `api/` exports, such as `Volume`, with their names. */
export const records = new Map<Schema, string>();
for (const [name, value] of Object.entries<unknown>({ ...api }))
  if (/^[A-Z]/.test(name) && value instanceof z.core.$ZodObject && !records.has(value)) records.set(value, name);

/**
 * Generates docs/api/, the API reference: a page for each group of operations (such as `volumes`), a page for all
 * object types, and an index.
 */
export function apiFiles(): Files {
  const shown = new Set<Schema>();
  const parts = areas.map(({ area, all }) =>
    page(apiPage(area), [
      `# ${area}`,
      `Operations of the area ${code(area)}. ${link("The conventions", "README.md")} apply to all of them.`,
      ...all.flatMap((one) => described(one, shown)),
    ]),
  );
  const contents = areas.map(({ area, all }) => {
    const calls = all.map(({ key, name }) => link(key, pageName(apiPage(name))));
    return `- ${link(area, pageName(apiPage(area)))}: ${calls.join(", ")}`;
  });
  const index = [
    "# API operations",
    `Version ${api.VERSION} of the contract. A running emulator serves it at \`/openapi.json\`. Responses contain ${link("records", "records.md")}.`,
    ...conventions,
    "## Contents",
    contents.join("\n"),
  ];
  const shapes = ["# Records", "The objects in responses.", ...recordsOf(shown)];
  return Object.fromEntries([...parts, page("api/README.md", index), page("api/records.md", shapes)]);
}

const page = (path: string, text: readonly string[]): [file: string, text: string] => [
  `docs/${path}`,
  `${[`${PAGE_MARK}\n${text[0]}`, ...text.slice(1)].join("\n\n")}\n`,
];

/** Removes the folder from a link, for links between pages in docs/api. */
const pageName = (path: string): string => path.replace(/^api\//, "");

const conventions = [
  "## Conventions",
  [
    "- Requests carry `Authorization: Bearer <token>`, except for operations that require no token. The token must have every scope that the operation lists; `read_write` includes `read_only`.",
    "- Restricted users also need the grant: `add_…` to create objects, `read_only` or `read_write` on the object or the account. `unrestricted` means that restricted users cannot call the operation.",
    "- Bodies are JSON with `Content-Type: application/json`. Fields in **bold** are required; unknown fields are rejected. In an optional field whose type is not *or null*, `null` means that the field is omitted.",
    "- An update (`PUT`) ignores read-only fields whose values equal those that `GET` returns at the same path, so that you can change one field of a response and send it back. Read-only fields with other values are rejected, except for those that the service changes on its own, such as `updated`.",
    "- Lists accept `page` and `page_size` and return `data`, `page`, `pages` and `results`. The header `X-Filter` contains a JSON object with fields marked *filterable*: equality, `+and`, `+or`, `+gt`, `+gte`, `+lt`, `+lte`, `+neq`, `+contains`, `+order_by`, and with it `+order`.",
    '- Errors return `{"errors": [{"field": …, "reason": …}]}` with every problem of the request.',
    "- Operations marked *beta* are under `/v4beta` only; all others are under both versions.",
  ].join("\n"),
  table(
    ["Status", "Meaning"],
    Object.entries(api.errorStatuses).map(([status, meaning]) => [status, meaning]),
  ),
];

/**
 * The section of an operation, with the heading `volumes.resize` for example. Adds the object types of its response to
 * `shown`.
 */
function described({ name, operation }: NamedOperation, shown: Set<Schema>): string[] {
  const { summary, method, body, query, params, decided = [], deprecated } = operation;
  const fields = (title: string, schema: Schema | undefined, prefix = ""): string[] => {
    const rows = schema ? [...fieldRows(schema, prefix, { sent: true, shown })] : [];
    return rows.length > 0 ? [table([title, "Type", "Allowed", "Description"], rows)] : [];
  };
  const bytes = body && api.contentTypeOf(body);
  return [
    `## ${name}`,
    `${deprecated ? "*Deprecated.* " : ""}${summary}`,
    `${code(`${method} ${fullPath(operation)}`)}${operation.beta ? " *beta*" : ""}`,
    facts(operation, shown),
    ...fields("Path", params && z.strictObject(params as z.core.$ZodLooseShape)),
    ...(query && query !== api.Paging ? fields("Query", query) : []),
    ...(bytes ? [`Body: bytes of ${code(bytes)}. ${api.metaOf(body).description ?? ""}`] : fields("Body", body)),
    ...(decided.length > 0
      ? [`Behavior that the documents do not specify:\n\n${decided.map((text) => `- ${text}`).join("\n")}`]
      : []),
  ];
}

function facts(operation: api.Operation, shown: Set<Schema>): string {
  const { scopes, grant, event, result, idle, unready } = operation;
  const needs = scopes.map(code).join(" and ");
  const optional = operation.public ? " with a token; without one, only public objects are returned" : "";
  const entry = api.entryOf(operation);
  const lines = [
    `Scope: ${needs ? `${needs}${optional}` : "none; no token required"}`,
    ...(grant ? [`Grant: ${code(grant)}`] : []),
    `Response: ${entry ? `a page of ${typeOf(entry, shown)}` : resultSection(result, shown)}`,
    `Errors: ${[
      api.errorStatusesOf(operation).join(", "),
      ...(idle ? [`400 “${api.reasons.busy}” while a job runs on the instance`] : []),
      ...(unready ? [`503 “${unready}”`] : []),
    ].join("; ")}`,
    ...(event ? [`Event: ${code(event)}`] : []),
  ];
  return lines.map((line) => `- ${line}`).join("\n");
}

function resultSection(result: Schema, shown: Set<Schema>): string {
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

/** The sections of all object types that responses contain, sorted by name. */
function recordsOf(shown: Set<Schema>): string[] {
  const done = new Map<string, string[]>();
  // Nested object types are added to `shown` during the loop, which then handles them too.
  for (const schema of shown) {
    const rows = [...fieldRows(schema, "", { sent: false, shown })];
    const name = records.get(schema) as string;
    done.set(name, [`## ${name}`, table(["Field", "Type", "Allowed", "Description"], rows)]);
  }
  return [...done].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
}

interface Showing {
  /**
   * Whether the fields belong to a request. Only then are required fields in bold, and nested objects listed in full.
   */
  sent: boolean;
  shown: Set<Schema>;
}

function* fieldRows(schema: Schema, prefix: string, showing: Showing): Iterable<string[]> {
  for (const [name, field] of Object.entries(api.fieldsOf(schema))) {
    const path = `${prefix}${name}`;
    yield [
      fieldName(path, field, showing),
      typeOf(field, showing.shown, showing.sent),
      allowedIn(field),
      aboutOf(field),
    ];
    const { inner } = api.layersOf(field);
    const part = inner instanceof z.core.$ZodArray ? inner._zod.def.element : inner;
    const under = `${path}${inner instanceof z.core.$ZodArray ? "[]" : ""}.`;
    if (showing.sent || !records.has(api.layersOf(part).inner)) yield* fieldRows(part, under, showing);
  }
}

const fieldName = (path: string, field: Schema, { sent }: Showing): string =>
  sent ? requestField(path, field) : code(path);

/** The type of a field. In responses, object types such as `Volume` are links to their sections. */
const typeOf = (field: Schema, shown: Set<Schema>, sent = false): string =>
  wordsFor(field, (inner) => {
    const record = sent ? undefined : records.get(inner);
    if (!record) return undefined;
    shown.add(inner);
    return link(record, pageName(recordPage(record)));
  });

function allowedIn(field: Schema): string {
  const { description = "" } = api.metaOf(field);
  return api.allowed(field, description).join("; ");
}

function aboutOf(field: Schema): string {
  const { filterable, secret } = api.metaOf(field);
  const notes = [...descriptionOf(field), ...(filterable ? ["*Filterable.*"] : []), ...(secret ? ["*Secret.*"] : [])];
  return notes.join(" ");
}
