import { z } from "zod";
import * as api from "../api";
import { fieldsOf, type Operation, operations, pathNames } from "../api";
import { linksOf } from "./openapi-links";
import { type Catalogues, type Json, Shapes } from "./openapi-shapes";

/**
 * The contract as an OpenAPI 3.1 document: nothing in it is written by hand that the contract says. What is in a catalogue
 * now is no part of the interface; a document for testing this very service can name it.
 */
export function openapi(origin: string, catalogues: Catalogues = {}): Json {
  const shapes = new Shapes(catalogues);
  shapes.output(z.object({ error: api.ErrorBody }));
  const paths: Record<string, Json> = {};
  for (const { id, area, operation } of all) {
    const path = `/${operation.beta ? "v4beta" : "v4"}${operation.path}`;
    const item = paths[path] ?? { parameters: pathParameters(operation, shapes) };
    item[operation.method.toLowerCase()] = described(id, area, operation, shapes);
    paths[path] = item;
  }
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
    components: {
      schemas: shapes.components,
      headers,
      responses,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

const all = Object.entries<api.Area>(operations).flatMap(([area, named]) =>
  Object.entries(named).map(([key, operation]) => ({ id: `${area}.${key}`, area, operation })),
);

function described(id: string, area: string, operation: Operation, shapes: Shapes): Json {
  const { summary, scopes, body, result, grant, source, decided = [], deprecated } = operation;
  const needs = scopes.length > 0 ? [`Scopes: ${scopes.join(", ")}.`] : ["Needs no token."];
  const notes = [
    ...needs,
    ...(grant ? [`Grant of a restricted user: ${grant}.`] : []),
    ...decided,
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
  content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/ErrorBody" } } },
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
  const fields = [...api.filterableOf(api.entryOf(operation) as Operation["result"])];
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
