import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kebab } from "../../api";
import { nameIn, type PackageSchema } from "./model";

export interface Example {
  /** Name of the language. `fence` is the name that Markdown and Pulumi use for it. */
  language: string;
  fence: string;
  file: string;
  text: string;
}

/** The TypeScript and YAML programs are written by hand. `make sdks` converts the YAML programs. */
const languages = [
  { language: "TypeScript", fence: "typescript", folder: "examples/resources", extension: "ts" },
  { language: "Python", fence: "python", folder: "examples/converted/py", extension: "py" },
  { language: "Go", fence: "go", folder: "examples/converted/go", extension: "go" },
  { language: "C#", fence: "csharp", folder: "examples/converted/cs", extension: "cs" },
  { language: "YAML", fence: "yaml", folder: "examples/resources", extension: "yaml" },
];

/** The TypeScript example of a resource class. */
export const exampleOf = (name: string): string => `examples/resources/${kebab(name)}.ts`;

/** The examples of a resource class, one for each language. */
export const examplesOf = (root: string, name: string): Example[] =>
  languages.flatMap(({ language, fence, folder, extension }) => {
    const file = `${folder}/${kebab(name)}.${extension}`;
    if (!existsSync(join(root, file))) return [];
    const text = readFileSync(join(root, file), "utf8").replace(/^.* Converted from .*\n/, "");
    return [{ language, fence, file, text: text.trim() }];
  });

/** Adds the examples to the descriptions of the resources, in the format of Pulumi's generators. */
export function withExamples(root: string, schema: PackageSchema): PackageSchema {
  const resources = Object.entries(schema.resources).map(([token, spec]) => {
    const blocks = examplesOf(root, nameIn(token)).map(({ fence, text }) => `\`\`\`${fence}\n${text}\n\`\`\``);
    const section = [
      spec.description,
      "{{% examples %}}\n## Example Usage\n{{% example %}}",
      ...blocks,
      "{{% /example %}}\n{{% /examples %}}",
    ];
    return [token, blocks.length ? { ...spec, description: section.join("\n\n") } : spec];
  });
  return { ...schema, resources: Object.fromEntries(resources) };
}
