import { dirname, join, resolve } from "node:path";
import type { Bag } from "../../provider/engine/values";
import { bagIn } from "../../stack/deployment";
import { textIfExists } from "../../stack/text-file";
import { typeAt } from "./paths";
import type { Project } from "./project";

/** The start of a Node.js program. */
export interface Entry {
  /** The folder in which Pulumi starts the program, and in which it looks for tsconfig.json and packages. */
  folder: string;
  /** The file that Pulumi loads. Undefined if it does not exist. */
  file: string | undefined;
}

/** Finds the entry as Pulumi does: `main` of Pulumi.yaml, `exports` or `main` of the manifest, else a file `index`. */
export async function entryOf({ folder, main }: Pick<Project, "folder" | "main">): Promise<Entry> {
  const start = resolve(folder, main ?? "");
  if (typeAt(start) !== "folder") return { folder: dirname(start), file: typeAt(start) === "file" ? start : undefined };
  const root = packageFolder(start) ?? start;
  const manifest = await manifestIn(root);
  const named = join(root, entryIn(manifest) ?? "");
  // Pulumi ignores a name that does not exist, and loads the folder.
  const program = entryIn(manifest) !== undefined && typeAt(named) ? named : start;
  if (typeAt(program) === "file") return { folder: start, file: program };
  return { folder: start, file: manifest.type === "module" ? importedFrom(program) : await requiredFrom(program) };
}

/** The nearest folder with a package.json or, for pnpm, a package.yaml: the given one or one above it. */
export function packageFolder(folder: string): string | undefined {
  if (MANIFESTS.some((name) => typeAt(join(folder, name)) === "file")) return folder;
  return folder === dirname(folder) ? undefined : packageFolder(dirname(folder));
}

/** In the order of precedence. */
const MANIFESTS = ["package.json", "package.yaml"];

/** Pulumi ignores a manifest that it cannot read. */
async function manifestIn(folder: string): Promise<Bag> {
  if (typeAt(join(folder, "package.json"))) return packageJsonIn(folder);
  const { parse } = await import("yaml");
  return textIfExists(join(folder, "package.yaml"))
    .then((text) => bagIn(parse(text ?? "", { logLevel: "silent" })))
    .catch(() => ({}));
}

const packageJsonIn = (folder: string): Promise<Bag> =>
  textIfExists(join(folder, "package.json"))
    .then((text) => bagIn(JSON.parse(text ?? "{}")))
    .catch(() => ({}));

/** The entry in a manifest. `exports` takes precedence, as one file or with conditions. */
function entryIn({ exports, main }: Bag): string | undefined {
  const own = typeof exports === "string" ? exports : bagIn(exports)["."];
  const conditions = bagIn(own);
  const named = typeof own === "string" ? own : (conditions.default ?? conditions.require ?? conditions.import);
  const entry = exports === undefined ? main : named;
  return typeof entry === "string" && entry ? entry : undefined;
}

/** The file that Pulumi imports from the folder of an ES module. */
const importedFrom = (folder: string): string | undefined =>
  ["index.js", "index.mjs", "index.ts", "index.mts"].map((name) => join(folder, name)).find(isFile);

/** The file that Node.js requires from a folder. Files next to the folder, such as `infra.js` next to `infra`, are not tried. */
async function requiredFrom(folder: string): Promise<string | undefined> {
  // Unlike Pulumi, Node.js does not read package.yaml.
  const { main } = await packageJsonIn(folder);
  const named = typeof main === "string" && main ? resolve(folder, main) : undefined;
  const paths = named === undefined ? [] : [named, ...withEndings(named), ...withEndings(join(named, "index"))];
  return [...paths, ...withEndings(join(folder, "index"))].find(isFile);
}

/** The endings that Node.js tries, in its order. ts-node adds those of TypeScript at the end. */
const withEndings = (path: string): string[] =>
  [".js", ".json", ".node", ".ts", ".tsx", ".mts", ".cts"].map((ending) => path + ending);

const isFile = (path: string): boolean => typeAt(path) === "file";
