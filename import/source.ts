import { type KindName, kinds } from "../provider/resources";

export interface Declared {
  kind: KindName;
  name: string;
  file: string;
  variable: string;
}

const isKind = (name: string): name is KindName => Object.hasOwn(kinds, name);

export const declaredKey = (kind: string, name: string): string => `${kind} ${name}`;

/**
 * The resources that the files declare as exported constants, by class and name. If two have the same class and name,
 * the first one is used.
 */
export function declaredIn(files: ReadonlyMap<string, string>): Map<string, Declared> {
  const all = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/^export const ([\w$]+)\s*=\s*new (\w+)\(\s*("(?:[^"\\\n]|\\.)*")/gm)].flatMap(
      ([, variable = "", kind = "", name = ""]) =>
        isKind(kind) ? [{ kind, name: JSON.parse(name) as string, file, variable }] : [],
    ),
  );
  return new Map(all.reverse().map((one) => [declaredKey(one.kind, one.name), one]));
}

/** All names that the files declare or import, so that new variables get other names. */
export function variablesIn(files: ReadonlyMap<string, string>): Set<string> {
  const texts = [...files.values()];
  const declared = texts.flatMap((text) => [...text.matchAll(/\b(?:const|let|var|function|class)\s+([\w$]+)/g)]);
  const imported = texts.flatMap((text) => [...text.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}/gm)]);
  return new Set([
    ...declared.map(([, name = ""]) => name),
    ...imported.flatMap(([, names = ""]) => names.split(/[,\s]+/).filter(Boolean)),
  ]);
}

/** The configuration keys from which the files read secrets. */
export const keysIn = (files: ReadonlyMap<string, string>): Set<string> =>
  new Set(
    [...files.values()].flatMap((text) =>
      [...text.matchAll(/\.requireSecret\w*\(\s*"([^"]+)"/g)].map(([, key = ""]) => key),
    ),
  );

/** The statement that imports names from a module, in the style of Prettier and Biome. */
function importOf(names: Iterable<string>, from: string): string {
  const sorted = [...new Set(names)].sort(byName);
  const line = `import { ${sorted.join(", ")} } from "${from}";`;
  if (line.length <= 80) return line;
  return `import {\n${sorted.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}

const byName = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : 1);

const collator = new Intl.Collator("en", { numeric: true, caseFirst: "upper" });

/** Adds names to a file's import statement for a module, or adds the statement. The rest of the text is unchanged. */
export function withImport(text: string, names: Iterable<string>, from: string): string {
  const pattern = new RegExp(`^import \\{([^}]*)\\} from "${from.replaceAll(/[./]/g, "\\$&")}";$`, "m");
  const [statement, there = ""] = pattern.exec(text) ?? [];
  const known = there
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const missing = [...names].filter((name) => !known.includes(name));
  if (!missing.length) return text;
  const made = importOf([...known, ...missing], from);
  if (statement !== undefined) return text.replace(statement, () => made);
  const end = endOfImports(text);
  return end ? `${text.slice(0, end)}\n${made}${text.slice(end)}` : `${made}\n\n${text}`;
}

const PULUMI = `import * as pulumi from "@pulumi/pulumi";`;
const CONFIG = "const config = new pulumi.Config();";

/**
 * Adds the constant `config`, the stack's configuration, after the import statements of a file. A file that already
 * declares it is unchanged.
 */
export function withConfig(text: string): string {
  if (/\bpulumi\.Config\(/.test(text)) return text;
  const end = endOfImports(text);
  const [before, after] = [text.slice(0, end), text.slice(end).trimStart()];
  return `${before.includes(PULUMI) ? "" : `${PULUMI}\n`}${before}\n\n${CONFIG}\n\n${after}`;
}

/** The position after the last import statement of a file; 0 if there is none. */
function endOfImports(text: string): number {
  const last = [...text.matchAll(/^import [^;]*;$/gm)].at(-1);
  return last ? last.index + last[0].length : 0;
}
