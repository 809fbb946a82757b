import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kinds } from "../provider/kinds";
import { formatted } from "./generate/format";
import { type About, packageSchema } from "./generate/schema";
import { MARK, sdkFiles } from "./generate/sdk";

/** A path from the repository's root to what the file there has to hold. */
export type Files = Record<string, string>;

/** Everything that derives from the definitions. */
export async function generated(root: string): Promise<Files> {
  const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as About;
  const schema = packageSchema(kinds, about);
  const files: Files = { "schema.json": JSON.stringify(schema, undefined, 2), ...sdkFiles(schema) };
  const done = Object.entries(files).map(async ([file, text]) => [file, await formatted(root, file, text)] as const);
  return Object.fromEntries(await Promise.all(done));
}

/** Generated files in sdk/ that no definition asks for any more. */
const stale = (root: string, files: Files): string[] =>
  readdirSync(join(root, "sdk"))
    .map((name) => `sdk/${name}`)
    .filter((file) => !(file in files) && textOf(root, file)?.startsWith(MARK));

function textOf(root: string, file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Brings the generated files up to date, or only says which are not; answers those. */
export async function generate(root: string, { check = false } = {}): Promise<string[]> {
  const files = await generated(root);
  const different = Object.keys(files).filter((file) => textOf(root, file) !== files[file]);
  const gone = stale(root, files);
  if (!check) {
    for (const file of different) writeFileSync(join(root, file), files[file] ?? "");
    for (const file of gone) rmSync(join(root, file));
  }
  return [...different, ...gone].sort();
}

async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const files = await generate(dirname(require.resolve("pulumi-cloudinfra/package.json")), { check });
  for (const file of files) console.log(`${check ? "out of date" : "written"}: ${file}`);
  if (!check || !files.length) return;
  console.error('The definitions changed: run "make generate".');
  process.exitCode = 1;
}

if (require.main === module) void main();
