import { posix } from "node:path";
import type { ProviderType } from "../stack/migration";
import { namesPlugin } from "../stack/project";
import { fileNames, moduleOf } from "./areas";
import type { NeededSecret } from "./declarations";
import { mainOf, manifestOf, type PackageSource } from "./manifest";
import { ProjectError } from "./project-error";
import type { Sources } from "./source";

/** The first line of an imported project's Pulumi.yaml, by which later imports recognize the project. */
const MARK = "# Created by cloudinfra import, which adds new objects to the files of this project.";

const PROJECT_FILE = "Pulumi.yaml";
const README = "README.md";
const INDEX = "index.ts";
const MANIFEST = "package.json";
const IGNORED = ".gitignore";

export const isImported = (files: ReadonlyMap<string, string>): boolean =>
  files.get(PROJECT_FILE)?.startsWith(MARK) === true;

const PLUGIN = `plugins:
  providers:
    - name: cloudinfra
      path: ./node_modules/pulumi-cloudinfra
`;

interface Project {
  name: string;
  provider: ProviderType;
  /** Whether the declarations have `protect: true`. */
  protect: boolean;
  /** Where a new project installs this package from. */
  source: PackageSource;
  /** The files that the folder has, by name. */
  before: ReadonlyMap<string, string>;
  /** The file with which the program starts, if Pulumi.yaml or package.json names it. */
  main?: string | undefined;
  program: ReadonlyMap<string, string>;
  /** The files that already declare objects of this import. */
  declaring: readonly string[];
  sources: Sources;
  /** The stack of a new project, and the backend that stores its state. */
  stack?: { name: string; backend: string } | undefined;
  /** Secrets that the new declarations read from the stack's configuration. */
  secrets: readonly NeededSecret[];
}

interface ProjectFiles {
  files: Map<string, string>;
  /** The packages that were added to package.json, each with its source. */
  packages: string[];
  /** Files with objects of this import that a main file other than `index.ts` does not load. */
  unloaded: string[];
  /** The main file that has to load them, if it is known. */
  main: string | undefined;
}

/**
 * The files to write: new files, and files that differ from those of earlier imports. A file that the user has deleted
 * is not written again. They are in the order in which they have to be written.
 */
export function projectFiles(project: Project): ProjectFiles {
  const { before, program, declaring, sources, secrets } = project;
  const isNew = !before.has(PROJECT_FILE);
  const readme = before.get(README) ?? (isNew ? readmeOf(project) : undefined);
  const { files, last, packages } = isNew ? scaffold(project) : { files: [], last: [], packages: [] };
  const main = isNew ? INDEX : mainFileOf(project);
  const loaded = main === undefined ? new Set<string>() : sources.loadedFrom(main).add(main);
  const unloaded = [...new Set([...program.keys(), ...declaring])].filter((file) => !loaded.has(file));
  const usesIndex = isNew || (before.has(INDEX) && loaded.has(INDEX));
  const all = new Map([
    ...files,
    // Before the program: without the import of a file, the objects in the state would be deleted by the next update.
    ...(usesIndex ? ([[INDEX, indexWith(sources, unloaded)]] as const) : []),
    ...program,
    ...(readme === undefined ? [] : ([[README, withSecrets(readme, secrets)]] as const)),
    ...last,
  ]);
  return {
    files: new Map([...all].filter(([file, text]) => before.get(file) !== text)),
    packages,
    ...(usesIndex || !unloaded.length ? { unloaded: [], main: undefined } : { unloaded, main: project.main }),
  };
}

/** The file of an existing project with which the program starts. Undefined if `before` does not have it. */
const mainFileOf = ({ main = INDEX, before }: Project): string | undefined =>
  // Node.js accepts names without an ending and folders, and `bin/app.js` is compiled from `app.ts`.
  [main, `${main}.ts`, `${main}/${INDEX}`, ...compiledFrom(main)].map(posix.normalize).find((file) => before.has(file));

function compiledFrom(main: string): string[] {
  const ending = posix.extname(main);
  if (/^\.[cm]?js$/.test(ending)) return [`${posix.basename(main, ending)}.ts`];
  return ending ? [] : [INDEX];
}

/** Adds import statements to `index.ts`. */
function indexWith(sources: Sources, files: readonly string[]): string {
  const index = sources.file(INDEX);
  for (const file of files) index.run(moduleOf(file));
  return index.text;
}

/**
 * The files of a new project, except for the program and the README. `last` has the one by which later imports recognize
 * the project, because they do not write files again that a killed import has not written.
 */
function scaffold({ name, provider, source, before }: Project): {
  files: [file: string, text: string][];
  last: [file: string, text: string][];
  packages: string[];
} {
  const manifest = manifestOf(name, INDEX, source, before.get(MANIFEST));
  const compiler = {
    compilerOptions: {
      target: "es2022",
      module: "node16",
      moduleResolution: "node16",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
    },
    files: [INDEX],
  };
  const main = manifest.hasOtherMain ? `main: ${INDEX}\n` : "";
  return {
    files: [
      [MANIFEST, manifest.text],
      ["tsconfig.json", `${JSON.stringify(compiler, undefined, 2)}\n`],
      [IGNORED, ignoredWith(before.get(IGNORED) ?? "")],
    ],
    last: [
      [
        PROJECT_FILE,
        `${MARK}\nname: ${yamlText(name)}\nruntime: nodejs\n${main}${provider === "native" ? PLUGIN : ""}`,
      ],
    ],
    packages: manifest.added,
  };
}

/** A project name in YAML. Names such as `null`, `1e3` and `off` need quotes, because they would not be read as texts. */
const yamlText = (name: string): string =>
  /^[a-z]/i.test(name) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(name) ? name : JSON.stringify(name);

/** Adds the files that git has to ignore to a .gitignore. */
function ignoredWith(text: string): string {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.replace(/^\/|\/$/g, "")));
  const missing = ["/node_modules/", "/*.before-*.json"].filter((line) => !lines.has(line.replace(/^\/|\/$/g, "")));
  return `${text}${text && !text.endsWith("\n") && missing.length ? "\n" : ""}${missing.map((line) => `${line}\n`).join("")}`;
}

/** The name of an imported project, and whether it uses dynamic resources or the native plugin. */
export async function projectIn(files: ReadonlyMap<string, string>): Promise<{ name: string; provider: ProviderType }> {
  const content = await pulumiProject(files);
  return { name: String(content.name ?? ""), provider: namesPlugin(content) ? "native" : "dynamic" };
}

/** The file with which the program starts. Undefined if neither Pulumi.yaml nor package.json names one. */
export async function mainIn(files: ReadonlyMap<string, string>): Promise<string | undefined> {
  const { main } = await pulumiProject(files);
  return typeof main === "string" ? main : mainOf(files.get(MANIFEST));
}

async function pulumiProject(files: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(files.get(PROJECT_FILE) ?? "");
  const [error] = document.errors;
  if (error) throw new ProjectError(`${PROJECT_FILE}: ${error.message.split("\n")[0]}`);
  return document.toJS() ?? {};
}

const commandOf = ({ key }: NeededSecret): string => `pulumi config set --secret ${key}\n`;

const INTRO = "The API does not return these secrets. Set each before the first preview:\n\n```sh\n";

function readmeOf({ name, program, protect, secrets, stack }: Project): string {
  const protection = protect
    ? "The imported\nresources are protected: to delete one, remove `protect` from its declaration first."
    : "Until the first `pulumi up`,\nthe imported resources are protected in the stack's state, so nothing can delete them; the preview shows the end of this protection\nas `[diff: ~protect]`, and no other change.";
  const parts = fileNames.filter((file) => program.has(file)).map((file) => `- \`${file}\`\n`);
  return `# ${name}

The objects of an account as a Pulumi program, created by \`npx cloudinfra import\`.

${parts.join("")}
${stack ? `The state of the stack \`${stack.name}\` is stored in \`${stack.backend}\`.\n` : ""}Run \`npm install\`,${secrets.length ? " set the secrets below," : ""} and run \`pulumi preview --expect-no-changes\`. ${protection}

To add objects that were created since, run \`npx cloudinfra import\` in this folder again. It adds declarations to
these files, and \`import\` statements to \`index.ts\` for files that it does not load. Nothing else in the program changes.
`;
}

function withSecrets(readme: string, secrets: readonly NeededSecret[]): string {
  const commands = secrets.map(commandOf).filter((command) => !readme.includes(command));
  if (!commands.length) return readme;
  const start = readme.indexOf(INTRO);
  if (start < 0) {
    const note =
      "While `ignoreChanges` names their inputs, the values are used only if Pulumi creates the objects again. Without that entry, the next update applies them.";
    return `${readme.trimEnd()}\n\n## Secrets\n\n${INTRO}${commands.join("")}\`\`\`\n\n${note}\n`;
  }
  const end = readme.indexOf("```\n", start + INTRO.length);
  return end < 0 ? readme : `${readme.slice(0, end)}${commands.join("")}${readme.slice(end)}`;
}
