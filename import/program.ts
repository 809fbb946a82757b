import type { Bag } from "../provider/engine/values";
import { libraries, type ProviderType } from "../stack/migration";
import { fileNames, moduleOf } from "./areas";
import { type NeededSecret, secretInputs } from "./declarations";
import { Expression, literal, propertiesOf } from "./literal";
import { type LinkedItem, Reference, withReplaced } from "./references";
import type { SourceFile, Sources } from "./source";

export type NewItem = LinkedItem & { variable: string };

/** An object with the secrets that its declaration reads from the stack's configuration. */
export interface Declarable extends NewItem {
  secrets: readonly NeededSecret[];
}

/** How a program declares resources. */
interface Style {
  provider: ProviderType;
  /** Whether each declaration has `protect: true`. */
  protect: boolean;
}

/** Adds resource declarations to the end of the program's files, and the import statements that they need. */
export function declare(sources: Sources, items: readonly Declarable[], style: Style): Map<string, string> {
  const result = new Map<string, string>();
  for (const name of fileNames) {
    const own = items.filter((item) => item.file === name);
    if (!own.length) continue;
    const file = sources.file(name);
    file.reserve(own.map(({ variable }) => variable));
    file.append(own.map((item) => declaration(item, file, style)));
    result.set(name, file.text);
  }
  return result;
}

function declaration(
  { kind, name, variable, inputs, secrets, resource }: Declarable,
  file: SourceFile,
  { provider, protect }: Style,
): string {
  const withheldInputs = resource.withheld.filter((input) => !secrets.some((secret) => secret.input === input));
  const comments = [
    ...secrets.map(({ input, key }) => `The API does not return ${input}: pulumi config set --secret ${key}`),
    ...withheldInputs.map(
      (input) => `The API does not return ${input}, which is required only to create the object again.`,
    ),
  ].map((comment) => `// ${comment}\n`);
  const start = `export const ${variable} = new ${file.use(libraries[provider], kind)}(`;
  const all: Bag = { ...linkTo(inputs, file), ...(secrets.length && secretInputs(secrets, file.config())) };
  const isShort = `${start}${literal(name)}, {`.length <= 80;
  const options = {
    ...(protect && { protect }),
    ...(secrets.length && { ignoreChanges: secrets.map(({ input }) => input) }),
  };
  const hasOptions = Object.keys(options).length > 0;
  if (!hasOptions && isShort) {
    const properties = propertiesOf(all, 1).map((line) => `  ${line}\n`);
    return `${comments.join("")}${start}${literal(name)}, {${properties.length ? "\n" : ""}${properties.join("")}});`;
  }
  const properties = propertiesOf(all, 2).map((line) => `    ${line}\n`);
  return [
    `${comments.join("")}${start}`,
    `  ${literal(name)},`,
    properties.length ? `  {\n${properties.join("")}  },` : "  {},",
    ...(hasOptions ? [`  ${literal(options, 1, 1)},`] : []),
    ");",
  ].join("\n");
}

/** The inputs with references as the file has to write them, such as `web.id`. */
const linkTo = (inputs: Bag, file: SourceFile): Bag =>
  withReplaced(inputs, (value) => {
    if (!(value instanceof Reference)) return undefined;
    const { file: other, variable, exported } = value.target;
    const name = other === file.name ? variable : exported && file.use(moduleOf(other), exported);
    return new Expression(`${name}.${value.output}`);
  });
