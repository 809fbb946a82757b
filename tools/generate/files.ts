import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kebab } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import type { ReadFunction } from "../../provider/functions/functions";
import { apiFiles } from "./api-docs";
import { cliFile } from "./cli-docs";
import { clientFiles } from "./client/files";
import { configurationFile } from "./configuration";
import { coverageFile } from "./coverage";
import { driftSchemaFile } from "./drift-schema";
import { emulatorControlFile } from "./emulator-docs";
import { equivalentsFiles } from "./equivalents";
import { eventsFile } from "./events-docs";
import { withExamples } from "./examples";
import { formatted } from "./format";
import { functionsFile } from "./functions-docs";
import { importFile } from "./import-docs";
import { kindTestsFile } from "./kind-tests";
import { type Files, MARK, PAGE_MARK } from "./mark";
import type { PackageSchema } from "./model";
import { policiesFile } from "./policies";
import { registryFiles } from "./registry";
import { resourceFiles } from "./resources/files";
import { type About, packageSchema, withPlainResults } from "./schema";
import { sdkFiles } from "./sdk";

/** Generators whose input is Pulumi's package schema. */
const generators: readonly ((schema: PackageSchema, root: string) => Files)[] = [
  (schema, root) => ({ "schema.json": JSON.stringify(withExamples(root, withPlainResults(schema)), undefined, 2) }),
  sdkFiles,
  policiesFile,
  () => clientFiles(),
  driftSchemaFile,
];

/** Folders in which generated files are deleted if the generators do not write them any more. */
const folders = ["sdk", "sdk/functions", "docs/api", "docs/resources"];

/** Generated file with the SDK's types of nested properties. */
const TYPES = "sdk/types.ts";

/** The types that a generated file exports: from name to definition. */
const typesIn = (text: string): Map<string, string> =>
  new Map(
    text
      .split(/^export (?:interface|type) /m)
      .slice(1)
      .map((part) => [/^\w+/.exec(part)?.[0] ?? "", part.replace(/^\w+/, "").trim()]),
  );

/** Types that have a new name but the same definition as before, for example `VolumeStatus to DiskStatus`. */
function renamedTypes(before: string, now: string): string[] {
  const [old, current] = [typesIn(before), typesIn(now)];
  const added = [...current].filter(([name]) => !old.has(name));
  return [...old].flatMap(([name, text]) => {
    const other = isCompatible(current.get(name), text) ? undefined : added.find(([, body]) => body === text);
    return other ? [`${name} to ${other[0]}`] : [];
  });
}

/** Whether a type has its former definition, or is a union with the former values and further ones. */
function isCompatible(now: string | undefined, before: string): boolean {
  const values = (text: string) =>
    text
      .replace(/^=|;$/g, "")
      .split("|")
      .map((value) => value.trim());
  return (
    now === before || (now?.startsWith("=") === true && values(before).every((value) => values(now).includes(value)))
  );
}

/** Thrown instead of writing files that would rename exported types, because programs may use the old names. */
export class RenamedTypesError extends Error {
  override readonly name = "RenamedTypesError";
}

/** The reason why a new kind cannot have one of the names. */
export function nameProblem(root: string, names: readonly string[]): string | undefined {
  const old = typesIn(textOf(root, TYPES) ?? "");
  const taken = names.find((name) => !hasClass(root, name) && (old.has(name) || old.has(`${name}Args`)));
  return (
    taken &&
    `Choose another name for the kind ${taken}: ${TYPES} has a type of this name, which the SDKs of other languages would rename`
  );
}

const hasClass = (root: string, kind: string): boolean => textOf(root, `sdk/${kebab(kind)}.ts`) !== undefined;

/** Throws if the generated types, compared with the types in the repository, have other names. */
function requireSameNames(root: string, names: readonly string[], types: string): void {
  const before = textOf(root, TYPES) ?? "";
  const problem = nameProblem(root, names);
  if (problem) throw new RenamedTypesError(problem);
  const renamed = renamedTypes(before, types).join(", ");
  if (!renamed) return;
  // Types shared by several kinds are named after the first of them, so a kind that is inserted earlier can rename types.
  const early = names.find((name, i) => !hasClass(root, name) && names.slice(i).some((one) => hasClass(root, one)));
  throw new RenamedTypesError(
    early
      ? `Move ${early} to the end of the kinds in provider/resources/index.ts. Types that several kinds share are named after the first of them, so its present place would rename types that programs use: ${renamed}`
      : `Rename these types in ${TYPES}, then run "make generate" again: ${renamed}. A new kind takes names that the type of a result had. Programs may use the old names: list the change in CHANGELOG.md if they are released`,
  );
}

/** Writes the generated files, or only compares them if `check` is set. Returns the files that differ. */
export async function generate(
  root: string,
  kinds: Record<string, Kind>,
  { check = false, functions = [] }: { check?: boolean; functions?: readonly ReadFunction[] } = {},
): Promise<string[]> {
  const files = await generated(root, kinds, functions);
  const different = Object.keys(files).filter((file) => textOf(root, file) !== files[file]);
  const deleted = folders.flatMap((folder) => stale(root, folder, files));
  requireSameNames(root, Object.keys(kinds), files[TYPES] ?? "");
  if (!check) {
    for (const file of different) write(join(root, file), files[file] ?? "");
    for (const file of deleted) rmSync(join(root, file));
  }
  return [...different, ...deleted].sort();
}

async function generated(
  root: string,
  kinds: Record<string, Kind>,
  functions: readonly ReadFunction[],
): Promise<Files> {
  const schema = packageSchema(kinds, JSON.parse(textOf(root, "package.json") ?? "{}") as About, functions);
  const files = [
    ...generators.flatMap((generator) => Object.entries(generator(schema, root))),
    ...Object.entries(kindTestsFile(kinds)),
  ];
  const inShape = await Promise.all(
    files.map(async ([file, text]) => [file, await formatted(root, file, text)] as const),
  );
  // These Markdown files are not formatted by Biome, which would pad every table cell to the width of the longest one.
  const all: Files = {
    ...Object.fromEntries(inShape),
    ...apiFiles(),
    ...(await cliFile()),
    ...eventsFile(),
    ...functionsFile(functions),
    ...coverageFile(root, kinds),
    ...importFile(root),
    ...equivalentsFiles(root),
    ...resourceFiles(root, kinds),
    ...configurationFile(),
    ...emulatorControlFile(),
  };
  return { ...all, ...registryFiles(root, schema, all) };
}

const stale = (root: string, folder: string, files: Files): string[] =>
  filesIn(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((file) => !(file in files) && [MARK, PAGE_MARK].some((mark) => textOf(root, file)?.startsWith(mark)));

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function textOf(root: string, file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
