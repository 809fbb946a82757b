import { existsSync } from "node:fs";
import { join } from "node:path";
import { version as ownVersion } from "../../provider/client/version";
import { type Check, notChecked, ok, problem } from "./check";
import { entryOf, packageFolder } from "./entry";
import { installedIn } from "./installed";
import type { Project } from "./project";
import { required } from "./tools";
import { missingTsconfig, tsconfigCheck } from "./tsconfig";
import { isInRange, majorIn, rangeText } from "./versions";

const PACKAGE = "pulumi-cloudinfra";

/** The npm packages of the project: this package, Pulumi's, and what TypeScript programs need. */
export async function packageChecks(project: Project): Promise<Check[]> {
  const { runtime, program, options } = project;
  if (runtime !== "nodejs") return [];
  if (!program.usesPackage) return [notChecked("npm packages", `no file of the program uses ${PACKAGE}`)];
  const { folder, file } = await entryOf(project);
  const entry = file === undefined ? [missingEntry(project)] : [];
  // Pulumi can start the program in a folder without a manifest, such as dist, in which nothing can be installed.
  const root = packageFolder(folder) ?? project.folder;
  if (!existsSync(join(root, "node_modules")) && !(await installedIn(folder, PACKAGE)))
    return [...entry, problem("npm packages", `${root} has no node_modules`, 'Run "npm install" there')];
  const isTypeScript = options.typescript !== false && /\.[cm]?tsx?$/.test(file ?? "");
  const noTsconfig = missingTsconfig(folder, options);
  return [
    ...entry,
    await ownPackageCheck(folder, root),
    await pulumiPackageCheck(folder),
    ...(isTypeScript ? [await typescriptCheck(folder)] : []),
    ...(noTsconfig ? [noTsconfig] : isTypeScript ? [await tsconfigCheck(folder, options)] : []),
  ];
}

const missingEntry = ({ folder, main }: Project): Check =>
  main === undefined
    ? problem(
        "entry file",
        `${folder} has neither index.ts nor index.js, nor a file that package.json names as main`,
        "Create the file, compile the program, or name its file as main in Pulumi.yaml",
      )
    : problem(
        "entry file",
        `Pulumi.yaml names ${main} as main, which is not a program`,
        "Create the file, compile the program, or correct main in Pulumi.yaml",
      );

/** `folder` is the one that Pulumi starts the program in, `root` the one of its packages. */
async function ownPackageCheck(folder: string, root: string): Promise<Check> {
  const found = await installedIn(folder, PACKAGE);
  if (!found) return problem(PACKAGE, `not installed in ${root}`, `Run "npm install ${PACKAGE}" there`);
  if (found.version === ownVersion) return ok(PACKAGE, `${found.version} at ${found.folder}`);
  return problem(
    PACKAGE,
    `the project has ${found.version}, but this command is ${ownVersion}`,
    `Run the project's own command with "npx cloudinfra" in ${root}, or "npm install ${PACKAGE}@${ownVersion}" there`,
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
