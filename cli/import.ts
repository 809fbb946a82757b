import { join } from "node:path";
import {
  checkFilters,
  checkObjects,
  FilterError,
  type ImportResult,
  importAccount,
  ObjectError,
  type ProviderType,
  packageSpec,
} from "../import";
import { connectionFor } from "../provider/pulumi/connection";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { stackOption, withAddress, writeAddress } from "../stack/address";
import { type ConfigValue, type Deployment, isNative, nameIn, rawConfig } from "../stack/deployment";
import { withAdopted } from "../stack/edit";
import { CommandError, UnknownOutcomeError, UsageError } from "../stack/errors";
import { interruptions, migrated, resourceName, resourcesOf } from "../stack/migration";
import { configKeysIn } from "../stack/project";
import { Pulumi, withoutPasswords } from "../stack/pulumi";
import { replaceState } from "../stack/replace";
import { readText } from "../stack/text-file";
import { existingFolder, ProjectFolder } from "./import/project";
import { progressBar, reportOf } from "./import/report";
import { printMessage } from "./say";
import { withinLimit } from "./time-limit";
import { uninterrupted } from "./uninterrupted";

export interface ImportCommand {
  filter: string[];
  state: string[];
  out: string;
  provider?: string;
  /** The earlier name of `provider`. */
  head?: string;
  into?: string;
  package?: string;
  secretsProvider?: string;
  protect: boolean;
  dryRun: boolean;
  backup?: string;
  timeout: string;
}

const providers: readonly string[] = ["dynamic", "native"] satisfies ProviderType[];

/** Runs `cloudinfra import`: writes a program for an account, and adds the account's objects to a stack. */
export function importInto(objects: readonly string[], options: ImportCommand): Promise<void> {
  return withinLimit(options.timeout, (limit) => importWithin(limit, objects, options));
}

async function importWithin(limit: TimeLimit, objects: readonly string[], options: ImportCommand): Promise<void> {
  checkUsage(objects, options);
  const folder = await ProjectFolder.at(options.out);
  const chosen = providerOf(options, folder);
  const source = sourceOf(options, folder);
  const stack = await stackOf(options, folder, limit);
  const isChosen = options.provider !== undefined || options.head !== undefined;
  // Pulumi also finds a native plugin that the project's files do not name, so the stack decides.
  const provider = !isChosen && isNative(stack.state) ? "native" : chosen;
  rejectState(stack.state, provider);
  const target = { folder, provider, source, stack, limit };
  const { result, address } = await read(objects, options, target);
  folder.requireUtf8(result.files.keys());
  if (!options.dryRun && result.resources.length) await save(result, options, { ...target, address });
  const reportOptions = {
    isDryRun: options.dryRun,
    stack: options.into ?? "the selected stack",
    // Pulumi selects the stack that it creates for a new project.
    stackOption: folder.isNew ? "" : stackOption({ stack: options.into }),
    hasOthers: options.state.length > 0,
  };
  const isFirst = folder.isNew && !objects.length && !options.filter.length;
  const newFolder = folder.isNew ? options.out : undefined;
  process.stdout.write(reportOf(result, { ...reportOptions, isFirst, newFolder }));
  if (result.unread.length) process.exitCode = 3;
}

/**
 * Throws if the state cannot be extended: Pulumi forgets the operations of an interrupted update when a state is imported,
 * and a program that uses one kind of provider must not get resources of the other.
 */
function rejectState(state: Deployment, provider: ProviderType): void {
  const other = provider === "native" ? "dynamic" : "native";
  const [otherOne] = resourcesOf(other, state);
  const what = { dynamic: "dynamic resources", native: "resources of the native plugin" }[other];
  const mixed = otherOne
    ? [`the stack has ${what}, such as ${resourceName(otherOne.urn)}: run "cloudinfra migrate --to ${provider}" first`]
    : [];
  const problems = [...interruptions(state), ...mixed];
  if (problems.length) throw new CommandError(`${problems.join("\n")}\nnothing was imported`, 1);
}

function checkUsage(objects: readonly string[], { filter }: ImportCommand): void {
  try {
    checkFilters(filter);
    checkObjects(objects);
  } catch (error) {
    throw error instanceof FilterError || error instanceof ObjectError ? new UsageError(error.message) : error;
  }
}

interface Stack {
  pulumi: Pulumi | undefined;
  /** Address of the backend in which the stack is created. Undefined for an existing stack. */
  backend: string | undefined;
  state: Deployment;
  config: Readonly<Record<string, ConfigValue>>;
}

interface Target {
  folder: ProjectFolder;
  provider: ProviderType;
  /** Where a new project installs this package from, as set with --package. */
  source: string | undefined;
  stack: Stack;
  limit: TimeLimit;
}

function providerOf({ head, provider = head }: ImportCommand, { provider: existing }: ProjectFolder): ProviderType {
  if (head !== undefined) printMessage("--head is now --provider; version 0.2 will no longer accept --head");
  if (provider !== undefined && !providers.includes(provider))
    throw new UsageError(
      `--provider ${provider}: must be dynamic (Pulumi dynamic resources) or native (resources of the native plugin)`,
    );
  if (provider !== undefined && existing !== undefined && provider !== existing)
    throw new UsageError(
      `--provider ${provider}: the project in --out uses ${existing} resources; omit --provider, or name another folder with --out`,
    );
  return existing ?? (provider as ProviderType | undefined) ?? "dynamic";
}

function sourceOf({ package: source }: ImportCommand, { path, isNew }: ProjectFolder): string | undefined {
  if (source === undefined) return undefined;
  if (!isNew)
    throw new UsageError(
      "--package applies only to a new project; the package.json in --out names the package already",
    );
  const spec = packageSpec(source, ".", path);
  if (spec === undefined) throw new UsageError(`--package ${source}: the file or folder does not exist`);
  return spec;
}

/** The stack of an existing project. The stack of a new project is created only after the account has been read. */
async function stackOf(
  { into, secretsProvider }: ImportCommand,
  { path, isNew }: ProjectFolder,
  limit: TimeLimit,
): Promise<Stack> {
  if (!isNew) {
    if (secretsProvider !== undefined)
      throw new UsageError(
        '--secrets-provider applies only to a new stack; for an existing one, run "pulumi stack change-secrets-provider"',
      );
    const pulumi = new Pulumi(path, into, limit);
    const state = await pulumi.export().catch(withStackName(into));
    return { pulumi, backend: undefined, state, config: await pulumi.config() };
  }
  if (into === undefined) throw new UsageError("--into is required for a new project: it names the stack to create");
  await rejectSettings(path, into);
  // The backend of the folder in which the project is created is that of the new stack.
  const { url } = await new Pulumi(existingFolder(path), undefined, limit).backend();
  return { pulumi: undefined, backend: withoutPasswords(url), state: { version: 3, deployment: {} }, config: {} };
}

/**
 * Throws if the folder of a new project has settings of this package for the stack to create: the account is read with
 * those of the environment, and the address of the environment would replace the one in the file.
 */
async function rejectSettings(folder: string, into: string): Promise<void> {
  const file = join(folder, `Pulumi.${into.slice(into.lastIndexOf("/") + 1)}.yaml`);
  const keys = (await configKeysIn(file)).filter((key) => key.startsWith("cloudinfra:"));
  if (keys.length)
    throw new UsageError(
      `--into ${into}: ${file} sets ${keys.join(", ")}, but a new project is imported with the address and the token of the environment: ` +
        "set those, remove these keys from the file, and add the ones that you need after the import; or name another stack",
    );
}

const withStackName = (stack: string | undefined) => (error: Error) => {
  if (!/no stack named|no current stack|no stack selected/.test(error.message)) throw error;
  const hint = stack === undefined ? "name one with --into" : `create it with "pulumi stack init ${stack}"`;
  throw new CommandError(`${error.message}: ${hint}`, 1);
};

async function read(
  objects: readonly string[],
  { filter, out, state, into, protect }: ImportCommand,
  { folder, provider, source, stack, limit }: Target,
): Promise<{ result: ImportResult; address: string }> {
  const { host, close } = connectionFor(rawConfig(stack.config), { warn: printMessage, progress: () => {} });
  try {
    const result = await importAccount({
      project: folder.name,
      folder: folder.path,
      package: source,
      provider,
      protect,
      state: { name: out, state: stack.state },
      others: await Promise.all(state.map(async (file) => ({ name: file, state: await readText(file) }))),
      files: folder.files,
      filters: filter,
      objects,
      account: { host },
      stack: stack.backend !== undefined && into !== undefined ? { name: into, backend: stack.backend } : undefined,
      limit,
      onProgress: progressBar(process.stderr, process.env),
    });
    return { result, address: host.address };
  } finally {
    await close();
  }
}

/** The state of a new project's stack, which is created unless it exists. Throws if it contains resources. */
async function newState(pulumi: Pulumi, secretsProvider: string | undefined): Promise<Deployment> {
  const { stack } = pulumi;
  await pulumi.create(secretsProvider);
  const state = await pulumi.export().catch(({ message }: Error) => {
    throw new CommandError(
      `${message}\nThe stack ${stack} was created unless it existed before; to use it, run the command again with --into ${stack}`,
      1,
    );
  });
  if (state.deployment.resources?.length)
    throw new CommandError(`--into ${stack}: the stack contains resources of another program; name a new stack`, 1);
  return state;
}

/** The advice about the files of a new project, which undoes what the import has written. */
function undoingFiles({ wasEmpty, files: before }: ProjectFolder, written: ReadonlyMap<string, string>): string {
  if (wasEmpty) return "delete that folder";
  const added = [...written.keys()].filter((file) => !before.has(file));
  const changed = [...written.keys()].filter((file) => before.has(file));
  const restoring = changed.length ? `, and restore those that it changed: ${changed.join(", ")}` : "";
  return `delete the files that were written there: ${added.join(", ")}${restoring}`;
}

/**
 * Writes the files and the state. If the state cannot be written, the previous contents of the files are restored, and
 * the error names a stack that was created. If it is not known whether it was written, the files stay.
 */
async function save(
  { files, resources }: ImportResult,
  { into, backup, secretsProvider }: ImportCommand,
  { folder, provider, stack, limit, address }: Target & { address: string },
): Promise<void> {
  let created: string | undefined;
  const writeState = async (): Promise<void> => {
    const pulumi = stack.pulumi ?? new Pulumi(folder.path, into, limit);
    const before = stack.pulumi ? stack.state : await newState(pulumi, secretsProvider);
    if (!stack.pulumi) {
      created = into;
      printMessage(`created the stack ${into} in ${stack.backend}`);
    }
    const name = nameIn(before) ?? (await pulumi.name());
    const extended = withAdopted(before, name, withAddress(stack.config, address), resources);
    const after = provider === "native" ? migrated(extended, provider) : extended;
    const replacement = {
      before,
      after,
      stack: name.stack,
      backup,
      command: "import",
      nothing: "nothing was imported",
      warn: printMessage,
    };
    const saved = await replaceState(pulumi, replacement);
    printMessage(
      stack.pulumi
        ? saved
        : `To undo the import, run "pulumi stack rm --force ${into}" in ${folder.path}, and ${undoingFiles(folder, files)}; the account is not changed.`,
    );
    const written = await writeAddress(pulumi, stack.config, address);
    if (written) printMessage(written);
  };
  try {
    await uninterrupted(() => folder.write(files, writeState));
  } catch (error) {
    if (created === undefined || error instanceof UnknownOutcomeError) throw error;
    throw new CommandError(
      `${(error as Error).message}\nThe new stack ${created} exists and is empty; to use it, run the command again with --into ${created}`,
      1,
    );
  }
}
