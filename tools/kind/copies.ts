import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { camel, didYouMean, kebab } from "../../api";
import { exampleOf } from "../generate/examples";
import { nameProblem } from "../generate/files";

/** The names of a kind: `VolumeClone`, `volumeClone` in the code, and `volume-clone` in the names of files. */
interface Names {
  kind: string;
  constant: string;
  file: string;
}

const namesOf = (kind: string): Names => ({
  kind,
  constant: camel(kebab(kind).replaceAll("-", "_")),
  file: kebab(kind),
});

export const INDEX = "provider/resources/index.ts";
const definitionOf = ({ file }: Names): string => `provider/resources/${file}.ts`;

/** The files of a kind that are written by hand. The last is missing if several kinds share a behaviour test. */
const filesOf = (names: Names): string[] => [
  definitionOf(names),
  `test/lifecycle/kinds/${names.file}.ts`,
  exampleOf(names.kind),
  exampleOf(names.kind).replace(/ts$/, "yaml"),
  `test/lifecycle/behaviour/${names.file}.test.ts`,
];

/** The files of a new kind, each with its content. `missing` are those that the other kind does not have. */
export interface Copies {
  files: Map<string, string>;
  missing: string[];
}

/**
 * Copies the files of a kind for a new one, with its name in place of the other, and adds it to the index. Throws if
 * `kind` is not the name of a new kind, or `like` is not a kind.
 */
export function copiesFor(root: string, kind: string, like: string, kinds: readonly string[]): Copies {
  if (!/^[A-Z][A-Za-z0-9]+$/.test(kind)) throw new Error(`KIND must be a name such as VolumeClone (given "${kind}")`);
  if (kinds.includes(kind)) throw new Error(`KIND must be new: ${INDEX} already has ${kind}`);
  const problem = nameProblem(root, [kind]);
  if (problem) throw new Error(problem);
  if (!kinds.includes(like))
    throw new Error(
      `LIKE must be a kind of ${INDEX}, such as ManagedContact (given "${like}")${didYouMean(like, kinds)}`,
    );
  const [from, to] = [namesOf(like), namesOf(kind)];
  const existing = filesOf(to).find((path) => existsSync(join(root, path)));
  if (existing) throw new Error(`${existing} already exists: delete it, or add ${kind} to ${INDEX} by hand`);
  const files = new Map<string, string>();
  const missing: string[] = [];
  for (const [i, path] of filesOf(from).entries()) {
    const target = filesOf(to)[i] as string;
    if (!existsSync(join(root, path))) missing.push(target);
    else files.set(target, renamed(path, readFileSync(join(root, path), "utf8"), from, to));
  }
  files.set(INDEX, indexWith(readFileSync(join(root, INDEX), "utf8"), to));
  return { files, missing };
}

/** In a definition, the name of the kind can also be that of a record of the API, so only its own name is replaced. */
function renamed(path: string, text: string, from: Names, to: Names): string {
  // How the objects are found is a decision about the new kind: the empty value does not compile.
  if (path !== definitionOf(from))
    return text
      .replace(new RegExp(`\\b${from.kind}\\b`, "g"), to.kind)
      .replace(/^(export const found: Found = ).*$/m, '$1{ by: "" };');
  return text
    .replace(`export const ${from.constant} =`, `export const ${to.constant} =`)
    .replace(`name: "${from.kind}"`, `name: "${to.kind}"`);
}

/** Adds an import to lines of imports, which are sorted by path. */
function withImport(imports: string, added: string): string {
  const pathIn = (line: string): string => line.slice(line.indexOf(" from "));
  const lines = imports.split(/(?<=\n)/);
  const next = lines.findIndex((line) => line.startsWith("import {") && pathIn(line) > pathIn(added));
  return lines.toSpliced(next < 0 ? lines.length : next, 0, added).join("");
}

/** Adds the kind at the end: the order decides the names of types in programs. */
const indexWith = (text: string, { kind, constant, file }: Names): string =>
  text
    .replace(/^(import .*\n)+/m, (imports) => withImport(imports, `import { ${constant} } from "./${file}";\n`))
    .replace("\n} satisfies Record<string, Kind>", `\n  ${kind}: ${constant},\n} satisfies Record<string, Kind>`);
