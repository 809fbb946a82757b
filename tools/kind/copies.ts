import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { objectKindOf } from "../../account/kinds";
import { didYouMean } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { kinds } from "../../provider/resources";
import { nameProblem } from "../generate/files";
import { withChoices } from "./decisions";
import { filesOf, type KindFiles, type Names, namesOf } from "./names";
import { withInputsOf, withObjectsOf } from "./objects";

export const INDEX = "provider/resources/index.ts";

/** The files of a new kind, each with its content. `missing` are those that the other kind does not have. */
export interface Copies {
  files: Map<string, string>;
  missing: string[];
}

const allKinds: Readonly<Record<string, Kind>> = kinds;

/** The kind with the name in a variable of `make new-kind`. Throws if it does not exist. */
function kindOf(variable: "LIKE" | "OF", name: string): Kind {
  const kind = Object.hasOwn(allKinds, name) ? allKinds[name] : undefined;
  if (kind) return kind;
  throw new Error(
    `${variable} must be a kind of ${INDEX}, such as ManagedContact (given "${name}")${didYouMean(name, Object.keys(kinds))}`,
  );
}

/**
 * Copies the files of a kind for a new one, with its name in place of the other and comments where it has to decide, and
 * adds it to the index. With `of`, the new kind is a second one over the objects of that kind, as `like` is over those of
 * another. Throws if `kind` is not the name of a new kind, or one of the others is not a kind.
 */
export function copiesFor(root: string, kind: string, like: string, of = ""): Copies {
  if (!/^[A-Z][A-Za-z0-9]+$/.test(kind)) throw new Error(`KIND must be a name such as VolumeClone (given "${kind}")`);
  if (Object.hasOwn(kinds, kind)) throw new Error(`KIND must be new: ${INDEX} already has ${kind}`);
  const problem = nameProblem(root, [kind]);
  if (problem) throw new Error(problem);
  const copied = kindOf("LIKE", like);
  const objects = of ? { from: objectKindOf(copied), to: kindOf("OF", of) } : undefined;
  if (objects?.from === copied)
    throw new Error(`LIKE must have the objects of another kind if OF is set, as VolumeClone has (given "${like}")`);
  const [from, to] = [namesOf(like), namesOf(kind)];
  const [sources, targets] = [filesOf(from), filesOf(to)];
  const existing = Object.values(targets).find((path) => existsSync(join(root, path)));
  if (existing) throw new Error(`${existing} already exists: delete it, or add ${kind} to ${INDEX} by hand`);
  const files = new Map<string, string>();
  const missing: string[] = [];
  for (const role of Object.keys(sources) as (keyof KindFiles)[]) {
    if (!existsSync(join(root, sources[role]))) {
      missing.push(targets[role]);
      continue;
    }
    let text = renamed(role, readFileSync(join(root, sources[role]), "utf8"), from, to);
    if (objects) {
      text = withObjectsOf(text, objects.from, objects.to);
      const example = join(root, filesOf(namesOf(of))[role]);
      if (role === "example" || role === "yaml") text = withInputsOf(text, objects.to, readFileSync(example, "utf8"));
    } else if (role === "fixture") {
      // How the objects are found is a decision about the new kind: the empty value does not compile.
      text = text.replace(/^(export const found: Found = ).*$/m, '$1{ by: "" };');
    }
    files.set(targets[role], withChoices(role, text));
  }
  files.set(INDEX, indexWith(readFileSync(join(root, INDEX), "utf8"), to));
  return { files, missing };
}

/** In a definition, the name of the kind can also be that of a record of the API, so only its own name is replaced. */
function renamed(role: keyof KindFiles, text: string, from: Names, to: Names): string {
  if (role !== "definition") return text.replace(new RegExp(`\\b${from.kind}\\b`, "g"), to.kind);
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
