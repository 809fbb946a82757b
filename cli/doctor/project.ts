import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { isObject } from "../../api";
import { kinds } from "../../provider/resources";
import { CommandError } from "../../stack/errors";
import { projectFileFrom } from "../../stack/pulumi";
import { textIfExists } from "../../stack/text-file";
import { type Check, firstLine, notChecked, ok, problem } from "./check";

type Bag = Record<string, unknown>;

/** A Pulumi project: what its files say, without running the program. */
export interface Project {
  /** The folder of Pulumi.yaml. */
  folder: string;
  name: string;
  /** Such as `nodejs`. */
  runtime: string;
  /** Options of the runtime, such as `typescript: false`. */
  options: Bag;
  main: string | undefined;
  /** The folder of the stacks' configurations, and how the names of these files end, such as `.yaml`. */
  configFolder: string;
  extension: string;
  /** URL of the backend that Pulumi.yaml names. */
  backend: string | undefined;
  /** Path of the plugin that the section `plugins` or `packages` names. */
  plugin: string | undefined;
  program: Program;
}

export interface Program {
  /** Whether the program uses this package, as dynamic resources or in any other way. */
  usesPackage: boolean;
  /** Whether files import the library of dynamic resources, and that of the native plugin. */
  usesDynamic: boolean;
  usesNative: boolean;
  /** Names of the resource classes that the program creates. */
  kinds: string[];
}

const NAME = "Pulumi.yaml";

/**
 * Reads the project in a folder or above it. `isRequired` says whether the user has named a project: without one, the
 * client and the emulator work as well.
 */
export async function readProject(
  folder: string,
  isRequired: boolean,
): Promise<{ check: Check; project: Project | undefined }> {
  const file = projectFileFrom(resolve(folder));
  const fail = (message: string, fix: string) => ({ check: problem(NAME, message, fix), project: undefined });
  if (!file) {
    const message = `not found in ${resolve(folder)} or in the folders above it`;
    if (isRequired) return fail(message, "Name the folder of the project with --cwd");
    const check = notChecked(NAME, `${message}; to check a project, run this in its folder or set --cwd`);
    return { check, project: undefined };
  }
  const content = await contentOf(file);
  if (typeof content === "string") return fail(content, "Correct the file");
  const { name, runtime, main, backend, plugins, packages, config, stackConfigDir } = content;
  const runtimeName = isObject(runtime) ? runtime.name : runtime;
  for (const [key, value, example] of [
    ["name", name, "shop"],
    ["runtime", runtimeName, "nodejs"],
  ])
    if (typeof value !== "string" || !value)
      return fail(`${file} has no ${key}`, `Add a line such as "${key}: ${example}"`);
  const own = dirname(file);
  const project: Project = {
    folder: own,
    name: String(name),
    runtime: String(runtimeName),
    options: isObject(runtime) && isObject(runtime.options) ? runtime.options : {},
    main: typeof main === "string" && main ? main : undefined,
    // An older name of the setting is `config`, if it is not a section.
    configFolder: resolve(own, [stackConfigDir, config].find((path) => typeof path === "string") ?? ""),
    extension: extname(file),
    backend: isObject(backend) && typeof backend.url === "string" ? backend.url : undefined,
    plugin: pluginIn(plugins) ?? packageIn(packages),
    program: await programIn(own),
  };
  return { check: ok(NAME, `project ${project.name}, runtime ${project.runtime}, in ${own}`), project };
}

/** The content of the project's file, or the reason why it cannot be read. */
async function contentOf(file: string): Promise<Bag | string> {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument((await textIfExists(file)) ?? "", { logLevel: "silent" });
    const [error] = document.errors;
    if (error) return `${file} is not valid YAML: ${firstLine(error.message)}`;
    const content: unknown = document.toJS();
    return isObject(content) ? content : {};
  } catch (error) {
    // A file that cannot be read, or a reference in it to an anchor that does not exist.
    return error instanceof CommandError ? error.message : `${file}: ${firstLine((error as Error).message)}`;
  }
}

/** The path in `plugins: { providers: [{ name: cloudinfra, path: … }] }`. */
function pluginIn(plugins: unknown): string | undefined {
  const providers: unknown = isObject(plugins) ? plugins.providers : undefined;
  const own = Array.isArray(providers)
    ? providers.find((one) => isObject(one) && one.name === "cloudinfra")
    : undefined;
  return isObject(own) && typeof own.path === "string" ? own.path : undefined;
}

/** The path in `packages: { cloudinfra: … }`. A source such as a name in a registry is not a path. */
function packageIn(packages: unknown): string | undefined {
  const source: unknown = isObject(packages) ? packages.cloudinfra : undefined;
  const text = isObject(source) ? source.source : source;
  return typeof text === "string" && /^[./~]/.test(text) ? text : undefined;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|cs|fs|vb|java|kt|ya?ml)$/;
const MAX_FILES = 500;
/** Maximum size of a source file in bytes. A larger one is generated. */
const MAX_BYTES = 1024 * 1024;

/** Constructor calls in all languages: `new Volume(`, `cloudinfra.NewVolume(` or `type: cloudinfra:Volume`. */
const CREATED = /\bnew\s+(?:\w+\.)?([A-Z]\w+)|\bcloudinfra\.(?:New)?([A-Z]\w+)|\bcloudinfra:(?:index:)?([A-Z]\w+)/g;

/** The use of this package by the program, as its files show it. */
async function programIn(folder: string): Promise<Program> {
  const texts = await Promise.all((await sourcesIn(folder)).map(async (file) => ({ file, text: await textOf(file) })));
  const own = texts.filter(({ text }) => /\bcloudinfra\b/.test(text));
  const names = own.flatMap(({ text }) => [...text.matchAll(CREATED)].flatMap(([, ...found]) => found));
  return {
    usesPackage: own.length > 0,
    usesDynamic: own.some(({ text }) => /["']pulumi-cloudinfra["']/.test(text)),
    usesNative: own.some(({ text }) => /["']pulumi-cloudinfra\/native["']/.test(text)),
    kinds: Object.keys(kinds).filter((kind) => names.includes(kind)),
  };
}

const textOf = async (file: string): Promise<string> =>
  stat(file)
    .then(({ size }) => (size <= MAX_BYTES ? readFile(file, "utf8") : ""))
    .catch(() => "");

/** How many levels of folders the files of a program can be in. */
const MAX_DEPTH = 4;

/** The source files of the program, without installed packages, the settings of stacks and other projects. */
async function sourcesIn(folder: string, depth = MAX_DEPTH): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isOtherProject = depth < MAX_DEPTH && entries.some(({ name }) => /^Pulumi\.(?:ya?ml|json)$/.test(name));
  if (isOtherProject) return [];
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isHidden = /^(?:\.|node_modules$|venv$|sdks$|Pulumi\.[^.]+\.yaml$)/.test(entry.name);
    if (isHidden || found.length >= MAX_FILES) continue;
    if (entry.isDirectory() && depth > 0) found.push(...(await sourcesIn(path, depth - 1)));
    else if (entry.isFile() && SOURCE.test(entry.name)) found.push(path);
  }
  return found.slice(0, MAX_FILES);
}
