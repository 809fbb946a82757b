import { expect, test } from "vitest";
import { namedOperations, operations, pathNames } from "../../api";
import { cloud } from "./cloud";

const all = namedOperations(operations);

async function document() {
  await using one = await cloud();
  const response = await fetch(new URL("/openapi.json", one.url));
  expect(response.headers.get("content-type")).toContain("application/json");
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields without checks and fail if one is missing
  return (await response.json()) as any;
}

test("/openapi.json is valid OpenAPI 3.1 for an independent validator", async () => {
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

test("every reference in /openapi.json has a target", async () => {
  const { components, ...rest } = await described;
  const references = [...JSON.stringify({ components, rest }).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(all.length);
  for (const [whole, kind, name] of references)
    expect(components[kind as string], whole).toHaveProperty([name as string]);
});

test("/openapi.json allows null for optional fields of a body, and for no others that are not nullable", async () => {
  const { paths, components } = await described;
  const bodyOf = (path: string, method: string) => {
    const { schema } = paths[path][method].requestBody.content["application/json"];
    const name = schema.$ref?.split("/").at(-1);
    return (name ? components.schemas[name] : schema).properties;
  };
  const nothing = { type: "null" };
  const volume = bodyOf("/v4/volumes", "post");
  for (const field of ["region", "compute_id", "config_id", "size", "tags"])
    expect(volume[field].anyOf, field).toContainEqual(nothing);
  expect(JSON.stringify(volume.label)).not.toContain("null");
  expect(JSON.stringify(bodyOf("/v4/volumes/{volumeId}/attach", "post").compute_id)).not.toContain("null");
  expect(bodyOf("/v4/compute/instances/{computeId}/rescue", "post").devices.anyOf).toContainEqual(nothing);
  expect(components.schemas.DevicesInput.properties.sda.anyOf).toContainEqual(nothing);
  expect(JSON.stringify(components.schemas.Volume.properties.size)).not.toContain("null");
  expect(components.schemas.DevicesInput.additionalProperties).toEqual(nothing);
  expect(components.schemas.Volume.additionalProperties).toBe(false);
});

test.each(all)(
  "describes $name with its fields, scopes, errors and place in the documents",
  async ({ name, operation }) => {
    const { paths } = await described;
    const item = paths[`/${operation.beta ? "v4beta" : "v4"}${operation.path}`];
    const shown = item[operation.method.toLowerCase()];
    expect(shown.operationId).toBe(name);
    for (const scope of operation.scopes) expect(shown.description).toContain(scope);
    expect(shown.description).toContain(operation.source);
    expect(item.parameters.map((parameter: { name: string }) => parameter.name)).toEqual(pathNames(operation.path));
    expect(Object.keys(shown.responses)).toEqual(expect.arrayContaining(["200", "401", "429"]));
  },
);

const described = document();

test("describes that a request can be invalid only if it has a body, parameters or a filter", async () => {
  const { paths } = await described;
  expect(Object.keys(paths["/v4/account"].get.responses)).not.toContain("400");
  for (const [path, method] of [
    ["/v4/account", "put"],
    ["/v4/volumes", "get"],
    ["/v4/volumes/{volumeId}", "delete"],
    ["/v4/account/entity-transfers", "get"],
  ] as const)
    expect(Object.keys(paths[path][method].responses), path).toContain("400");
});
