import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedOperations, operations } from "../../../api";
import { openapi } from "../../../emulator/http/openapi";
import { requestDeviations } from "./request-deviations";
import { responseDeviations } from "./response-deviations";
import { type Schema, type Shape, shapesOf } from "./shapes";

interface PublicOperation {
  method: string;
  path: string;
  scopes: string[];
  request: { schema: Schema } | null;
  response: { schema?: Schema };
}

const read = (name: string) => JSON.parse(readFileSync(join(__dirname, name), "utf8"));
const published: PublicOperation[] = read("operations.json");
const schemas: Record<string, Schema> = read("schemas.json");
const document = openapi() as unknown as {
  paths: Record<string, Record<string, OurOperation>>;
};

interface OurOperation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/**
 * Identifies an operation in the published API contract and in this project's contract. The two contracts use different
 * names for path parameters, and two published paths contain a query, so both are removed.
 */
const keyOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path
    .replace(/^\/v4(beta)?(?=\/)/, "")
    .replace(/\?.*/, "")
    .replace(/\{\w+\}/g, "{}")}`;

const ownSchema = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [keyOf(method, path), operation] as const),
  ),
);
const scopes = new Map(
  namedOperations(operations).map(({ operation }) => [keyOf(operation.method, operation.path), operation.scopes]),
);

const ourRef = (ref: string): Schema =>
  ref
    .replace("#/", "")
    .split("/")
    .reduce((part, name) => part[name] as Record<string, unknown>, document as Record<string, unknown>) as Schema;
const publicRef = (ref: string): Schema => schemas[ref] ?? {};

const first = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  Object.values(content ?? {})[0]?.schema;

function* found({ method, path, request, response, ...operation }: PublicOperation): Iterable<string> {
  const key = keyOf(method, path);
  const own = ownSchema.get(key);
  if (!own) {
    yield `${key}: missing`;
    return;
  }
  const [theirs, needed] = [operation.scopes.toSorted(), scopes.get(key)?.toSorted()];
  if (theirs.join() !== needed?.join()) yield `${key} scopes: ${theirs} | ${needed}`;
  const sent = shapesOf(request?.schema, publicRef);
  // In the published contract, request schemas also contain read-only fields. They cannot be sent, so they are ignored.
  const fixed = [...sent].flatMap(([at, { readOnly }]) => (readOnly ? [at] : []));
  for (const at of sent.keys())
    if (fixed.some((field) => at === field || at.startsWith(`${field}.`) || at.startsWith(`${field}[`)))
      sent.delete(at);
  for (const line of between(sent, shapesOf(first(own.requestBody?.content), ourRef), requestDifference))
    yield `${key} request ${line}`;
  const returned = shapesOf(first(own.responses[200]?.content), ourRef);
  for (const line of between(shapesOf(response.schema, publicRef), returned, responseDifference))
    yield `${key} response ${line}`;
}

function* between(
  existing: Map<string, Shape>,
  here: Map<string, Shape>,
  differences: (existing: Shape, here: Shape) => Iterable<string>,
): Iterable<string> {
  for (const [at, theirs] of existing) {
    const own = here.get(at);
    if (own) for (const difference of differences(theirs, own)) yield `${at}: ${difference}`;
    else if (at) yield `${at}: not in ours`;
  }
  // If a whole field exists only in this project's contract, the difference is reported once and not again for its
  // nested fields.
  for (const at of here.keys()) {
    const parent = at.replace(/(\.\w+|\[\])$/, "");
    if (at && !existing.has(at) && (parent === at || existing.has(parent))) yield `${at}: only in ours`;
  }
}

const numeric = (type: string): string => (type === "integer" ? "number" : type);

function* typeDifference(existing: Shape, here: Shape): Iterable<string> {
  if (existing.type && here.type && numeric(existing.type) !== numeric(here.type))
    yield `type ${existing.type} | ${here.type}`;
  const lacking = existing.values?.filter((value) => here.values && !here.values.includes(value)) ?? [];
  if (lacking.length) yield `lacks ${lacking.join(", ")}`;
  if (existing.nullable && !here.nullable) yield "nullable there";
}

function* requestDifference(existing: Shape, here: Shape): Iterable<string> {
  yield* typeDifference(existing, here);
  if (existing.required !== here.required) yield here.required ? "required in ours" : "optional in ours";
  if (existing.bounds !== ".." && existing.bounds !== here.bounds) yield `bounds ${existing.bounds} | ${here.bounds}`;
}

function* responseDifference(existing: Shape, here: Shape): Iterable<string> {
  yield* typeDifference(existing, here);
  const more = here.values?.filter((value) => existing.values && !existing.values.includes(value)) ?? [];
  if (more.length) yield `adds ${more.join(", ")}`;
}

test("every deviation from the published contract has a reason, and every reason has a deviation", () => {
  const expected = [...requestDeviations, ...responseDeviations].flatMap(({ lines }) => lines);
  expect(published.flatMap((operation) => [...found(operation)]).sort()).toEqual([...expected].sort());
});

test("the published contract has all operations except three, which the documents list", () => {
  const existing = new Set(published.map(({ method, path }) => keyOf(method, path)));
  expect([...scopes.keys()].filter((key) => !existing.has(key)).sort()).toEqual([
    "DELETE /managed/credentials/{}",
    "POST /account/payments/external",
    "POST /account/payments/external/execute",
  ]);
});
