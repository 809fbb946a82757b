import { resolve } from "node:path";
import { containersIn } from "../account/containers";
import { AuthenticationError, UnreachableAccountError } from "../account/errors";
import { type FoundObject, withInventory } from "../account/inventory";
import { accountObjects } from "../account/objects";
import type { Unread } from "../account/reading";
import { type Account, accountAt, readEach } from "../account/reading";
import type { DialectName } from "../api";
import { defaultsFor, variablesFor } from "../provider/client/environment";
import { type AdoptedResource, DynamicProvider } from "../provider/dynamic/provider";
import { type TimeLimit, TimeLimitError } from "../provider/pulumi/time-limit";
import { kinds } from "../provider/resources";
import type { Adoption, Named } from "../stack/edit";
import { objectKeys, withoutTaken } from "../stack/holders";
import type { ProviderType } from "../stack/migration";
import type { ExportedState } from "../stack/state";
import { type NeededSecret, secretsOf } from "./declarations";
import { checkFilters, filterOf } from "./filter";
import { declarationsIn, holdingOf, namesIn, ofOwnAccount, ofSameAccount, readableState } from "./held";
import { installedFrom } from "./installation";
import { type Item, withNames } from "./names";
import { declare, type NewItem } from "./program";
import { mainIn, projectFiles } from "./project";
import { type LinkedItem, withReferences } from "./references";
import { checkObjects, singleObjects } from "./single";
import { Sources } from "./source";

export { AuthenticationError, UnreachableAccountError } from "../account/errors";
export type { Unread } from "../account/reading";
export { StateError } from "../stack/errors";
export type { ProviderType } from "../stack/migration";
export type { ExportedState } from "../stack/state";
export { excluded as leftOut } from "./areas";
export type { NeededSecret } from "./declarations";
export { checkFilters, FilterError } from "./filter";
export { packageSpec } from "./installation";
export { isImported, projectIn } from "./project";
export { ProjectError } from "./project-error";
export { checkObjects, ObjectError } from "./single";

export interface ImportOptions {
  /** Name of the project. */
  project: string;
  /**
   * Whether Pulumi manages the objects as dynamic resources (`dynamic`, the default) or with the native plugin
   * (`native`).
   */
  provider?: ProviderType | undefined;
  /** Folder of the project. Paths in its package.json are relative to it. Defaults to the current folder. */
  folder?: string | undefined;
  /**
   * Where a new project installs this package from, for its package.json: a version, a URL or a path such as
   * `file:../pulumi-cloudinfra.tgz`. Defaults to the place from which this copy was installed.
   */
  package?: string | undefined;
  /** Exported state of the stack that adopts the objects. Objects in the state are omitted. */
  state?: ExportedState | undefined;
  /** Exported states of other stacks. Objects in these states are omitted. */
  others?: readonly ExportedState[] | undefined;
  /**
   * Files that the project has, by name: those of an earlier import, to which declarations of new objects are added, or
   * a package.json, to which packages are added.
   */
  files?: ReadonlyMap<string, string> | undefined;
  /** Filters that select objects, such as `kind=Domain` or `tag=prod`. Defaults to all objects. */
  filters?: readonly string[] | undefined;
  /** Single objects such as `instance/123`. If set, only these are imported. */
  objects?: readonly string[] | undefined;
  /** URL of the API, and a token; read-only scopes are enough. Defaults to the environment variables. */
  url?: string | undefined;
  token?: string | undefined;
  /** The public service at the URL, if its names differ from those of this package. */
  dialect?: DialectName | undefined;
  /** An open connection to the API, used instead of `url` and `token`. The caller must close it. */
  account?: Pick<Account, "host"> | undefined;
  /** The stack of a new project, and the backend that stores its state, for the README. */
  stack?: { name: string; backend: string } | undefined;
  /** Whether declarations have `protect: true`, so that the objects stay protected. Defaults to false. */
  protect?: boolean | undefined;
  /** The time limit for reading the account. If it is reached, nothing is imported. Defaults to no limit. */
  limit?: TimeLimit | undefined;
  /** Called for each object that was read. */
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** A resource to be added to the stack. */
export interface ImportedResource extends Adoption {
  resource: AdoptedResource;
}

/** A resource that is added to the stack, and the file that declares it. */
export interface MatchedResource extends Named {
  id: string;
  file: string;
}

export interface ImportResult {
  /** The files to write: new ones, and those that have new declarations. */
  files: Map<string, string>;
  /** The packages that were added to package.json, each with its source. */
  packages: string[];
  /**
   * Files with objects of this import that the program does not load, because its main file is not the `index.ts` to which
   * imports add them. The main file has to import them. All such files if `files` does not have the main file.
   */
  unloaded: string[];
  /** The file with which the program starts, if `unloaded` has files, and if Pulumi.yaml or package.json names it. */
  main: string | undefined;
  /** The resources to add to the stack. A resource comes before the resources that refer to it. */
  resources: ImportedResource[];
  /** The secrets that the program reads from the stack's configuration. */
  secrets: NeededSecret[];
  /** Objects that could not be read. */
  unread: Unread[];
  /**
   * The resources that a file of the project declares already, so that no declaration was added. Their objects were chosen
   * by name, and can be others than those that the program means.
   */
  matched: MatchedResource[];
  /** Number of objects that this stack or another stack already manages. */
  held: number;
}

/** Reads an account and writes a program that declares the account's objects. Sends only GET requests. */
export async function importAccount(options: ImportOptions): Promise<ImportResult> {
  checkFilters(options.filters ?? []);
  checkObjects(options.objects ?? []);
  if (options.account) return importedFrom(options, options.account.host);
  const defaults = defaultsFor(options.dialect);
  const [url, token] = [options.url ?? defaults.url, options.token ?? defaults.token];
  if (!url) throw new Error("no API address: set CLOUDINFRA_URL");
  if (!token) throw new Error("no token: set CLOUDINFRA_TOKEN; read-only access is enough");
  const { host, close } = accountAt(url, token, "import", {
    dialect: defaults.dialect,
    settingNames: variablesFor(options, defaults),
  });
  return importedFrom(options, host).finally(close);
}

/** Names the setting with the token in the error about a rejected one. */
const importedFrom = (options: ImportOptions, host: Account["host"]): Promise<ImportResult> =>
  imported(options, host).catch((error) => {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new AuthenticationError(error.operation, host.settingNames.token);
  });

async function imported(options: ImportOptions, unlimited: Account["host"]): Promise<ImportResult> {
  const { files = new Map<string, string>(), provider = "dynamic", filters = [], objects = [], limit } = options;
  const host = limit ? limit.bound(unlimited) : unlimited;
  const sources = await Sources.of(files);
  const stack = options.state && (await ofOwnAccount(readableState(options.state), host));
  const found = objects.length ? await singleObjects(host, objects, limit) : await accountObjects(host, limit);
  rejectIncomplete(found.failure, found.objects.length);
  const containerOf = containersIn([...found.objects, ...(found.context ?? [])]);
  const selected = withoutRepeated(found.objects).filter(filterOf(filters, containerOf));
  const others = await ofSameAccount((options.others ?? []).map(readableState), host);
  const stacks = [...(stack ? [stack] : []), ...others];
  const isHeld = holdingOf(stacks);
  const used = { names: namesIn(stack), variables: sources.names };
  const unmanaged = selected.filter((object) => !isHeld(object));
  const { done, unread, failure } = await adopted(
    withNames(unmanaged, used, containerOf),
    objects.length ? host : withInventory(host, found),
    options,
  );
  rejectIncomplete(failure, done.length);
  const own = withoutTaken(
    done,
    stacks.flatMap(({ holders }) => holders),
  );
  const { declared } = sources;
  const items = withReferences(own, declarationsIn(stack, declared), declared);
  const added = items.filter(isNew);
  const secrets = secretsOf(added, sources.secretKeys);
  const { protect = false } = options;
  const program = declare(sources, withSecretsOf(added, secrets), { provider, protect });
  const { project: name, folder = ".", package: chosen, stack: newStack } = options;
  const source = { spec: chosen ?? installedFrom(resolve(folder)), isChosen: chosen !== undefined };
  const matched = items.filter(({ isDeclared }) => isDeclared);
  const declaring = matched.map(({ file }) => file);
  const written = items.length
    ? projectFiles({
        ...{ name, provider, protect, source, before: files, program, declaring, sources, secrets },
        main: await mainIn(files),
        stack: newStack,
      })
    : { files: new Map<string, string>(), packages: [], unloaded: [], main: undefined };
  return {
    ...written,
    resources: items.map(({ kind, name, resource, references }) => ({ kind, name, resource, references })),
    secrets,
    unread: [...found.unread, ...unread],
    matched: matched.map(({ kind, name, id, file }) => ({ kind, name, id, file })),
    held: selected.length - unmanaged.length,
  };
}

/** Each object once: a list can repeat an entry on its next page, and arguments can name one object by label and id. */
function withoutRepeated(objects: readonly FoundObject[]): FoundObject[] {
  const seen = new Set<string>();
  return objects.filter(({ kind, path }) => {
    const keys = objectKeys(kind, path);
    const isRepeated = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return !isRepeated;
  });
}

/** Throws if the time limit was reached, or if the service failed and nothing was read. */
function rejectIncomplete(failure: Error | undefined, count: number): void {
  if (failure instanceof TimeLimitError || (failure && !count))
    throw new UnreachableAccountError(failure, "nothing was imported");
}

/** Whether no file declares the object yet. Its declaration then has the variable that the import has chosen. */
const isNew = (item: LinkedItem): item is NewItem => !item.isDeclared;

const withSecretsOf = (items: readonly NewItem[], secrets: readonly NeededSecret[]) =>
  items.map((item) => ({
    ...item,
    secrets: secrets.filter(({ kind, name }) => kind === item.kind && name === item.name),
  }));

export interface Adopted extends Item {
  resource: AdoptedResource;
}

/**
 * Reads the objects and converts them to the state of their resources. If an object cannot be read, the remaining
 * objects are still imported.
 */
async function adopted(
  items: readonly Item[],
  host: Account["host"],
  { onProgress, limit }: ImportOptions,
): Promise<{ done: Adopted[]; unread: Unread[]; failure: Error | undefined }> {
  let count = 0;
  const resources = items.map((item) => ({ address: `${item.kind}/${item.id}`, kind: kinds[item.kind], item }));
  const adopt = async ({ kind, item }: (typeof resources)[number]): Promise<AdoptedResource> => {
    const resource = await new DynamicProvider(kind, () => host).adopt(item.name, item.id).finally(() => {
      onProgress?.(++count, items.length);
    });
    if (!resource) throw new Error("does not exist any more");
    return resource;
  };
  const { done, unread, failure } = await readEach(resources, adopt, limit);
  const read = new Map(done.map(({ resource, result }) => [resource.item, result]));
  return {
    done: items.flatMap((item) => {
      const resource = read.get(item);
      return resource ? [{ ...item, resource }] : [];
    }),
    unread,
    failure,
  };
}
