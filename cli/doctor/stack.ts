import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { counted } from "../../api";
import { kindIn } from "../../provider/pulumi/handle";
import { ConfigurationError, type RawConfig, settingsFrom } from "../../provider/pulumi/settings";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { kinds } from "../../provider/resources";
import { type Deployment, type ResourceRow, rowsIn } from "../../stack/deployment";
import { CommandError, StateError } from "../../stack/errors";
import { libraries, resourceName, resourcesOf } from "../../stack/migration";
import { Pulumi } from "../../stack/pulumi";
import { type StackState, type StateResource, stackStateOf } from "../../stack/state";
import { type Check, firstLine, notChecked, ok, problem, timedCheck, withinTime } from "./check";
import type { Project } from "./project";
import { configurationFile, secretsChecks } from "./secrets";
import { pulumiCli } from "./tools";

/** The state and the configuration of the stack. Empty if there is none. */
export interface Stack {
  config: RawConfig;
  /** Whether the configuration has a token that could not be decrypted. */
  isTokenHidden: boolean;
  /** Whether the configuration may have an address and a token that were not read. */
  isUnread: boolean;
  resources: StateResource[];
  /** Whether the state has resources of the native plugin. */
  isNative: boolean;
}

const NO_STACK: Stack = { config: {}, isTokenHidden: false, isUnread: false, resources: [], isNative: false };
/** A project has stacks, and it is not known what they set. */
const UNREAD: Stack = { ...NO_STACK, isUnread: true };

interface Found {
  checks: Check[];
  stack: Stack;
}

interface Target {
  project: Project | undefined;
  /** The name of the stack. Undefined for the selected one. */
  name: string | undefined;
  limit: TimeLimit;
}

/** The backend, the stack and its configuration. */
export async function stackChecks({
  project,
  isProjectBroken,
  name,
  limit,
}: Target & { isProjectBroken: boolean }): Promise<Found> {
  if (!project && isProjectBroken) return { checks: [notChecked("stack", "the project was not read")], stack: UNREAD };
  if (!project) return { checks: [notChecked("stack", "there is no project")], stack: NO_STACK };
  if (!pulumiCli()) return { checks: [notChecked("stack", "the Pulumi CLI was not found")], stack: UNREAD };
  const pulumi = new Pulumi(project.folder, undefined, limit);
  const backend = await backendCheck(pulumi, project, limit);
  if (backend.result !== "ok") return { checks: [backend, notChecked("stack", NO_BACKEND)], stack: UNREAD };
  const { checks, stack } = await withinTime<Found>(
    {
      name: "stack",
      limit,
      fix: `Run the command in ${project.folder} to see what it waits for`,
      otherwise: (check) => ({ checks: [check], stack: UNREAD }),
    },
    () => ofStack(pulumi, { project, name, limit }),
  );
  return { checks: [backend, ...checks], stack };
}

const NO_BACKEND = "its backend is not available";

function backendCheck(pulumi: Pulumi, { folder, backend }: Project, limit: TimeLimit): Promise<Check> {
  const name = "backend";
  const configured = process.env.PULUMI_BACKEND_URL || backend;
  // Pulumi would create its files in the folder.
  const empty = configured === undefined ? undefined : emptyFolder(folder, configured);
  if (empty !== undefined)
    return Promise.resolve(
      problem(
        name,
        `${configured} has no stacks yet`,
        existsSync(empty)
          ? 'Run "pulumi stack init NAME"'
          : `Create the folder ${empty}, and run "pulumi stack init NAME"`,
      ),
    );
  const fix = "Check the network and the address of the backend, in PULUMI_BACKEND_URL or of the last login";
  return timedCheck({ name, limit, fix }, async () => {
    try {
      const { url, user } = await pulumi.backend();
      return ok(name, `${withoutPassword(url)}, as ${user}`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const isLoggedOut = /PULUMI_ACCESS_TOKEN|log ?in/i.test(error.message);
      if (isLoggedOut) return problem(name, "not logged in", 'Run "pulumi login", or set PULUMI_BACKEND_URL');
      return problem(name, reasonOf(error), 'Correct PULUMI_BACKEND_URL, or run "pulumi login" with another backend');
    }
  });
}

/** The folder of a backend in files that has no files of Pulumi. Undefined for other backends. */
function emptyFolder(folder: string, url: string): string | undefined {
  const [, path] = /^file:\/\/([^?]*)/.exec(url) ?? [];
  if (path === undefined) return undefined;
  const at = resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
  return existsSync(join(at, ".pulumi")) ? undefined : at;
}

/** The URL of a backend without a password and without its query, which can contain a key. */
const withoutPassword = (url: string): string => url.replace(/\/\/[^/@]*@/, "//").replace(/\?.*/s, "");

/** Pulumi's own message, without the command that this package has run. */
const reasonOf = ({ message }: Error): string =>
  firstLine(message.replace(/^pulumi [\w -]+ failed: /, "").replace(/^error: /, ""));

/** The name of the selected stack, or the reason why it is not known. */
async function selectedIn(pulumi: Pulumi): Promise<string | Check> {
  try {
    return await pulumi.selected();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (!/no stack selected/.test(error.message))
      return problem("stack", reasonOf(error), "Correct what Pulumi reports");
    const fix = 'Run "pulumi stack select NAME" or "pulumi stack init NAME", or set --stack';
    return problem("stack", "none is selected", fix);
  }
}

async function ofStack(pulumi: Pulumi, { project, name, limit }: Target & { project: Project }): Promise<Found> {
  const selected = name ?? (await selectedIn(pulumi));
  if (typeof selected !== "string") return { checks: [selected], stack: UNREAD };
  const own = new Pulumi(project.folder, selected, limit);
  let state: Deployment;
  try {
    state = await own.export();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const fix = /no stack named/.test(error.message)
      ? `Run "pulumi stack init ${selected}", or name another stack with --stack`
      : "Correct what Pulumi reports";
    return { checks: [problem("stack", reasonOf(error), fix)], stack: UNREAD };
  }
  const configuration = await configurationChecks({ pulumi: own, project, selected, state, limit });
  const { config, checks, isTokenHidden, isUnread } = configuration;
  let found: StackState;
  try {
    found = stackStateOf({ name: selected, state });
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const unusable = problem("stack", firstLine(error.message), "Correct the state, or update this package");
    return { checks: [unusable, ...checks], stack: { ...NO_STACK, config, isTokenHidden, isUnread } };
  }
  const { resources, foreign } = found;
  const types = rowsIn(state).flatMap(({ type }) => (kindIn(type) === undefined ? [] : [type]));
  const isNative = types.some((type) => type.startsWith("cloudinfra:"));
  const isDynamic = types.some((type) => !type.startsWith("cloudinfra:"));
  const others = foreign ? `, ${foreign} of other packages` : "";
  return {
    checks: [
      ok("stack", `${selected}, ${counted(resources.length, "resource")} of this package${others}`),
      ...runtimeCheck(project, resourcesOf("dynamic", state)),
      ...programCheck(project, { isNative, isDynamic }),
      ...checks,
    ],
    stack: { config, isTokenHidden, isUnread, resources, isNative },
  };
}

/** Whether the program can have the dynamic resources in the state, whose provider runs in its process. */
const runtimeCheck = ({ runtime }: Project, [dynamic]: readonly ResourceRow[]): Check[] =>
  dynamic === undefined || runtime === "nodejs"
    ? []
    : [
        problem(
          "runtime",
          `the state has dynamic resources, such as ${resourceName(dynamic.urn)}, but the runtime in Pulumi.yaml is ${runtime}, and dynamic resources require nodejs`,
          'Run "npx cloudinfra migrate --to native"',
        ),
      ];

/** Whether the program imports the library of the resources in the state, if it imports one of the two. */
function programCheck(
  { program }: Project,
  { isNative, isDynamic }: { isNative: boolean; isDynamic: boolean },
): Check[] {
  if (isNative === isDynamic || program.usesNative === program.usesDynamic || isNative === program.usesNative)
    return [];
  const [used, other] = isNative ? [libraries.native, libraries.dynamic] : [libraries.dynamic, libraries.native];
  return [
    problem(
      "program",
      `it imports "${other}", but the state has resources of "${used}", so an update would create all objects again and delete these`,
      `Import "${used}", or run "npx cloudinfra migrate --to ${isNative ? "dynamic" : "native"}"`,
    ),
  ];
}

type Configuration = Pick<Stack, "config" | "isTokenHidden" | "isUnread"> & { checks: Check[] };

type Open = Awaited<ReturnType<Pulumi["openConfig"]>>;

interface Opened {
  pulumi: Pulumi;
  project: Project;
  /** Name of the stack. */
  selected: string;
  state: Deployment;
  limit: TimeLimit;
}

async function configurationChecks({ pulumi, project, selected, state, limit }: Opened): Promise<Configuration> {
  const file = configurationFile(project, selected);
  const secrets = (isDecrypted: boolean, failure?: string): Promise<Check[]> =>
    secretsChecks({ project, file, state, isDecrypted, failure, limit });
  let open: Open;
  try {
    open = await pulumi.openConfig();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const unread = problem("configuration", reasonOf(error), `Correct ${file}`);
    return { config: {}, isTokenHidden: false, isUnread: true, checks: [...(await secrets(false)), unread] };
  }
  const hasSecrets = Object.values(open).some(({ secret }) => secret);
  let failure: string | undefined;
  const complete = hasSecrets
    ? await pulumi.config().catch((error: Error) => {
        if (!(error instanceof CommandError)) throw error;
        failure = reasonOf(error);
        return undefined;
      })
    : open;
  const config: RawConfig = Object.fromEntries(
    Object.entries(complete ?? open).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
  );
  const isHidden = (key: string): boolean => open[key]?.secret === true && !complete;
  return {
    config,
    isTokenHidden: isHidden("cloudinfra:token"),
    isUnread: isHidden("cloudinfra:url") || isHidden("cloudinfra:dialect"),
    checks: [
      ...(await secrets(hasSecrets, failure)),
      settingsCheck(config),
      ...plainTokenCheck(open["cloudinfra:token"]),
    ],
  };
}

/** Whether the token is in plain text in the stack's configuration, which is usually committed. */
const plainTokenCheck = (token: { secret?: boolean } | undefined): Check[] =>
  token === undefined || token.secret
    ? []
    : [
        problem(
          "token in the configuration",
          "cloudinfra:token is in plain text",
          'Run "pulumi config set --secret cloudinfra:token", which asks for it',
        ),
      ];

/** The settings of this package: unknown keys and values that are not allowed. */
function settingsCheck(config: RawConfig): Check {
  const name = "configuration";
  const own = Object.keys(config).filter((key) => key.startsWith("cloudinfra:"));
  try {
    settingsFrom(config, Object.keys(kinds));
    return ok(name, own.length ? own.sort().join(", ") : "no settings of this package");
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const keys = [...new Set(error.problems.map(({ path }) => `cloudinfra:${String(path[0])}`))];
    return problem(
      name,
      error.message,
      `Correct it with "pulumi config set", or remove it with "pulumi config rm ${keys[0]}"`,
    );
  }
}
