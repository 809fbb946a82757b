import { MARK } from "./mark";
import { type FunctionSpec, functionsOf, nameIn, type PackageSchema, reference, type TypeSpec } from "./model";
import { argumentFields, docText, outputText, typeText } from "./typescript";

const TYPES = "types.";

/** Generates the SDK's functions such as `getVolume`: a file for each group of API operations, and an index. */
export function functionFiles(schema: PackageSchema): Record<string, string> {
  const modules = new Map<string, [token: string, spec: FunctionSpec][]>();
  for (const [token, spec] of functionsOf(schema)) {
    const { module = "" } = spec.language?.nodejs ?? {};
    modules.set(module, [...(modules.get(module) ?? []), [token, spec]]);
  }
  if (!modules.size) return {};
  const names = [...modules.keys()].sort();
  return {
    ...Object.fromEntries(
      names.map((name) => [`sdk/functions/${name}.ts`, moduleFile(schema, modules.get(name) ?? [])]),
    ),
    "sdk/functions/index.ts": indexFile(names),
  };
}

/** The index. Exports are in the order that the repository's formatter requires. */
function indexFile(names: readonly string[]): string {
  const lines = names.map((name) => `export * from "./${name}";`);
  return `${MARK}${[...lines, `export type { InvokeOptions, Lazy } from "./invoke";`].sort(byModule).join("\n")}\n`;
}

const byModule = (a: string, b: string): number => (a.slice(a.indexOf("./")) < b.slice(b.indexOf("./")) ? -1 : 1);

function moduleFile(schema: PackageSchema, functions: readonly [token: string, spec: FunctionSpec][]): string {
  const body = functions.map(([token, spec]) => functionText(schema, nameIn(token), spec)).join("\n\n");
  const helpers = ["InvokeOptions", "invoke", "invokeOutput", "Lazy"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  );
  const imported = helpers.map((name) => (/^[A-Z]/.test(name) ? `type ${name}` : name)).join(", ");
  const types = new RegExp(`[<( ]${TYPES}[A-Z]`).test(body) ? `import type * as types from "../types";\n` : "";
  return `${MARK}import type * as pulumi from "@pulumi/pulumi";
${types}import { ${imported} } from "./invoke";

${body}
`;
}

function functionText(schema: PackageSchema, name: string, spec: FunctionSpec): string {
  const { description, deprecationMessage, inputs, outputs } = spec;
  const { properties, required = [] } = inputs;
  const takes = Object.keys(properties).length > 0;
  // The argument of a `get…` function cannot be omitted, even if none of its properties is required: some functions
  // require either an id or a name.
  const optional = required.length || name.startsWith("get") ? "" : " = {}";
  const args = `${name.charAt(0).toUpperCase()}${name.slice(1)}Args`;
  const result = resultText(schema, spec);
  const secret = Object.values(outputs.properties).some(({ secret }) => secret);
  const callArguments = takes ? `"${name}", args` : `"${name}", {}`;
  const also = `Like {@link ${name}}, but accepts outputs of resources and returns an output.${secret ? " The output is secret." : ""}`;
  return [
    `${docText(description, deprecationMessage)}export function ${name}(${takes ? `args: ${args}${optional}` : ""}): Promise<${result}> {
  return invoke(${callArguments});
}`,
    `${docText(also, deprecationMessage)}export function ${name}Output(${takes ? `args: Lazy<${args}>${optional}, ` : ""}opts?: InvokeOptions): pulumi.Output<${result}> {
  return invokeOutput(${callArguments}, ${secret}, opts);
}`,
    ...(takes
      ? [
          `/** The arguments of {@link ${name}}. */\nexport interface ${args} {\n${argumentFields(schema, properties, required, TYPES)}\n}`,
        ]
      : []),
  ].join("\n\n");
}

export function resultText(schema: PackageSchema, { outputs, language }: FunctionSpec): string {
  const { result } = language?.nodejs ?? {};
  if (result) return typeText(schema, reference(result), "output", TYPES);
  const fields = Object.entries(outputs.properties).map(
    ([name, spec]) => `${name}${outputs.required.includes(name) ? "" : "?"}: ${outputText(schema, spec, TYPES)}`,
  );
  // Biome keeps a line break after an opening brace, so it is added only to types that do not fit on one line.
  const text = fields.join("; ");
  return text.includes(" | ") ? `{\n${text}\n}` : `{ ${text} }`;
}

export const resultTypes = ({ outputs, language }: FunctionSpec): TypeSpec[] =>
  language?.nodejs.result ? [reference(language.nodejs.result)] : Object.values(outputs.properties);
