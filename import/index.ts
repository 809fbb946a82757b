import { type Account, accountAt, readEach } from "../drift/account";
import type { Unread } from "../drift/model";
import { type ExportedState, stackStateOf } from "../drift/state";
import { withInventory } from "../drift/unmanaged";
import { type Adoption, type NeededSecret, secretsOf } from "../provider/heads/adoption";
import { type AdoptedResource, DynamicProvider } from "../provider/heads/dynamic";
import type { Head } from "../provider/heads/migration";
import { kinds } from "../provider/resources";
import { checkFilters, filterOf } from "./filter";
import { declarationsIn, holdingOf, namesIn } from "./held";
import { accountObjects } from "./inventory";
import { type Item, named } from "./names";
import { withItems } from "./program";
import { projectFiles } from "./project";
import { connected, type LinkedItem } from "./references";
import { checkObjects, singleObjects } from "./single";
import { declaredIn, keysIn, variablesIn } from "./source";
import { wholesIn } from "./wholes";

export { AuthenticationError, StateError } from "../drift/errors";
export type { Unread } from "../drift/model";
export type { ExportedState } from "../drift/state";
export type { NeededSecret } from "../provider/heads/adoption";
export type { Head } from "../provider/heads/migration";
export { checkFilters, FilterError } from "./filter";
export { headIn, isImported, PROJECT_FILE } from "./project";
export { checkObjects, ObjectError } from "./single";

export interface ImportOptions {
  /** The name of the project. */
  project: string;
  /** How Pulumi manages the resources. Defaults to `dynamic`. */
  head?: Head | undefined;
  /** The exported state of the stack that adopts the objects: what it holds is left out. */
  state?: ExportedState | undefined;
  /** The exported states of other stacks, whose objects are left out as well. */
  others?: readonly ExportedState[] | undefined;
  /** The files of an earlier run by name, to which new objects are added. */
  files?: ReadonlyMap<string, string> | undefined;
  /** Which objects, e.g. `kind=Domain` or `tag=prod`. Defaults to all. */
  filters?: readonly string[] | undefined;
  /** Single objects such as `instance/123`, instead of the whole account. */
  objects?: readonly string[] | undefined;
  /** The API's address and a token, for which read-only access is enough; by default from the environment. */
  url?: string | undefined;
  token?: string | undefined;
  /** An account to read instead; the caller closes it. */
  account?: Pick<Account, "host"> | undefined;
  /** Called for each object that was read. */
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** A resource to add to the stack. */
export interface ImportedResource extends Adoption {
  resource: AdoptedResource;
}

export interface ImportResult {
  /** The files to write: those that are new or that have new declarations. */
  files: Map<string, string>;
  /** The resources to add to the stack, each after those that it refers to. */
  resources: ImportedResource[];
  /** The secrets that the program reads from the stack's configuration. */
  secrets: NeededSecret[];
  /** Objects that could not be read. */
  unread: Unread[];
  /** Number of objects that the stack or another one holds already. */
  held: number;
}

/** Reads an account and writes a program that declares its objects. It only reads: it sends only GET requests. */
export async function importAccount(options: ImportOptions): Promise<ImportResult> {
  checkFilters(options.filters ?? []);
  checkObjects(options.objects ?? []);
  if (options.account) return imported(options, options.account.host);
  const { CLOUDINFRA_URL, CLOUDINFRA_TOKEN } = process.env;
  const [url, token] = [options.url ?? CLOUDINFRA_URL, options.token ?? CLOUDINFRA_TOKEN];
  if (!url) throw new Error("no API address: set CLOUDINFRA_URL");
  if (!token) throw new Error("no token: set CLOUDINFRA_TOKEN; read-only access is enough");
  const { host, close } = accountAt(url, token, "import");
  return imported(options, host).finally(close);
}

async function imported(options: ImportOptions, host: Account["host"]): Promise<ImportResult> {
  const { files = new Map<string, string>(), head = "dynamic", filters = [], objects = [] } = options;
  const stack = options.state && stackStateOf(options.state);
  const found = objects.length ? await singleObjects(host, objects) : await accountObjects(host);
  const wholeOf = wholesIn([...found.objects, ...(found.context ?? [])]);
  const chosen = found.objects.filter(filterOf(filters, wholeOf));
  const isHeld = holdingOf([...(stack ? [stack] : []), ...(options.others ?? []).map(stackStateOf)]);
  const taken = { names: namesIn(stack), variables: variablesIn(files) };
  const free = chosen.filter((object) => !isHeld(object));
  const { done, unread } = await adopted(
    named(free, taken, wholeOf),
    objects.length ? host : withInventory(host, found),
    options,
  );
  const declared = declaredIn(files);
  const items = connected(done, declarationsIn(stack, declared), declared);
  const added = items.filter(({ isDeclared }) => !isDeclared);
  const secrets = secretsOf(added, keysIn(files));
  const program = withItems(files, withSecretsOf(added, secrets), head);
  return {
    files: projectFiles({ name: options.project, head, before: files, program, secrets }),
    resources: items.map(({ kind, name, resource, references }) => ({ kind, name, resource, references })),
    secrets,
    unread: [...found.unread, ...unread],
    held: chosen.length - free.length,
  };
}

const withSecretsOf = (items: readonly LinkedItem[], secrets: readonly NeededSecret[]) =>
  items.map((item) => ({
    ...item,
    secrets: secrets.filter(({ kind, name }) => kind === item.kind && name === item.name),
  }));

export interface Adopted extends Item {
  resource: AdoptedResource;
}

/** Reads the objects as their resources would. One that cannot be read does not prevent the others from being imported. */
async function adopted(
  items: readonly Item[],
  host: Account["host"],
  { onProgress }: ImportOptions,
): Promise<{ done: Adopted[]; unread: Unread[] }> {
  let count = 0;
  const resources = items.map((item) => ({ address: `${item.kind}/${item.id}`, kind: kinds[item.kind], item }));
  const { done, unread } = await readEach(resources, async ({ kind, item }) => {
    const resource = await new DynamicProvider(kind, () => host).adopt(item.name, item.id).finally(() => {
      onProgress?.(++count, items.length);
    });
    if (!resource) throw new Error("does not exist any more");
    return resource;
  });
  const read = new Map(done.map(({ resource, result }) => [resource.item, result]));
  return {
    done: items.flatMap((item) => {
      const resource = read.get(item);
      return resource ? [{ ...item, resource }] : [];
    }),
    unread,
  };
}
