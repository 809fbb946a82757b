import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { version as ownVersion } from "../../provider/client/version";
import { textIfExists } from "../../stack/text-file";
import { type Check, notChecked, ok, problem } from "./check";
import type { Project } from "./project";
import { required } from "./tools";
import { isInRange, majorIn, rangeText } from "./versions";

const PACKAGE = "pulumi-cloudinfra";

/** A package that the project's program can load. */
export interface Installed {
  version: string;
  folder: string;
}

export async function installedIn(folder: string, name: string): Promise<Installed | undefined> {
  try {
    const file = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`);
    return { version: String(JSON.parse((await textIfExists(file)) ?? "{}").version), folder: dirname(file) };
  } catch {
    return undefined;
  }
}

/** The npm packages of the project: this package, Pulumi's, and what TypeScript programs need. */
export async function packageChecks({ folder, runtime, program, options, main }: Project): Promise<Check[]> {
  if (runtime !== "nodejs") return [];
  if (!program.usesPackage) return [notChecked("npm packages", `no file of the program uses ${PACKAGE}`)];
  if (!existsSync(join(folder, "node_modules")) && !(await installedIn(folder, PACKAGE)))
    return [problem("npm packages", `${folder} has no node_modules`, 'Run "npm install" there')];
  const isCompiled =
    /\.[cm]?js$/.test(main ?? "") || (main !== undefined && existsSync(resolve(folder, main, "index.js")));
  const isTypeScript = program.isTypeScript && options.typescript !== false && !isCompiled;
  return [
    await ownPackageCheck(folder),
    await pulumiPackageCheck(folder),
    ...(isTypeScript ? [await typescriptCheck(folder), await tsconfigCheck(folder, options)] : []),
  ];
}

async function ownPackageCheck(folder: string): Promise<Check> {
  const found = await installedIn(folder, PACKAGE);
  if (!found) return problem(PACKAGE, `not installed in ${folder}`, `Run "npm install ${PACKAGE}" there`);
  if (found.version === ownVersion) return ok(PACKAGE, `${found.version} at ${found.folder}`);
  return problem(
    PACKAGE,
    `the project has ${found.version}, but this command is ${ownVersion}`,
    `Run the project's own command with "npx cloudinfra" in ${folder}, or "npm install ${PACKAGE}@${ownVersion}" there`,
  );
}

async function pulumiPackageCheck(folder: string): Promise<Check> {
  const name = "@pulumi/pulumi";
  const found = await installedIn(folder, name);
  const fix = `Run "npm install ${name}@${required.pulumi}"`;
  if (!found) return problem(name, `not installed in ${folder}`, fix);
  if (isInRange(found.version, required.pulumi)) return ok(name, found.version);
  return problem(name, `${found.version}; must be ${rangeText(required.pulumi)}`, fix);
}

async function typescriptCheck(folder: string): Promise<Check> {
  const [typescript, tsNode] = await Promise.all([installedIn(folder, "typescript"), installedIn(folder, "ts-node")]);
  const name = "TypeScript";
  const fix = 'Run "npm install typescript@5 ts-node@10"';
  if (typescript && majorIn(typescript.version) >= 7)
    return problem(name, `${typescript.version} cannot run with ts-node, with which Pulumi starts programs`, fix);
  const missing = [...(typescript ? [] : ["typescript"]), ...(tsNode ? [] : ["ts-node"])];
  if (typescript && tsNode) return ok(name, `${typescript.version}, with ts-node ${tsNode.version}`);
  return problem(name, `${missing.join(" and ")} not installed, so Pulumi uses its own TypeScript 3.8`, fix);
}

const EFFECT = "inputs that can be undefined compile, and fail or are omitted in the update";

async function tsconfigCheck(folder: string, { tsconfig }: Project["options"]): Promise<Check> {
  const name = typeof tsconfig === "string" ? tsconfig : "tsconfig.json";
  const file = resolve(folder, name);
  const example = '{ "compilerOptions": { "module": "node16", "strict": true } }';
  if (!existsSync(file)) return problem(name, `not found, so strict is off: ${EFFECT}`, `Create it with ${example}`);
  const isStrict = await strictIn(file);
  if (isStrict === undefined) return notChecked(name, `${file} is not valid, or extends a file that is not found`);
  if (isStrict) return ok(name, "strict");
  return problem(name, `strict is off: ${EFFECT}`, `Set "strict": true in the compilerOptions of ${file}`);
}

/** Whether a tsconfig.json, or one that it extends, sets `strict`. Undefined if one of them cannot be read. */
async function strictIn(file: string, depth = 5): Promise<boolean | undefined> {
  const content = depth > 0 ? jsonWithComments((await textIfExists(file)) ?? "") : undefined;
  if (content === undefined) return undefined;
  const { compilerOptions = {}, extends: parents } = content as {
    compilerOptions?: { strict?: unknown };
    extends?: string | string[];
  };
  if (typeof compilerOptions.strict === "boolean") return compilerOptions.strict;
  for (const parent of [parents ?? []].flat().reverse()) {
    const path = parentOf(file, parent);
    const isStrict = path === undefined ? undefined : await strictIn(path, depth - 1);
    if (isStrict !== false) return isStrict;
  }
  return false;
}

function parentOf(file: string, parent: string): string | undefined {
  if (/^[./]/.test(parent)) {
    const path = resolve(dirname(file), parent);
    return [path, `${path}.json`].find((one) => existsSync(one) && one.endsWith(".json"));
  }
  try {
    return createRequire(file).resolve(parent.endsWith(".json") ? parent : `${parent}/tsconfig.json`);
  } catch {
    return undefined;
  }
}

/** Parses JSON with comments and trailing commas, as in tsconfig.json. Undefined if it is not valid. */
function jsonWithComments(text: string): object | undefined {
  const string = /"(?:[^"\\]|\\.)*"/.source;
  const plain = text
    .replace(new RegExp(`(${string})|//[^\\n]*|/\\*[^]*?\\*/`, "g"), "$1")
    .replace(new RegExp(`(${string})|,(?=\\s*[}\\]])`, "g"), "$1");
  try {
    const content: unknown = JSON.parse(plain);
    return typeof content === "object" && content !== null ? content : undefined;
  } catch {
    return undefined;
  }
}
