import { kebab } from "../../api";
import type { Selection } from "../../provider/pulumi/selection";
import { functionFiles, resultText, resultTypes } from "./functions";
import { idsIn } from "./ids";
import { MARK } from "./mark";
import {
  ASSET,
  type EnumSpec,
  functionsOf,
  nameIn,
  type ObjectSpec,
  type PackageSchema,
  type PropertySpec,
  type ResourceSpec,
  type TypeSpec,
  typeAt,
} from "./model";
import { nativeFile } from "./native";
import { wordsOf } from "./sentences";
import {
  argumentFields,
  docText,
  inputFields,
  isObject,
  literals,
  outputFields,
  outputText,
  type Side,
} from "./typescript";

/** Prefix of nested types in generated files, which import sdk/types.ts as `types`. */
const TYPES = "types.";

/**
 * Generates the TypeScript classes for a package schema: a file for each resource, a file for nested types, and an
 * index.
 */
export function sdkFiles(schema: PackageSchema): Record<string, string> {
  const resources = Object.entries(schema.resources).map(([token, spec]) => [nameIn(token), spec] as const);
  return {
    ...functionFiles(schema),
    ...nativeFile(schema),
    ...Object.fromEntries(resources.map(([name, spec]) => [`sdk/${kebab(name)}.ts`, resourceFile(schema, name, spec)])),
    "sdk/types.ts": typesFile(schema),
    "sdk/index.ts": indexFile([
      ...resources.map(([name]) => kebab(name)),
      ...(functionsOf(schema).length ? ["functions"] : []),
    ]),
  };
}

function resourceFile(schema: PackageSchema, name: string, spec: ResourceSpec): string {
  const { properties, required, inputProperties, requiredInputs } = spec;
  const assets = Object.keys(inputProperties).filter((key) => inputProperties[key]?.$ref === ASSET.$ref);
  const secrets = (specs: Record<string, PropertySpec>) => Object.keys(specs).filter((key) => specs[key]?.secret);
  const containing = Object.fromEntries(
    Object.entries(properties).flatMap(([key, { language }]) =>
      language?.nodejs?.contains ? [[key, language.nodejs.contains]] : [],
    ),
  );
  const completed = Object.keys(inputProperties).filter(
    (key) => !assets.includes(key) && isCompleted(schema, properties[key]),
  );
  const ids = idsIn(schema, properties);
  const methods = methodsOf(schema, spec);
  const shape = {
    kind: name,
    properties: Object.keys(properties),
    secretInputs: secrets(inputProperties),
    secretOutputs: secrets(properties),
    ...(assets.length ? { assets } : {}),
    ...(Object.keys(containing).length ? { containing } : {}),
    ...(completed.length ? { completed } : {}),
    ...(Object.keys(ids).length ? { ids } : {}),
    ...(methods.length ? { methods: Object.fromEntries(methods.map(({ name, ids }) => [name, ids])) } : {}),
  };
  const outputs = Object.entries(properties).map(([key, property]) => {
    const absent = required.includes(key) || property.language?.nodejs?.filled ? "" : " | undefined";
    const doc = docText(property.description, property.deprecationMessage);
    return `${doc}declare readonly ${key}: pulumi.Output<${outputText(schema, property, TYPES)}${absent}>;`;
  });
  const body = `
const shape: Shape = ${JSON.stringify(shape)};

${docText(spec.description, spec.deprecationMessage)}export class ${name} extends CustomResource {
  ${outputs.join("\n")}

  /** Gets an existing ${wordsOf(name)} by its ID without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${name} {
    return new ${name}(name, {}${requiredInputs.length ? ` as ${name}Args` : ""}, { ...opts, id });
  }

  static override isInstance(value: unknown): value is ${name} {
    return isOfKind(shape, value);
  }

  constructor(name: string, args: ${name}Args${requiredInputs.length ? "" : " = {}"}, opts?: pulumi.CustomResourceOptions) {
    const props = dynamicProps(shape, name, args, opts);
    const resume = pauseStackTraces();
    try {
      super(typeOf(shape), name, props, dynamicOptions(shape, opts));${completed.length ? "\n      completeOutputs(this, shape, opts);" : ""}
    } catch (error) {
      throw resume(error);
    }
    resume();
  }${methods.map(({ text }) => `\n\n  ${text}`).join("")}
}

shapes.set(${name}, shape);

/** The arguments of ${/^[AEIOU]/.test(name) ? "an" : "a"} {@link ${name}}. */
export interface ${name}Args {
  ${inputFields(schema, inputProperties, requiredInputs, TYPES)}
}
`;
  const types = new RegExp(`[<( ]${TYPES}[A-Z]`).test(body) ? `import type * as types from "./types";\n` : "";
  return `${MARK}import type * as pulumi from "@pulumi/pulumi";
import { ${completed.length ? "completeOutputs, " : ""}dynamicOptions, dynamicProps, isOfKind, pauseStackTraces, type Shape, shapes, typeOf } from "./dynamic";
${functionImports(methods)}import { CustomResource } from "./pulumi";
${types}${body}`;
}

/** Whether a value contains an object with fields that the program need not declare. */
function isCompleted(schema: PackageSchema, spec: TypeSpec | undefined): boolean {
  if (!spec) return false;
  const named = typeAt(schema, spec);
  if (!isObject(named)) return [spec.items, spec.additionalProperties].some((part) => isCompleted(schema, part));
  const { properties, required = [] } = named;
  return Object.entries(properties).some(([key, part]) => !required.includes(key) || isCompleted(schema, part));
}

/**
 * A generated method of a resource class: the function that it calls, the paths of ids in the result, and its source
 * code.
 */
interface MethodText {
  name: string;
  functionName: string;
  module: string;
  ids: Readonly<Record<string, Selection>>;
  text: string;
}

function methodsOf(schema: PackageSchema, { methods = {} }: ResourceSpec): MethodText[] {
  return Object.entries(methods).flatMap(([name, token]) => {
    const spec = schema.functions[token];
    const { calls, module } = spec?.language?.nodejs ?? {};
    if (!spec || !calls || !module) return [];
    const functionName = `${calls.name}Output`;
    const text = `${docText(spec.description, spec.deprecationMessage)}${name}(): pulumi.Output<${resultText(schema, spec)}> {
    return ${functionName}({ ${calls.id}: this.id });
  }`;
    return [{ name, functionName, module, ids: idsIn(schema, spec.outputs.properties), text }];
  });
}

function functionImports(methods: readonly MethodText[]): string {
  const modules = [...new Set(methods.map(({ module }) => module))].sort();
  const namesOf = (from: string) =>
    methods.flatMap(({ functionName, module }) => (module === from ? [functionName] : [])).sort();
  return modules.map((module) => `import { ${namesOf(module).join(", ")} } from "./functions/${module}";\n`).join("");
}

function typesFile(schema: PackageSchema): string {
  const used = { input: new Set<unknown>(), output: new Set<unknown>(), plain: new Set<unknown>() };
  for (const { inputProperties, properties } of Object.values(schema.resources)) {
    for (const spec of Object.values(inputProperties)) collect(schema, spec, used.input);
    for (const spec of Object.values(properties)) collect(schema, spec, used.output);
  }
  for (const [, spec] of functionsOf(schema)) {
    const { inputs } = spec;
    for (const spec of Object.values(inputs.properties)) collect(schema, spec, used.plain);
    for (const type of resultTypes(spec)) collect(schema, type, used.output);
  }
  const isUsed = (side: Side, spec: unknown) => used[side].has(spec);
  const written = Object.entries(schema.types).flatMap(([token, spec]) => {
    const name = nameIn(token);
    if (!isObject(spec)) return [enumText(name, spec)];
    const { properties, required = [] } = spec;
    return [
      ...(isUsed("input", spec)
        ? [`export interface ${name}Args {\n${inputFields(schema, properties, required, "")}\n}`]
        : []),
      ...(isUsed("output", spec) ? [`export interface ${name} {\n${outputFields(schema, spec, "")}\n}`] : []),
      ...(isUsed("plain", spec) && !isUsed("output", spec)
        ? [`export interface ${name} {\n${argumentFields(schema, properties, required, "")}\n}`]
        : []),
    ];
  });
  const body = written.join("\n\n");
  const imported = body.includes("pulumi.") ? `import type * as pulumi from "@pulumi/pulumi";\n\n` : "";
  return `${MARK}${imported}${body || "export {};"}\n`;
}

/** All named types that a type contains, at any depth. */
function collect(schema: PackageSchema, spec: TypeSpec, found: Set<unknown>): void {
  for (const part of [spec.items, spec.additionalProperties, ...(spec.oneOf ?? [])])
    if (part) collect(schema, part, found);
  const named: ObjectSpec | EnumSpec | undefined = typeAt(schema, spec);
  if (!named || found.has(named)) return;
  found.add(named);
  if (isObject(named)) for (const property of Object.values(named.properties)) collect(schema, property, found);
}

const enumText = (name: string, { enum: values }: EnumSpec): string =>
  `export type ${name} = ${literals(values.map(({ value }) => value))};`;

/** Generates sdk/index.ts. The exports are in the order that the formatter requires. */
function indexFile(files: readonly string[]): string {
  const lines = ["types", ...files]
    .sort()
    .map((file) => `export *${file === "types" ? " as types" : ""} from "./${file}";`);
  return `${MARK}${lines.join("\n")}\n`;
}
