import { expect, test } from "vitest";
import { namedOperations, operations, pathNames } from "../../api";
import { cloud } from "./cloud";

const all = namedOperations(operations);

async function document() {
  await using one = await cloud();
  const answered = await fetch(new URL("/openapi.json", one.url));
  expect(answered.headers.get("content-type")).toContain("application/json");
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there.
  return (await answered.json()) as any;
}

test("/openapi.json is OpenAPI 3.1 by a validator that is not ours", async () => {
  const { Validator } = await import("@seriousme/openapi-schema-validator");
  const result = await new Validator().validate(await document());
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test("/openapi.json has every operation of the contract, and no other", async () => {
  const { paths } = await document();
  const shown = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const wanted = all.map(({ operation: { method, path, beta } }) => `${method} /${beta ? "v4beta" : "v4"}${path}`);
  expect(shown.sort()).toEqual(wanted.sort());
});

test("every reference in /openapi.json leads somewhere", async () => {
  const { components, ...rest } = await described;
  const references = [...JSON.stringify({ components, rest }).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(all.length);
  for (const [whole, kind, name] of references)
    expect(components[kind as string], whole).toHaveProperty([name as string]);
});

test.each(all)(
  "$name is described with its fields, scopes, refusals and place in the documents",
  async ({ name, operation }) => {
    const { paths } = await described;
    const item = paths[`/${operation.beta ? "v4beta" : "v4"}${operation.path}`];
    const shown = item[operation.method.toLowerCase()];
    expect(shown.operationId).toBe(name);
    for (const scope of operation.scopes) expect(shown.description).toContain(scope);
    expect(shown.description).toContain(operation.source);
    expect(item.parameters.map((parameter: { name: string }) => parameter.name)).toEqual(pathNames(operation.path));
    expect(Object.keys(shown.responses)).toEqual(expect.arrayContaining(["200", "400", "401", "429"]));
  },
);

const described = document();
