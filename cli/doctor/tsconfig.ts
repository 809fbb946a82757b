import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { isObject } from "../../api";
import { bagIn } from "../../stack/deployment";
import { CommandError } from "../../stack/errors";
import { textIfExists } from "../../stack/text-file";
import { type Check, notChecked, ok, problem } from "./check";
import { installedIn } from "./installed";
import { typeAt } from "./paths";
import type { Project } from "./project";
import { majorIn } from "./versions";

const EFFECT = "inputs that can be undefined compile, and fail or are omitted in the update";

const DEFAULT_NAME = "tsconfig.json";

const nameIn = ({ tsconfig }: Project["options"]): string =>
  typeof tsconfig === "string" && tsconfig ? tsconfig : DEFAULT_NAME;

/** The problem that Pulumi.yaml names a file that does not exist: then Pulumi runs no program, not even in JavaScript. */
export function missingTsconfig(folder: string, options: Project["options"]): Check | undefined {
  const name = nameIn(options);
  if (name === DEFAULT_NAME || typeAt(resolve(folder, name))) return undefined;
  const message = `not in ${folder}, but Pulumi.yaml names it as tsconfig, so Pulumi does not run the program`;
  return problem(name, message, "Create the file, or correct tsconfig in the runtime options of Pulumi.yaml");
}

/** Whether a program in TypeScript is compiled with `strictNullChecks`. `folder` is the one that Pulumi starts it in. */
export async function tsconfigCheck(folder: string, options: Project["options"]): Promise<Check> {
  const name = nameIn(options);
  const file = resolve(folder, name);
  const example = '{ "compilerOptions": { "module": "node16", "strict": true } }';
  if (!typeAt(file)) {
    const tsNode = await installedIn(folder, "ts-node");
    if (tsNode && majorIn(tsNode.version) >= 10) return ok(name, `not in ${folder}; ts-node's own options are strict`);
    return problem(name, `not in ${folder}, so strict is off: ${EFFECT}`, `Create it with ${example}`);
  }
  const found = await strictnessIn(file);
  if (found instanceof Unreadable)
    return found.isCertain
      ? problem(name, found.message, "Correct the file, without which no program is compiled")
      : notChecked(name, found.message);
  const { strict = false, strictNullChecks = strict } = found;
  if (strictNullChecks) return ok(name, strict ? "strict" : "strictNullChecks");
  const [option, fix] = strict
    ? ["strictNullChecks", `Remove "strictNullChecks" from the compilerOptions of ${file}`]
    : ["strict", `Set "strict": true in the compilerOptions of ${file}`];
  return problem(name, `${option} is off: ${EFFECT}`, fix);
}

/** The two options, each undefined if no file sets it. */
interface Strictness {
  strict?: boolean | undefined;
  strictNullChecks?: boolean | undefined;
}

/** A tsconfig.json that cannot be read. It is not certain that TypeScript cannot read it either. */
class Unreadable {
  constructor(
    readonly message: string,
    readonly isCertain: boolean,
  ) {}
}

/** Maximum number of files that extend each other. */
const MAX_DEPTH = 5;

/** The options in a tsconfig.json. Those of the files that it extends apply if it does not set them itself. */
async function strictnessIn(file: string, depth = MAX_DEPTH): Promise<Strictness | Unreadable> {
  if (depth === 0) return new Unreadable(`${file} is extended by more than ${MAX_DEPTH} files`, false);
  const text = await textOf(file);
  const content = text === undefined ? undefined : jsonWithComments(text);
  if (content === undefined) return new Unreadable(`${file} is not valid`, true);
  let { strict, strictNullChecks } = optionsIn(content);
  // Of several files, the last one takes precedence.
  for (const parent of [content.extends ?? []].flat().map(String).reverse()) {
    const path = parentOf(file, parent);
    if (path === undefined) return new Unreadable(`${file} extends ${parent}, which was not found`, isPath(parent));
    const inherited = await strictnessIn(path, depth - 1);
    if (inherited instanceof Unreadable) return inherited;
    strict ??= inherited.strict;
    strictNullChecks ??= inherited.strictNullChecks;
  }
  return { strict, strictNullChecks };
}

/** The text of a file. Undefined if it cannot be read, for example because it is a folder. */
const textOf = (file: string): Promise<string | undefined> =>
  textIfExists(file).catch((error: Error) => {
    if (!(error instanceof CommandError)) throw error;
    return undefined;
  });

function optionsIn(content: Readonly<Record<string, unknown>>): Strictness {
  const { strict, strictNullChecks } = bagIn(content.compilerOptions);
  const flag = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
  return { strict: flag(strict), strictNullChecks: flag(strictNullChecks) };
}

const isPath = (parent: string): boolean => /^[./]/.test(parent);

function parentOf(file: string, parent: string): string | undefined {
  if (isPath(parent)) {
    const path = resolve(dirname(file), parent);
    const paths = path.endsWith(".json") ? [path] : [path, `${path}.json`];
    return paths.find((one) => typeAt(one) === "file");
  }
  const names = parent.endsWith(".json") ? [parent] : [`${parent}/tsconfig.json`, `${parent}.json`, parent];
  return names.map((name) => inPackage(file, name)).find((path) => path !== undefined);
}

function inPackage(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

/** Parses JSON with comments and trailing commas, as in tsconfig.json. Undefined if it is not valid. */
function jsonWithComments(text: string): Readonly<Record<string, unknown>> | undefined {
  const string = /"(?:[^"\\]|\\.)*"/.source;
  const plain = text
    .replace(new RegExp(`(${string})|//[^\\n]*|/\\*[^]*?\\*/`, "g"), "$1")
    .replace(new RegExp(`(${string})|,(?=\\s*[}\\]])`, "g"), "$1");
  try {
    const content: unknown = JSON.parse(plain.trim() || "{}");
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
}
