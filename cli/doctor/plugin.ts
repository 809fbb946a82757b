import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { version as ownVersion } from "../../provider/client/version";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { type Check, notChecked, ok, problem, timedCheck } from "./check";
import { installedIn } from "./installed";
import { programAt, versionOf } from "./programs";
import type { Project } from "./project";

const NAME = "native plugin";
const PLUGIN = "pulumi-resource-cloudinfra";

/** The plugin that Pulumi starts, and where Pulumi finds it. */
interface Found {
  program: string;
  from: string;
}

export const PLUGIN_ENTRY = "plugins: { providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }] }";

/** Checks the plugin, if the project or the state uses it. It must have the version of the package. */
export function pluginCheck(project: Project, isInState: boolean, limit: TimeLimit): Promise<Check> {
  const { plugin, program, runtime } = project;
  const isOtherLanguage = runtime !== "nodejs" && program.usesPackage;
  if (!plugin && !program.usesNative && !isInState && !isOtherLanguage)
    return Promise.resolve(notChecked(NAME, "the project does not use it"));
  const fix = `Run "${PLUGIN} --version" to see why it does not end`;
  return timedCheck({ name: NAME, limit, fix }, () => foundCheck(project, limit));
}

async function foundCheck({ folder, plugin, runtime }: Project, limit: TimeLimit): Promise<Check> {
  const wanted = (await installedIn(folder, "pulumi-cloudinfra"))?.version ?? ownVersion;
  const found = plugin === undefined ? (onPath() ?? (await inPluginFolder(wanted))) : named(folder, plugin);
  if (!found) {
    const isNamed = plugin !== undefined;
    const message = isNamed
      ? `Pulumi.yaml names ${plugin}, which has no program ${PLUGIN}`
      : `not found: Pulumi.yaml does not name it, and it is neither on PATH nor in ${pluginFolder()}`;
    const install =
      runtime === "nodejs"
        ? `Add to Pulumi.yaml: ${PLUGIN_ENTRY}`
        : "Install it, as docs/guides/languages.md describes";
    return problem(NAME, message, isNamed ? 'Run "npm install", or correct the path in Pulumi.yaml' : install);
  }
  const version = await limit.wait(NAME, (signal) => versionOf(found.program, "--version", signal));
  const place = `${found.program}, ${found.from}`;
  if (version === undefined || !/^\d+\.\d+\.\d+/.test(version))
    return problem(NAME, `${place}, does not print a version`, `Replace it: it is not the plugin of this package`);
  if (version === wanted) return ok(NAME, `${version} at ${place}`);
  return problem(
    NAME,
    `${version} at ${place}, but the package is ${wanted}`,
    found.from === FROM_PATH ? `Remove it from PATH, or install ${wanted}` : `Install version ${wanted}`,
  );
}

const FROM_PATH = "on PATH";

/** The plugin in the folder that Pulumi.yaml names, or the named file itself. */
function named(folder: string, path: string): Found | undefined {
  const at = resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
  const program = programAt(join(at, PLUGIN)) ?? programAt(at);
  return program === undefined ? undefined : { program, from: "named in Pulumi.yaml" };
}

/** npm puts `node_modules/.bin` on PATH only for the commands that it runs itself, such as this one, not for Pulumi. */
function onPath(): Found | undefined {
  const isSearched = (folder: string): boolean => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder);
  const program = programAt(PLUGIN, { isSearched });
  return program === undefined ? undefined : { program, from: FROM_PATH };
}

const pluginFolder = (): string => join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");

/** The plugin that `pulumi plugin install` has installed: the one of the wanted version, or else any. */
async function inPluginFolder(wanted: string): Promise<Found | undefined> {
  const folder = pluginFolder();
  const names = await readdir(folder).catch(() => []);
  const versions = names.flatMap((name) => /^resource-cloudinfra-v(.+)$/.exec(name)?.[1] ?? []);
  const chosen = versions.includes(wanted) ? wanted : versions.sort().at(-1);
  const program = chosen && programAt(join(folder, `resource-cloudinfra-v${chosen}`, PLUGIN));
  return program ? { program, from: "in Pulumi's plugin folder" } : undefined;
}
