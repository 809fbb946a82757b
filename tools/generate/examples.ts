import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kebab } from "../../api";
import { nameIn, type PackageSchema } from "./model";

export interface Example {
  /**
   * Display name of the language, such as "TypeScript". `fence` is its name in Markdown code blocks and in Pulumi, such
   * as "typescript".
   */
  language: string;
  fence: string;
  file: string;
  text: string;
}

/**
 * Languages of the example programs. TypeScript and YAML are written by hand; `make sdks` converts YAML to the others.
 */
const languages = [
  { language: "TypeScript", fence: "typescript", folder: "examples/resources", extension: "ts" },
  { language: "Python", fence: "python", folder: "examples/converted/py", extension: "py" },
  { language: "Go", fence: "go", folder: "examples/converted/go", extension: "go" },
  { language: "C#", fence: "csharp", folder: "examples/converted/cs", extension: "cs" },
  { language: "YAML", fence: "yaml", folder: "examples/resources", extension: "yaml" },
];

export const exampleOf = (name: string): string => `examples/resources/${kebab(name)}.ts`;

export const examplesOf = (root: string, name: string): Example[] =>
  languages.flatMap(({ language, fence, folder, extension }) => {
    const file = `${folder}/${kebab(name)}.${extension}`;
    if (!existsSync(join(root, file))) return [];
    const text = readFileSync(join(root, file), "utf8").replace(/^.* Converted from .*\n/, "");
    return [{ language, fence, file, text: text.trim() }];
  });

/**
 * Adds the example programs to the resource descriptions in the package schema, with the markup that Pulumi's docs
 * generators expect.
 */
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
