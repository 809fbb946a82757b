import type { Bag } from "../provider/engine/values";
import { literal, type NeededSecret, propertiesOf, secretInputs } from "../provider/heads/adoption";
import { type Head, libraries } from "../provider/heads/migration";
import { fileNames, moduleOf } from "./areas";
import type { LinkedItem } from "./references";
import { withConfig, withImport } from "./source";

/**
 * An object with the inputs of its declaration, and the secrets that the declaration reads from the stack's
 * configuration.
 */
export interface Declarable extends LinkedItem {
  secrets: readonly NeededSecret[];
}

/** Adds resource declarations to the end of the program's files, and the import statements that they need. */
export function withItems(
  files: ReadonlyMap<string, string>,
  items: readonly Declarable[],
  head: Head,
): Map<string, string> {
  const result = new Map(files);
  for (const file of fileNames) {
    const own = items.filter((item) => item.file === file);
    if (own.length) result.set(file, extended(files.get(file) ?? "", own, file, libraries[head]));
  }
  return result;
}

function extended(text: string, items: readonly Declarable[], file: string, library: string): string {
  const uses = items.flatMap(({ references }) => Object.values(references).flat()).filter((one) => one.file !== file);
  const modules = [...Map.groupBy(uses, (one) => moduleOf(one.file))].sort(([a], [b]) => (a < b ? -1 : 1));
  const classes = new Set(items.map(({ kind }) => kind));
  let whole = withImport(text, classes, library);
  for (const [module, those] of modules)
    whole = withImport(whole, new Set(those.map(({ variable }) => variable)), module);
  if (items.some(({ secrets }) => secrets.length)) whole = withConfig(whole);
  return `${whole.trimEnd()}\n\n${items.map(declaration).join("\n\n")}\n`;
}

function declaration({ kind, name, variable, inputs, secrets, resource }: Declarable): string {
  const lost = resource.withheld.filter((input) => !secrets.some((secret) => secret.input === input));
  const comments = [
    ...secrets.map(({ input, key }) => `The API does not return ${input}: pulumi config set --secret ${key}`),
    ...lost.map((input) => `The API does not return ${input}, which is required only to create the object again.`),
  ].map((comment) => `// ${comment}\n`);
  const start = `export const ${variable} = new ${kind}(`;
  const all: Bag = { ...inputs, ...secretInputs(secrets) };
  const isShort = `${start}${literal(name)}, {`.length <= 80;
  if (!secrets.length && isShort) {
    const properties = propertiesOf(all, 1).map((line) => `  ${line}\n`);
    return `${comments.join("")}${start}${literal(name)}, {${properties.length ? "\n" : ""}${properties.join("")}});`;
  }
  const properties = propertiesOf(all, 2).map((line) => `    ${line}\n`);
  const options = { ignoreChanges: secrets.map(({ input }) => input) };
  return [
    `${comments.join("")}${start}`,
    `  ${literal(name)},`,
    properties.length ? `  {\n${properties.join("")}  },` : "  {},",
    ...(secrets.length ? [`  ${literal(options, 1, 1)},`] : []),
    ");",
  ].join("\n");
}
