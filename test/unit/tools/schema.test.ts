import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { camel, fieldsOf, metaOf } from "../../../api";
import { fieldOf, type Kind } from "../../../provider/engine/definition";
import { functionNamed } from "../../../provider/functions/functions";
import { methodsOf } from "../../../provider/functions/methods";
import { stateSchema } from "../../../provider/pulumi/state";
import { kinds } from "../../../provider/resources";
import { nameIn, type PackageSchema, type PropertySpec, type TypeSpec } from "../../../tools/generate/model";
import { propertiesOf } from "./properties";

const schema = JSON.parse(readFileSync(join(__dirname, "../../../schema.json"), "utf8")) as PackageSchema;

const all = [...propertiesOf(schema)];

const properties = all.flatMap(([where, properties]) =>
  Object.entries(properties).map(([name, spec]) => ({ where: `${where}.${name}`, name, spec })),
);

/** A type and all types nested in it. */
const partsOf = (spec: TypeSpec): TypeSpec[] => [
  spec,
  ...[spec.items, spec.additionalProperties, ...(spec.oneOf ?? [])].flatMap((part) => (part ? partsOf(part) : [])),
];

const group = (is: (spec: PropertySpec, name: string) => boolean): string[] =>
  properties.filter(({ spec, name }) => is(spec, name)).map(({ where }) => where);

test("every property and every enum has a description that is a sentence", () => {
  expect(properties.length).toBeGreaterThan(1500);
  const isSentence = (text = "") => /^[A-Z`].*[.)]$/s.test(text);
  expect(group(({ description }) => !isSentence(description))).toEqual([]);
  const enums = Object.entries(schema.types).flatMap(([name, spec]) => ("enum" in spec ? [{ name, spec }] : []));
  expect(enums.length).toBeGreaterThan(80);
  expect(enums.filter(({ spec }) => !isSentence(spec.description)).map(({ name }) => name)).toEqual([]);
  expect(enums.filter(({ name, spec }) => spec.description.includes(nameIn(name)))).toEqual([]);
});

test("the description of a filter says which value it compares", () => {
  const { properties } = schema.types["cloudinfra:index:InstanceConfigFilter"] as {
    properties: Record<string, PropertySpec>;
  };
  expect(properties.label?.description).toBe("Value that `label` must have, or a comparison with it.");
  expect(properties.interfaces?.description).toBe(
    "Value that the `label` of one of the `interfaces` must have, or a comparison with it.",
  );
});

test("descriptions do not refer to the documents from which the provider was written", () => {
  expect(JSON.stringify(schema).match(/.{30}(Source: part|part \d ·)/g)).toBeNull();
});

test("every enum also accepts other values of its type, so that programs can set values that the service adds later", () => {
  const isEnum = ({ $ref = "" }: TypeSpec) => "enum" in (schema.types[$ref.slice("#/types/".length)] ?? {});
  const inUnion = (spec: TypeSpec) => spec.oneOf?.some(isEnum) && spec.oneOf.some(({ type }) => type !== undefined);
  const parts = properties.flatMap(({ where, spec }) => partsOf(spec).map((part) => ({ where, part })));
  const strict = parts.filter(({ part }) =>
    [part.items, part.additionalProperties].some((inner) => inner && isEnum(inner)),
  );
  expect(strict.map(({ where }) => where)).toEqual([]);
  expect(group((spec) => isEnum(spec))).toEqual([]);
  expect(
    group((spec) => partsOf(spec).some(({ oneOf }) => oneOf?.some(isEnum)) && !partsOf(spec).some(inUnion)),
  ).toEqual([]);
  expect(schema.resources["cloudinfra:index:Firewall"]?.inputProperties.status?.oneOf).toEqual([
    { type: "string" },
    { $ref: "#/types/cloudinfra:index:FirewallStatus" },
  ]);
});

test("results of functions have no unions, which Pulumi's generator for Python only accepts as objects", () => {
  const results = Object.entries(schema.functions).flatMap(([token, { outputs }]) =>
    Object.entries(outputs.properties).map(([name, spec]) => ({ name: `${token}.${name}`, spec })),
  );
  expect(results.filter(({ spec }) => spec.oneOf).map(({ name }) => name)).toEqual([]);
  const status = results.find(({ name }) => name === "cloudinfra:index:getVolume.status");
  expect(status?.spec).toMatchObject({ type: "string", description: expect.stringContaining("`active`") });
});

test.each([
  ["Instance", "interfaces", "and they are not managed afterwards: to return to it, set `[]`."],
  ["Instance", "config", "its oldest one, which it boots unless another one was booted last."],
  [
    "InstanceConfig",
    "kernel",
    "If omitted, it is set to `compute/latest-64bit` at creation and not managed afterwards.",
  ],
  ["InstanceConfig", "memoryLimit", "0 means all memory of the instance's type, as in a new config."],
  ["Firewall", "rules", "If `inbound` or `outbound` is omitted, the rules of that direction are not managed."],
  ["DomainRecord", "service", "Required for SRV; omitted or null for all other types."],
  ["DomainRecord", "protocol", "`null` means `_tcp`, as in a new record without a protocol."],
  ["DomainRecord", "tag", "Required for CAA; omitted or null for all other types."],
  ["Tag", "label", "The new one is added only to the objects listed here."],
  ["Volume", "label", "adapt what mounts the volume before the instance boots again."],
  ["VolumeClone", "label", "adapt what mounts the volume before the instance boots again."],
  ["ObjectStorageBucket", "forceDestroy", "With more than 1000 objects, the deletion fails and deletes nothing."],
])("the hover text of %s.%s says what an omission or a change does", (kind, input, text) => {
  const { description } = schema.resources[`cloudinfra:index:${kind}`]?.inputProperties[input] ?? {};
  expect(description?.toLowerCase()).toContain(text.toLowerCase());
  expect(description).not.toContain("to clear it");
});

test("hover texts promise an empty device slot only where an update empties omitted slots", () => {
  const slots = properties.filter(({ name }) => name === "sda").map(({ spec }) => spec.description ?? "");
  expect(slots.length).toBeGreaterThan(1);
  expect(slots.filter((text) => text.includes("omitted"))).toEqual([]);
  const devices = properties
    .filter(({ name }) => name === "devices")
    .map(({ where, spec }) => [where, spec.description]);
  const config = devices.find(([where]) => where?.includes("InstanceConfig.devices"))?.[1];
  expect(config).toContain("Omitted slots keep their devices; `{}` empties a slot.");
  const { devices: own } = schema.resources["cloudinfra:index:InstanceConfig"]?.inputProperties ?? {};
  expect(own?.description).toContain("Omitted slots are not managed, so they keep their devices");
});

test("the deprecated group of an instance has a description and names its replacement", () => {
  expect(schema.resources["cloudinfra:index:Instance"]?.inputProperties.group).toMatchObject({
    description: "Group of the instance.",
    deprecationMessage: "Use tags.",
  });
});

test("no type is a union of scalar types, which Pulumi's generator for Go rejects", () => {
  const isScalar = ({ type }: TypeSpec) => type !== undefined && type !== "array" && type !== "object";
  expect(group((spec) => partsOf(spec).some(({ oneOf }) => oneOf?.every(isScalar)))).toEqual([]);
});

test("the ids of other objects are strings, as the ids of resources are", () => {
  const numbers = group(
    (spec, name) =>
      /^id$|Ids?$/.test(name) && partsOf(spec).some(({ type }) => type === "integer" || type === "number"),
  );
  // Exceptions: events and notifications can refer to objects that are not resources, so these ids remain numbers.
  expect(numbers.map(nameIn)).toEqual(["EventEntity.id", "NotificationEntity.id"]);
});

test("every reference points to a type, and every required property exists", () => {
  const known = new Set([
    ...Object.keys(schema.types).map((name) => `#/types/${name}`),
    ...Object.keys(schema.resources).map((name) => `#/resources/${name}`),
    "pulumi.json#/Any",
    "pulumi.json#/Asset",
  ]);
  expect(group((spec) => partsOf(spec).some(({ $ref }) => $ref !== undefined && !known.has($ref)))).toEqual([]);
  for (const [where, properties, required] of all)
    expect(Object.keys(properties), where).toEqual(expect.arrayContaining([...required]));
});

test("names do not differ only in case, which some languages ignore", () => {
  for (const names of [schema.types, schema.resources, schema.functions, ...all.map(([, properties]) => properties)]) {
    const lower = Object.keys(names).map((name) => name.toLowerCase());
    expect(lower).toEqual([...new Set(lower)]);
  }
});

/** The properties of each class of Pulumi's SDK for C#. */
const csharpClasses = [
  ...Object.entries(schema.resources).flatMap(([token, { properties, inputProperties }]) => [
    { name: nameIn(token), properties },
    ...["Args", "State"].map((suffix) => ({ name: nameIn(token) + suffix, properties: inputProperties })),
  ]),
  ...Object.entries(schema.types).flatMap(([token, spec]) =>
    "properties" in spec
      ? ["", "Args"].map((suffix) => ({ name: nameIn(token) + suffix, properties: spec.properties }))
      : [],
  ),
  ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => {
    const name = nameIn(token).replace(/(?:^|\/)(.)/g, (_, first: string) => first.toUpperCase());
    return [
      ...["Args", "InvokeArgs"].map((suffix) => ({ name: name + suffix, properties: inputs.properties })),
      { name: `${name}Result`, properties: outputs.properties },
    ];
  }),
];

test("counts of bytes are numbers, because integers of .NET and Java end at 2 GiB, and bounded sizes are integers", () => {
  const { functions, resources, types } = schema;
  const typeOf = (name: string, property: string) => {
    const token = `cloudinfra:index:${name}`;
    const properties = types[token] ?? functions[token]?.outputs ?? resources[token];
    return (properties as { properties: Record<string, PropertySpec> }).properties[property]?.type;
  };
  for (const [name, ...properties] of [
    ["getInstanceTransfer", "used"],
    ["Instance/getTransfer", "used"],
    ["InstanceTransferResult", "used"],
    ["getInstanceMonthTransfer", "bytesIn", "bytesOut", "bytesTotal"],
    ["MonthTransferResult", "bytesIn", "bytesOut", "bytesTotal"],
    ["getObjectStorageTransfer", "used"],
    ["getObjectStorageBucket", "size"],
    ["ObjectStorageBucketResult", "size"],
    ["ObjectStorageObjectResult", "size"],
    ["ObjectStorageObject", "size"],
  ] as [string, ...string[]][])
    for (const property of properties) expect(typeOf(name, property), `${name}.${property}`).toBe("number");
  for (const [name, property] of [
    ["Volume", "size"],
    ["InstanceDisk", "size"],
    ["Image", "size"],
    ["getInstanceTransfer", "quota"],
    ["getInstanceType", "memory"],
  ] as [string, string][])
    expect(typeOf(name, property), `${name}.${property}`).toBe("integer");
  expect(resources["cloudinfra:index:Volume"]?.inputProperties.size?.type).toBe("integer");
  const inBytes = group(({ type, description = "" }) => type === "integer" && /\bbytes\b/.test(description));
  expect(inBytes).toEqual([]);
});

test("an asset is an input only: as an output, it is the object that state contains, which every language can read", () => {
  const isAsset = ({ $ref }: PropertySpec) => $ref === "pulumi.json#/Asset";
  expect(group(isAsset)).toEqual([
    "cloudinfra:index:Image inputs.source",
    "cloudinfra:index:ObjectStorageObject inputs.source",
  ]);
  for (const kind of ["Image", "ObjectStorageObject"])
    expect(schema.resources[`cloudinfra:index:${kind}`]?.properties.source?.$ref).toBe(
      "#/types/cloudinfra:index:AssetValue",
    );
  const { properties } = schema.types["cloudinfra:index:AssetValue"] as { properties: Record<string, PropertySpec> };
  expect(Object.keys(properties)).toEqual(["path", "text", "uri"]);
});

test("no property has the name of its class in C#, which does not compile, and no two have the same name", () => {
  expect(csharpClasses.length).toBeGreaterThan(600);
  for (const { name, properties } of csharpClasses) {
    const names = Object.entries(properties).map(
      ([key, { language }]) => language?.csharp?.name ?? key.replace(/^./, (first) => first.toUpperCase()),
    );
    expect(names).not.toContain(name);
    expect(names, name).toEqual([...new Set(names)]);
  }
});

test("the name of a domain is DomainName in C#, as an input and as an output", () => {
  const { inputProperties, properties } = schema.resources["cloudinfra:index:Domain"] ?? {};
  expect(inputProperties?.domain?.language).toEqual({ csharp: { name: "DomainName" } });
  expect(properties?.domain?.language).toEqual({ csharp: { name: "DomainName" } });
  expect(schema.functions["cloudinfra:index:getDomain"]?.outputs.properties.domain?.language).toBeUndefined();
});

test("address and token default to the environment variables", () => {
  for (const { url, token } of [schema.config.variables, schema.provider.inputProperties]) {
    expect(url?.defaultInfo).toEqual({ environment: ["CLOUDINFRA_URL"] });
    expect(token).toMatchObject({ defaultInfo: { environment: ["CLOUDINFRA_TOKEN"] }, secret: true });
  }
});

test.each(Object.entries(kinds))("%s: schema, plugin and definition agree", (name, kind) => {
  const spec = schema.resources[`cloudinfra:index:${name}`];
  const inputs = Object.entries(fieldsOf(kind.inputs)).filter(([, field]) => !metaOf(field).computed);
  expect(Object.keys(spec?.inputProperties ?? {}).sort()).toEqual(inputs.map(([key]) => camel(key)).sort());
  const state = new Set(Object.keys(fieldsOf(stateSchema(kind))).map(camel));
  expect(Object.keys(spec?.properties ?? {}).filter((key) => !state.has(key))).toEqual([]);
  const replacing = inputs.filter(([key]) => fieldOf(kind, key).change === "replace").map(([key]) => camel(key));
  for (const mark of ["replaceOnChanges", "willReplaceOnChanges"] as const) {
    const marked = Object.entries(spec?.inputProperties ?? {}).filter(([, input]) => input[mark]);
    expect(marked.map(([key]) => key).sort(), mark).toEqual(replacing.sort());
  }
  expect(Object.keys(spec?.methods ?? {})).toEqual(methodsOf(kind).map((method) => method.name));
});

test("settings of an object do not have the methods of the object", () => {
  const settings: Kind = { ...kinds.Instance, identity: { ...kinds.Instance.identity, parents: { id: "computeId" } } };
  expect(methodsOf(kinds.Instance).map(({ name }) => name)).toContain("getStats");
  expect(methodsOf(settings)).toEqual([]);
});

test("the plugin has every function and every method of the schema", () => {
  for (const token of Object.keys(schema.functions)) {
    const [owner = "", method] = nameIn(token).split("/");
    if (!method) expect(functionNamed(owner).name).toBe(owner);
    else expect(Object.values(schema.resources[`cloudinfra:index:${owner}`]?.methods ?? {})).toContain(token);
  }
  expect(schema.resources["cloudinfra:index:LkeCluster"]?.methods).toHaveProperty("getKubeconfig");
});
