import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Writes a complete Pulumi project: the program, the project files that it lacks, and links to the installed packages.
 */
export async function writeProject(folder: string, program: string | Record<string, string>): Promise<void> {
  if (typeof program === "string") await cp(program, folder, { recursive: true, filter: belongsToProgram });
  else for (const [file, text] of Object.entries(program)) await writeIn(folder, file, text);
  const files = await readdir(folder);
  for (const [file, text] of Object.entries(scaffold(files)))
    if (!files.includes(file)) await writeIn(folder, file, text);
  const own = typeof program === "string" ? resolve(program, "node_modules") : undefined;
  await linkPackages(join(folder, "node_modules"), own && existsSync(own) ? own : undefined);
}

export async function writeIn(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The contents of all files in a folder and its subfolders, by their path in the folder. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, "utf8")])),
  );
}

/**
 * The files of a Pulumi project except the program. If the program is JavaScript, `main` is set, so that Pulumi does
 * not load ts-node.
 */
const scaffold = (files: string[]) => ({
  "Pulumi.yaml": files.includes("index.js")
    ? "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js\n"
    : "name: test\nruntime: nodejs\n",
  "package.json": '{ "name": "test", "private": true }\n',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "es2022",
      module: "node16",
      moduleResolution: "node16",
      skipLibCheck: true,
    },
  }),
});

const belongsToProgram = (path: string): boolean =>
  basename(path) !== "node_modules" && !/^Pulumi\.[^/]+\.yaml$/.test(basename(path));

/**
 * Links this package, the packages next to its dependencies and those of the program, which take precedence, into a
 * program's folder. This is faster than copying them. npm installs all of them in one folder, but pnpm does not.
 */
async function linkPackages(target: string, own: string | undefined): Promise<void> {
  const root = await packageRoot(__dirname);
  const modules = dirname(
    dirname(dirname(createRequire(join(root, "package.json")).resolve("@pulumi/pulumi/package.json"))),
  );
  const links = new Map([...(await packagesIn(modules)), ...(own ? await packagesIn(own) : [])]);
  links.set("pulumi-cloudinfra", root);
  const folders = new Set([...links.keys()].map((name) => dirname(join(target, name))));
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([...links].map(([name, path]) => symlink(path, join(target, name))));
}

/** The packages in a `node_modules` folder, by name. */
async function packagesIn(modules: string): Promise<[name: string, path: string][]> {
  const entries = (await readdir(modules)).filter((name) => !name.startsWith("."));
  const names = await Promise.all(
    entries.map(async (entry) =>
      entry.startsWith("@") ? (await readdir(join(modules, entry))).map((name) => `${entry}/${name}`) : [entry],
    ),
  );
  return names.flat().map((name) => [name, join(modules, name)]);
}

/**
 * The root folder of this package. This file is in `testing/` in the repository and in `dist/testing/` in the package.
 */
async function packageRoot(from: string): Promise<string> {
  const text = await readFile(join(from, "package.json"), "utf8").catch(() => "{}");
  return JSON.parse(text).name === "pulumi-cloudinfra" ? from : packageRoot(dirname(from));
}
