import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { counted, isObject } from "../../api";
import { kindIn } from "../../provider/pulumi/handle";
import { ConfigurationError, type RawConfig, settingsFrom } from "../../provider/pulumi/settings";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { kinds } from "../../provider/resources";
import type { Deployment } from "../../stack/deployment";
import { CommandError } from "../../stack/errors";
import { libraries } from "../../stack/migration";
import { Pulumi } from "../../stack/pulumi";
import { type StateResource, stackStateOf } from "../../stack/state";
import { type Check, firstLine, notChecked, ok, problem, timedCheck, withinTime } from "./check";
import type { Project } from "./project";
import { pulumiCli } from "./tools";

/** The state and the configuration of the stack. Empty if there is none. */
export interface Stack {
  config: RawConfig;
  /** Whether the configuration has a token that could not be decrypted. */
  isTokenHidden: boolean;
  /** Whether the stack was named and could not be read. */
  isUnread?: boolean;
  resources: StateResource[];
  /** Whether the state has resources of the native plugin. */
  isNative: boolean;
}

const NO_STACK: Stack = { config: {}, isTokenHidden: false, resources: [], isNative: false };

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
export async function stackChecks({ project, name, limit }: Target): Promise<Found> {
  if (!project) return { checks: [notChecked("stack", "there is no project")], stack: NO_STACK };
  if (!pulumiCli()) return { checks: [notChecked("stack", "the Pulumi CLI was not found")], stack: NO_STACK };
  const pulumi = new Pulumi(project.folder, undefined, limit);
  const backend = await backendCheck(pulumi, project, limit);
  if (backend.result !== "ok") return { checks: [backend, notChecked("stack", NO_BACKEND)], stack: NO_STACK };
  const { checks, stack } = await withinTime<Found>(
    {
      name: "stack",
      limit,
      fix: `Run the command in ${project.folder} to see what it waits for`,
      otherwise: (check) => ({ checks: [check], stack: NO_STACK }),
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

async function ofStack(pulumi: Pulumi, { project, name, limit }: Target & { project: Project }): Promise<Found> {
  const selected = name ?? (await pulumi.selected().catch(expected));
  if (selected === undefined)
    return {
      checks: [
        problem(
          "stack",
          "none is selected",
          'Run "pulumi stack select NAME" or "pulumi stack init NAME", or set --stack',
        ),
      ],
      stack: NO_STACK,
    };
  const own = new Pulumi(project.folder, selected, limit);
  let state: Deployment;
  try {
    state = await own.export();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const fix = /no stack named/.test(error.message)
      ? `Run "pulumi stack init ${selected}", or name another stack with --stack`
      : "Correct what Pulumi reports";
    return { checks: [problem("stack", reasonOf(error), fix)], stack: { ...NO_STACK, isUnread: true } };
  }
  const { resources, foreign } = stackStateOf({ name: selected, state });
  const types = (state.deployment.resources ?? []).flatMap(({ type }) => (kindIn(type) === undefined ? [] : [type]));
  const isNative = types.some((type) => type.startsWith("cloudinfra:"));
  const isDynamic = types.some((type) => !type.startsWith("cloudinfra:"));
  const { config, checks, isTokenHidden } = await configurationChecks(own, state);
  const others = foreign ? `, ${foreign} of other packages` : "";
  return {
    checks: [
      ok("stack", `${selected}, ${counted(resources.length, "resource")} of this package${others}`),
      ...programCheck(project, { isNative, isDynamic }),
      ...checks,
    ],
    stack: { config, isTokenHidden, resources, isNative },
  };
}

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

const expected = (error: Error): undefined => {
  if (!(error instanceof CommandError)) throw error;
  return undefined;
};

async function configurationChecks(
  pulumi: Pulumi,
  state: Deployment,
): Promise<Pick<Stack, "config" | "isTokenHidden"> & { checks: Check[] }> {
  const open = await pulumi.openConfig();
  const hasSecrets = Object.values(open).some(({ secret }) => secret);
  let failure: Error | undefined;
  const complete = hasSecrets
    ? await pulumi.config().catch((error) => {
        failure = error;
        return expected(error);
      })
    : open;
  const config: RawConfig = Object.fromEntries(
    Object.entries(complete ?? open).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
  );
  return {
    config,
    isTokenHidden: open["cloudinfra:token"]?.secret === true && !complete,
    checks: [...passphraseCheck(state, failure), settingsCheck(config), ...plainTokenCheck(open["cloudinfra:token"])],
  };
}

/** Whether the secrets of the stack can be decrypted. Its own key, in a cloud's key service, needs no passphrase. */
function passphraseCheck({ deployment }: Deployment, failure: Error | undefined): Check[] {
  const name = "secrets";
  const { secrets_providers: provider } = deployment;
  const type = isObject(provider) ? String(provider.type) : undefined;
  const set = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"].find(
    (one) => process.env[one] !== undefined,
  );
  if (type === "passphrase" && set === undefined)
    return [
      problem(
        name,
        "encrypted with a passphrase, and PULUMI_CONFIG_PASSPHRASE is not set",
        "Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE to the name of a file",
      ),
    ];
  if (failure)
    return [problem(name, reasonOf(failure), set ? `Correct ${set}` : "Give this user access to the key of the stack")];
  if (type === undefined) return [];
  return [ok(name, type === "passphrase" ? `passphrase in ${set}` : type)];
}

/** Whether the token is in plain text in the stack's configuration, which is usually committed. */
const plainTokenCheck = (token: { secret?: boolean } | undefined): Check[] =>
  token === undefined || token.secret
    ? []
    : [
        problem(
          "token in the configuration",
          "cloudinfra:token is in plain text",
          'Run "pulumi config set --secret cloudinfra:token TOKEN"',
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
