import { AuthenticationError, UnreachableAccountError } from "../account/errors";
import { failureIn } from "../account/reading";
import { type Declared, type NeededSecret, programOf, secretsOf } from "../import/declarations";
import { ofOwnAccount } from "../import/held";
import { isTokenRejected } from "../provider/client/errors";
import { type AdoptedResource, DynamicProvider } from "../provider/dynamic/provider";
import type { Kind } from "../provider/engine/definition";
import { connectionFor } from "../provider/pulumi/connection";
import { kindIn } from "../provider/pulumi/handle";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { urnParts } from "../provider/pulumi/urn";
import { kinds } from "../provider/resources";
import { stackOption, withAddress, writeAddress } from "../stack/address";
import { adoptionOf, type ConfigValue, type Deployment, isNative, nameIn, rawConfig } from "../stack/deployment";
import { conflictsIn, withAdopted } from "../stack/edit";
import { CommandError, UnknownOutcomeError, UsageError } from "../stack/errors";
import { withoutTaken } from "../stack/holders";
import { libraries, type ProviderType, pendingIn, resourceName, resourcesOf } from "../stack/migration";
import { dynamicProblem, projectFileIn } from "../stack/project";
import { Pulumi } from "../stack/pulumi";
import { type Replacement, replaceState } from "../stack/replace";
import { type StackState, stackStateOf } from "../stack/state";
import { type AdoptionRequest, type Problem, problemMessage, requestFor, requestsInFile } from "./adopt/list";
import { nextUpdate } from "./next-update";
import { written } from "./output";
import { printMessage } from "./say";
import { withinLimit } from "./time-limit";
import { uninterrupted } from "./uninterrupted";

export interface AdoptOptions {
  stack?: string;
  project: string;
  file?: string;
  backup?: string;
  dryRun: boolean;
  timeout: string;
}

type Found = Declared & { resource: AdoptedResource };

/** Number of objects that are read at the same time. */
const MAX_PARALLEL = 10;

/**
 * Runs `cloudinfra adopt`: adds existing objects to a stack's state, either all or none, and prints the program that
 * declares them.
 */
export function adopt(words: readonly string[], options: AdoptOptions): Promise<void> {
  return withinLimit(options.timeout, (limit) => adoptWithin(limit, words, options));
}

async function adoptWithin(limit: TimeLimit, words: readonly string[], options: AdoptOptions): Promise<void> {
  const { file, dryRun } = options;
  const requested = await requestedObjects(words, file);
  const pulumi = new Pulumi(options.project, options.stack, limit);
  const project = await projectFileIn(pulumi.folder);
  const problem = dynamicProblem(project);
  if (problem !== undefined)
    throw new CommandError(`nothing was adopted: ${problem}; with the native plugin, run ${NATIVE_IMPORT}`, 1);
  const state = await pulumi.export();
  const hasDynamic = resourcesOf("dynamic", state).length > 0;
  const provider = isNative(state) || (project?.isNative && !hasDynamic) ? "native" : "dynamic";
  if (provider === "native" && !dryRun) throw nativeError(isNative(state));
  const config = await pulumi.config();
  const { found, address } = await read(requested, { config, state, provider, file, limit });
  const used = keysIn(config, nameIn(state)?.project ?? (await pulumi.project()));
  const secrets = secretsOf(found, new Set(used));
  const program = programOf(found, libraries[provider], secrets);
  if (dryRun) await print(program);
  else {
    const name = nameIn(state) ?? (await pulumi.name());
    for (const warning of forgottenCreates(state, found)) printMessage(warning);
    await uninterrupted(async () => {
      printMessage(
        await printAndReplace(program, pulumi, {
          before: state,
          after: withAdopted(state, name, withAddress(config, address), found),
          stack: name.stack,
          backup: options.backup,
          command: "adopt",
          nothing: NOTHING,
          warn: printMessage,
        }),
      );
      const written = await writeAddress(pulumi, config, address);
      if (written) printMessage(written);
    });
  }
  report(found, provider === "native" ? "declared" : dryRun ? "would adopt" : "adopted");
  reportSecrets(secrets, stackOption(pulumi));
  for (const note of renamedKeys(found, used, secrets)) printMessage(note);
  if (!dryRun) printMessage('Add this program to your project and run "pulumi preview" before you remove "protect".');
}

const NATIVE_IMPORT = '"pulumi import cloudinfra:index:KIND NAME ID"';

/** The rejection of a native stack, or of a stack without resources in a project that names the native plugin. */
function nativeError(isInState: boolean): CommandError {
  const [reason, otherwise] = isInState
    ? ["this stack has resources of the native plugin", ' first run "cloudinfra migrate --to dynamic"']
    : ["this project uses the native plugin", ", if its program does not, remove the plugin from Pulumi.yaml"];
  return new CommandError(
    `nothing was adopted, because adopt adds dynamic resources, and ${reason}: ` +
      `run ${NATIVE_IMPORT}, and add --dry-run here to print the program; or${otherwise}`,
    1,
  );
}

/** Replaces the state only after the program was printed, because the program of adopted objects must not be lost. */
async function printAndReplace(program: string, pulumi: Pulumi, replacement: Replacement): Promise<string> {
  let isPrinted = false;
  const prepare = async (): Promise<void> => {
    await print(program);
    isPrinted = true;
  };
  try {
    return await replaceState(pulumi, { ...replacement, prepare });
  } catch (error) {
    if (isPrinted) (error as Error).message += `. ${error instanceof UnknownOutcomeError ? KEEP : DISCARD}`;
    throw error;
  }
}

const KEEP = "Keep the printed program, because the state needs it if it was changed";
const DISCARD = "Do not use the printed program: an update with it would create the objects again";

const NOTHING = "nothing was adopted";

const print = (program: string): Promise<void> =>
  written(program).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`the program cannot be written to the standard output (${code}), so ${NOTHING}`, 1);
  });

/** Warnings about creates of an interrupted update other than of the adopted objects: Pulumi forgets them on an import. */
const forgottenCreates = (state: Deployment, found: readonly Found[]): string[] =>
  pendingIn(state)
    .filter(({ type }) => type === "creating")
    .map(({ resource: { urn } }) => ({ resource: resourceName(urn), kind: kindIn(urnParts(urn).type) }))
    .filter(({ resource }) => !found.some(({ kind, name }) => resource === `${kind} "${name}"`))
    .map(
      ({ resource, kind }) =>
        `The last update was interrupted while creating ${resource}, and the state no longer shows that. Before the next update, ${kind ? adoptionOf(kind) : "look for its object"}.`,
    );

async function requestedObjects(words: readonly string[], file: string | undefined): Promise<AdoptionRequest[]> {
  if (file !== undefined && words.length)
    throw new UsageError("KIND, NAME and ID cannot be combined with --file, which lists the objects");
  if (file !== undefined) return requestsInFile(file);
  const [kind, name, id, ...more] = words;
  if (kind === undefined || name === undefined || id === undefined || more.length)
    throw new UsageError("adopt takes KIND NAME ID, such as Volume data 640144, or --file");
  return requestFor(kind, name, id);
}

function conflicts(state: Deployment, own: StackState, requested: readonly AdoptionRequest[]): Problem[] {
  const conflictOf = conflictsIn(state, own);
  return requested.flatMap((object) => {
    const message = conflictOf(object);
    return message === undefined ? [] : [{ line: object.line, message: `${description(object)}: ${message}` }];
  });
}

function rejectProblems(problems: readonly Problem[], file: string | undefined): void {
  if (problems.length) throw new CommandError(problemMessage(problems, file), 1);
}

/** The stack to which objects are added. */
interface Target {
  config: Readonly<Record<string, ConfigValue>>;
  state: Deployment;
  provider: ProviderType;
  file: string | undefined;
  limit: TimeLimit;
}

/**
 * Reads all objects, unless one of them conflicts with the stack. If an object cannot be read, the remaining objects are
 * still checked.
 */
async function read(
  requested: readonly AdoptionRequest[],
  { config, state, provider, file, limit }: Target,
): Promise<{ found: Found[]; address: string }> {
  const { host: unlimited, close } = connectionFor(rawConfig(config), { warn: printMessage, progress: printMessage });
  const host = limit.bound(unlimited);
  const problems: Problem[] = [];
  const failures: Error[] = [];
  const readOne = async (object: AdoptionRequest): Promise<Found[]> => {
    const addProblem = (reason: string) => {
      problems.push({ line: object.line, message: `${description(object)}: ${reason}` });
      return [];
    };
    try {
      const provider = new DynamicProvider(kinds[object.kind] as Kind, () => host);
      const resource = await provider.adopt(object.name, object.id);
      return resource ? [{ ...object, resource }] : addProblem("does not exist");
    } catch (cause) {
      if (isTokenRejected(cause)) throw new AuthenticationError(cause.operation, host.settingNames.token);
      const error = limit.explain(cause as Error);
      failures.push(error);
      return addProblem(error.message);
    }
  };
  try {
    const own = await ofOwnAccount(stackStateOf({ name: "the state", state }), host);
    if (provider === "dynamic") rejectProblems(conflicts(state, own, requested), file);
    const found: Found[] = [];
    for (let start = 0; start < requested.length; start += MAX_PARALLEL)
      found.push(...(await Promise.all(requested.slice(start, start + MAX_PARALLEL).map(readOne))).flat());
    const failure = failureIn(failures);
    if (failure && !found.length) throw new UnreachableAccountError(failure, "nothing was adopted");
    rejectProblems(problems, file);
    return { found: withoutTaken(found, own.holders), address: host.address };
  } finally {
    await close();
  }
}

function report(found: readonly Found[], done: "adopted" | "would adopt" | "declared"): void {
  for (const { resource, kind, name } of found) {
    const object = description({ kind, name, id: resource.id });
    printMessage(`${done} ${object}`);
    const change = nextUpdate(resource);
    if (change !== undefined) printMessage(`warning: ${object}: ${change}`);
  }
}

function reportSecrets(secrets: readonly NeededSecret[], stack: string): void {
  if (secrets.length)
    printMessage(
      "Set the secrets that the API does not return. They are not used as long as ignoreChanges lists their inputs:",
    );
  for (const { key } of secrets) printMessage(`  pulumi config set --secret ${key}${stack}`);
}

/** The keys of a project in the configuration of a stack, without the project's name. */
const keysIn = (config: Readonly<Record<string, ConfigValue>>, project: string): Set<string> =>
  new Set(Object.keys(config).flatMap((key) => (key.startsWith(`${project}:`) ? [key.slice(project.length + 1)] : [])));

/**
 * Notes about secrets that have another key than usual, because the configuration has the usual one. It may have been set
 * after `--dry-run` for the same object, but its value cannot show that, and the printed command would overwrite it.
 */
const renamedKeys = (found: readonly Found[], used: ReadonlySet<string>, secrets: readonly NeededSecret[]): string[] =>
  secretsOf(found).flatMap(({ key }, i) =>
    used.has(key)
      ? [
          `The configuration has ${key} already, so the program reads ${secrets[i]?.key}. If you have set ${key} for this object, use it in the program instead.`,
        ]
      : [],
  );

const description = ({ kind, name, id }: AdoptionRequest): string => `${kind} "${name}" (${id})`;
