import { z } from "zod";
import * as api from "../../api";
import {
  fieldsOf,
  fullPath,
  type NamedOperation,
  namedOperations,
  type Operation,
  operations,
  pathNames,
} from "../../api";
import { type Catalogues, type Json, Shapes } from "./openapi-shapes";

/**
 * Generates the OpenAPI 3.1 document from the contract, the schemas of all operations. With `catalogues`, it also lists
 * the ids that currently exist, such as regions: these are useful for tests, but not part of the interface.
 */
export function openapi(catalogues: Catalogues = {}): Json {
  const shapes = new Shapes(catalogues);
  // Only schemas that are nested in another schema become components, so the error body is wrapped in an object.
  shapes.output(z.object({ error: api.ErrorBody }));
  const paths: Record<string, Json> = {};
  for (const { name, area, operation } of all) {
    const path = fullPath(operation);
    const item = paths[path] ?? { parameters: pathParameters(operation, shapes) };
    item[operation.method.toLowerCase()] = described(name, area, operation, shapes);
    paths[path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Cloud Infrastructure API",
      version: api.VERSION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: Object.keys(operations).map((name) => ({ name })),
    paths,
    components: {
      schemas: shapes.components,
      headers,
      responses,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

const all = namedOperations(operations);
const views = api.viewsOf(all);

/** The document without catalogues is the same for every request, so it is generated once. */
let textWithoutCatalogues: string | undefined;

/** The document as JSON, with the given origin as the server's address. */
export function openapiText(origin: string, catalogues?: Catalogues): string {
  if (!catalogues) textWithoutCatalogues ??= JSON.stringify(openapi());
  const document = catalogues ? JSON.stringify(openapi(catalogues)) : textWithoutCatalogues;
  return `{"servers":${JSON.stringify([{ url: origin }])},${document?.slice(1)}`;
}

function described(id: string, area: string, operation: Operation, shapes: Shapes): Json {
  const { summary, scopes, body, result, grant, source, idle, decided = [], deprecated } = operation;
  const needs = scopes.length > 0 ? [`Scopes: ${scopes.join(", ")}.`] : ["Does not require a token."];
  const notes = [
    ...needs,
    ...(grant ? [`Grant of a restricted user: ${grant}.`] : []),
    ...(idle ? [`Returns 400 “${api.reasons.busy}” while a job runs on the instance.`] : []),
    ...decided,
    ...sentBack(operation),
    `Source: ${source}.`,
  ];
  return {
    operationId: id,
    tags: [area],
    summary,
    description: notes.join("\n\n"),
    ...(deprecated && { deprecated }),
    security: scopes.length === 0 ? [] : operation.public ? [{}, { token: [] }] : [{ token: [] }],
    parameters: [...queryParameters(operation, shapes), ...(isList(operation) ? [filterParameter(operation)] : [])],
    ...(body && {
      requestBody: {
        required: !z.safeParse(body, {}).success,
        content: { [api.contentTypeOf(body) ?? JSON_TYPE]: { schema: shapes.input(body) } },
      },
    }),
    responses: {
      200: {
        description: "Done.",
        headers: Object.fromEntries(
          Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { [api.contentTypeOf(result) ?? JSON_TYPE]: { schema: shapes.output(result) } },
        links: linksOf(operation, all),
      },
      ...Object.fromEntries(
        api.errorStatusesOf(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

/** Describes which read-only fields clients may send back unchanged in an update. */
function sentBack(operation: Operation): string[] {
  const { readOnly = [] } = views.get(operation) ?? {};
  const names = readOnly.filter(({ empty }) => !empty).map(({ path }) => path.join("."));
  return names.length > 0
    ? [`Read-only fields, which are ignored if they are sent with their current values: ${names.join(", ")}.`]
    : [];
}

const JSON_TYPE = "application/json";

const errorResponse = (description: string): Json => ({
  description,
  content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/ErrorBody" } } },
});

const responses: Json = Object.fromEntries(
  Object.entries(api.errorStatuses).map(([status, description]) => [status, errorResponse(description)]),
);

const integer = { schema: { type: "integer" } };
const headers: Json = {
  "X-Spec-Version": { description: "Version of this interface.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Maximum number of requests with the token in a time window.", ...integer },
  "X-RateLimit-Remaining": { description: "Number of requests that are left in the current window.", ...integer },
  "X-RateLimit-Reset": { description: "End of the current window, in seconds since 1970.", ...integer },
};

const pathParameters = ({ path, params }: Operation, shapes: Shapes): Json[] =>
  pathNames(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: shapes.input(params?.[name] ?? api.Id),
  }));

function queryParameters(operation: Operation, shapes: Shapes): Json[] {
  return Object.entries(fieldsOf(api.queryOf(operation))).map(([name, field]) => ({
    name,
    in: "query",
    required: api.isRequired(field),
    schema: shapes.input(field),
  }));
}

const isList = (operation: Operation): boolean => api.entryOf(operation) !== undefined;

function filterParameter(operation: Operation): Json {
  const fields = [...api.filterableFields(api.entryOf(operation) as Operation["result"]).keys()];
  const value = { anyOf: [{ type: ["string", "number", "boolean", "null"] }, { type: "object" }] };
  return {
    name: "X-Filter",
    in: "header",
    description: `Filter as a JSON object, with these fields: ${fields.join(", ") || "none"}.`,
    schema: {
      type: "string",
      contentMediaType: JSON_TYPE,
      contentSchema: { type: "object", additionalProperties: value },
    },
  };
}

/** OpenAPI links from the response to a create request to every operation on the created object. */
function linksOf({ method, path, result }: Operation, all: readonly NamedOperation[]): Json {
  if (method !== "POST") return {};
  const under = new RegExp(`^${escaped(path)}/\\{(\\w+)\\}`);
  const links: Json = {};
  for (const { name: id, operation } of all) {
    const own = under.exec(operation.path)?.[1];
    const field = own && ["id", own].find((name) => name in fieldsOf(result));
    // Skips operations on nested objects: neither the create request nor its response contains the ids of those
    // objects.
    if (!field || pathNames(operation.path).length > pathNames(path).length + 1) continue;
    const parents = pathNames(path).map((name) => [`path.${name}`, `$request.path.${name}`]);
    links[id] = {
      operationId: id,
      parameters: Object.fromEntries([...parents, [`path.${own}`, `$response.body#/${field}`]]),
    };
  }
  return links;
}

const escaped = (text: string): string => text.replace(/[{}]/g, "\\$&");
