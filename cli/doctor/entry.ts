import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Bag } from "../../provider/engine/values";
import { bagIn } from "../../stack/deployment";
import { textIfExists } from "../../stack/text-file";
import type { Project } from "./project";

/** The start of a Node.js program. */
export interface Entry {
  /** The folder in which Pulumi starts the program, and in which it looks for tsconfig.json and packages. */
  folder: string;
  /** The file that Pulumi loads. Undefined if it does not exist. */
  file: string | undefined;
}

/** Finds the entry as Pulumi does: `main` of Pulumi.yaml, `exports` or `main` of package.json, else index.js or index.ts. */
export async function entryOf({ folder, main }: Pick<Project, "folder" | "main">): Promise<Entry> {
  const start = resolve(folder, main ?? "");
  if (typeAt(start) !== "folder") return { folder: dirname(start), file: typeAt(start) === "file" ? start : undefined };
  const root = packageFolder(start);
  const named = root === undefined ? undefined : entryIn(await manifestIn(root));
  const program = root === undefined || named === undefined ? undefined : resolve(root, named);
  // Pulumi ignores a name that does not exist, and loads the folder.
  return { folder: start, file: await loaded(program !== undefined && typeAt(program) ? program : start) };
}

/** The folder of the package.json of a program, which can be above it. */
function packageFolder(folder: string): string | undefined {
  if (typeAt(join(folder, "package.json")) === "file") return folder;
  return folder === dirname(folder) ? undefined : packageFolder(dirname(folder));
}

/** Pulumi ignores a package.json that it cannot read. */
const manifestIn = (folder: string): Promise<Bag> =>
  textIfExists(join(folder, "package.json"))
    .then((text) => bagIn(JSON.parse(text ?? "{}")))
    .catch(() => ({}));

/** The entry in a package.json. `exports` takes precedence, as one file or with conditions. */
function entryIn({ exports, main }: Bag): string | undefined {
  const own = typeof exports === "string" ? exports : bagIn(exports)["."];
  const conditions = bagIn(own);
  const named = typeof own === "string" ? own : (conditions.default ?? conditions.require ?? conditions.import);
  const entry = exports === undefined ? main : named;
  return typeof entry === "string" && entry ? entry : undefined;
}

/** The file that Node.js loads for a path. */
async function loaded(path: string): Promise<string | undefined> {
  const found = fileAt(path);
  if (found !== undefined || typeAt(path) !== "folder") return found;
  const { main } = await manifestIn(path);
  const named = typeof main === "string" ? resolve(path, main) : path;
  return fileAt(named) ?? fileAt(join(named, "index")) ?? fileAt(join(path, "index"));
}

/** Endings of files in the order in which Node.js tries them. ts-node adds those of TypeScript at the end. */
const ENDINGS = ["", ".js", ".json", ".node", ".ts", ".tsx", ".mts", ".cts"];

const fileAt = (path: string): string | undefined =>
  ENDINGS.map((ending) => path + ending).find((file) => typeAt(file) === "file");

function typeAt(path: string): "file" | "folder" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
