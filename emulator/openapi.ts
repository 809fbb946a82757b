import { z } from "zod";
import * as api from "../api";
import { fieldsOf, type Operation, operations, pathNames } from "../api";

type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** The contract as an OpenAPI 3.1 document: nothing in it is written by hand that the contract says. */
export function openapi(origin: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [area, all] of Object.entries<api.Area>(operations)) {
    for (const [key, operation] of Object.entries(all)) {
      const path = `/${operation.beta ? "v4beta" : "v4"}${operation.path}`;
      const item = paths[path] ?? { parameters: pathParameters(operation, schemas) };
      item[operation.method.toLowerCase()] = described(area, key, operation, schemas);
      paths[path] = item;
    }
  }
  schemas.Error ??= shape(api.ErrorBody, "output", schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Cloud Infrastructure API",
      version: api.VERSION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin }],
    tags: Object.keys(operations).map((name) => ({ name })),
    paths,
    components: { schemas, headers, responses, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function described(area: string, key: string, operation: Operation, schemas: Json): Json {
  const { summary, scopes, body, result, grant, source, decided = [], deprecated } = operation;
  const needs = scopes.length > 0 ? [`Scopes: ${scopes.join(", ")}.`] : ["Needs no token."];
  const notes = [
    ...needs,
    ...(grant ? [`Grant of a restricted user: ${grant}.`] : []),
    ...decided,
    `Source: ${source}.`,
  ];
  return {
    operationId: `${area}.${key}`,
    tags: [area],
    summary,
    description: notes.join("\n\n"),
    ...(deprecated && { deprecated }),
    security: scopes.length === 0 ? [] : operation.public ? [{}, { token: [] }] : [{ token: [] }],
    parameters: [...queryParameters(operation, schemas), ...(isList(operation) ? [filterParameter(operation)] : [])],
    ...(body && {
      requestBody: {
        required: !z.safeParse(body, {}).success,
        content: { [api.contentTypeOf(body) ?? JSON_TYPE]: { schema: shape(body, "input", schemas) } },
      },
    }),
    responses: {
      200: {
        description: "Done.",
        headers: Object.fromEntries(
          Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { [api.contentTypeOf(result) ?? JSON_TYPE]: { schema: shape(result, "output", schemas) } },
      },
      ...Object.fromEntries(
        refusals(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

const JSON_TYPE = "application/json";

/** Statuses besides 200 that the operation can have. */
export function refusals({ method, path, scopes, unready }: Operation): number[] {
  return [
    400,
    401,
    ...(scopes.length > 0 ? [403] : []),
    ...(pathNames(path).length > 0 ? [404] : []),
    ...(method === "GET" ? [] : [413, 415]),
    429,
    ...(unready ? [503] : []),
  ];
}

const refused = (description: string): Json => ({
  description,
  content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Error" } } },
});

const responses: Record<number, Json> = {
  400: refused("The request breaks the contract or a rule; the body names every problem."),
  401: refused("No token, or one that is unknown or expired."),
  403: refused("The token lacks a scope, or its user a grant."),
  404: refused("There is no such object, or the user may not see it."),
  413: refused("The body is too large."),
  415: refused("The body is of another content type."),
  429: refused("Too many requests; `Retry-After` says how many seconds to wait."),
  503: refused("Not there yet; ask again later."),
};

const integer = { schema: { type: "integer" } };
const headers: Json = {
  "X-Spec-Version": { description: "Version of this interface.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Requests that the token has in a window.", ...integer },
  "X-RateLimit-Remaining": { description: "Requests that are left of them.", ...integer },
  "X-RateLimit-Reset": { description: "When the window ends, in seconds since 1970.", ...integer },
};

const pathParameters = ({ path, params }: Operation, schemas: Json): Json[] =>
  pathNames(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: shape(params?.[name] ?? api.Id, "input", schemas),
  }));

function queryParameters(operation: Operation, schemas: Json): Json[] {
  return Object.entries(fieldsOf(api.queryOf(operation))).map(([name, field]) => ({
    name,
    in: "query",
    required: api.isRequired(field),
    schema: shape(field, "input", schemas),
  }));
}

const isList = (operation: Operation): boolean => api.entryOf(operation) !== undefined;

function filterParameter(operation: Operation): Json {
  const fields = [...api.filterableOf(api.entryOf(operation) as Schema)];
  const value = { anyOf: [{ type: ["string", "number", "boolean", "null"] }, { type: "object" }] };
  return {
    name: "X-Filter",
    in: "header",
    description: `A JSON object; fields that it can name: ${fields.join(", ") || "none"}.`,
    schema: {
      type: "string",
      contentMediaType: JSON_TYPE,
      contentSchema: { type: "object", additionalProperties: value },
    },
  };
}

/** Records that have a name of their own in the contract, under which the document shows them once. */
const named = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries<unknown>({ ...api }))
  if (/^[A-Z]/.test(name) && schema instanceof z.core.$ZodObject && !named.has(schema)) named.add(schema, { id: name });

/** JSON Schema of a part of the contract; the records in it become components, those of requests with a name of their own. */
function shape(schema: Schema, io: "input" | "output", schemas: Json): Json {
  const bytes = api.contentTypeOf(schema);
  if (bytes) return { type: "string", contentMediaType: bytes };
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema as z.ZodType, {
    io,
    metadata: named as never,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => told(zodSchema, jsonSchema as Json),
  }) as Json & { $defs?: Record<string, Json> };
  const suffix = io === "input" ? "Input" : "";
  for (const [name, part] of Object.entries($defs)) schemas[name + suffix] ??= referring(part, suffix);
  return referring(own, suffix);
}

/** Adds what the contract says of a field, and takes away bounds that only say what JavaScript can count. */
function told(schema: Schema, json: Json): void {
  const { description, secret, filterable } = z.globalRegistry.get(schema) ?? {};
  if (description) json.description = description;
  if (secret) json.writeOnly ??= true;
  if (filterable) json["x-filterable"] = true;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // A component is named by its place in the document.
  delete json.id;
}

function referring<T>(json: T, suffix: string): T {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    key === "$ref" ? `${value.replace("#/$defs/", "#/components/schemas/")}${suffix}` : value,
  ) as T;
}
