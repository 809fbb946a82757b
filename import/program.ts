import type { Bag } from "../provider/engine/values";
import { literal, type NeededSecret, propertiesOf, secretInputs } from "../provider/heads/adoption";
import type { Head } from "../provider/heads/migration";
import { areaFiles } from "./areas";
import { libraryOf } from "./project";
import type { LinkedItem } from "./references";
import { importOf, withImport } from "./source";

/** An item with everything that its declaration needs. */
export interface Declarable extends LinkedItem {
  secrets: readonly NeededSecret[];
}

const PULUMI = `import * as pulumi from "@pulumi/pulumi";`;
const CONFIG = "const config = new pulumi.Config();";

/** The files of the program with the items added at their ends, and with the imports that they need. */
export function withItems(
  files: ReadonlyMap<string, string>,
  items: readonly Declarable[],
  head: Head,
): Map<string, string> {
  const result = new Map(files);
  for (const file of areaFiles.map((area) => `${area}.ts`)) {
    const own = items.filter((item) => item.file === file);
    if (own.length) result.set(file, extended(files.get(file), own, file, libraryOf(head)));
  }
  return result;
}

function extended(text: string | undefined, items: readonly Declarable[], file: string, library: string): string {
  const needsConfig = items.some(({ secrets }) => secrets.length);
  const classes = new Set(items.map(({ kind }) => kind));
  const uses = items.flatMap(({ references }) => Object.values(references).flat()).filter((one) => one.file !== file);
  const modules = [...Map.groupBy(uses, (one) => `./${one.file.replace(/\.ts$/, "")}`)]
    .map(([module, those]) => [module, new Set(those.map(({ variable }) => variable))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const declarations = items.map(declaration).join("\n\n");
  if (text === undefined) {
    const imports = [
      ...(needsConfig ? [PULUMI] : []),
      importOf(classes, library),
      ...modules.map(([module, names]) => importOf(names, module)),
    ].join("\n");
    return `${[imports, ...(needsConfig ? [CONFIG] : []), declarations].join("\n\n")}\n`;
  }
  let whole = text;
  if (needsConfig && !/\bpulumi\.Config\(/.test(whole)) whole = withConfig(whole);
  whole = withImport(whole, classes, library);
  for (const [module, names] of modules) whole = withImport(whole, names, module);
  return `${whole.trimEnd()}\n\n${declarations}\n`;
}

function withConfig(text: string): string {
  const last = [...text.matchAll(/^import [^;]*;$/gm)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  const [before, after] = [text.slice(0, end), text.slice(end).trimStart()];
  return `${before.includes(PULUMI) ? "" : `${PULUMI}\n`}${before}\n\n${CONFIG}\n\n${after}`;
}

function declaration({ kind, name, variable, inputs, secrets, resource }: Declarable): string {
  const lost = resource.withheld.filter((input) => !secrets.some((secret) => secret.input === input));
  const comments = [
    ...secrets.map(({ input, key }) => `The API does not return ${input}: pulumi config set --secret ${key}`),
    ...lost.map((input) => `The API does not return ${input}, which only a new object needs.`),
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
