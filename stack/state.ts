import { isDeepStrictEqual } from "node:util";
import { camel, fieldsOf, HIDDEN, isObject } from "../api";
import type { Kind } from "../provider/engine/definition";
import { idProblem } from "../provider/engine/identity";
import { STATE_VERSION } from "../provider/engine/observe";
import { type Bag, containsSecretValue, declaredPaths } from "../provider/engine/values";
import type { AccountIdentity } from "../provider/pulumi/account";
import { kindIn } from "../provider/pulumi/handle";
import { VERSION } from "../provider/pulumi/own-properties";
import { kindFor, stateIn, toApiNames } from "../provider/pulumi/properties";
import { type PropertyPath, parsedPath } from "../provider/pulumi/property-path";
import { urnParts } from "../provider/pulumi/urn";
import { kinds } from "../provider/resources";
import { recordedAccounts } from "./account";
import { completionOf, isDefaultProvider, type StateRow } from "./deployment";
import { StateError } from "./errors";
import { type Holder, holdersIn } from "./holders";

/** The exported state of a stack, as `pulumi stack export` prints it. */
export interface ExportedState {
  /** Name of the export for messages, such as the file's name. */
  name: string;
  /** Contents of the export, as a text or as parsed JSON. */
  state: unknown;
  /**
   * The organization of the stack. Only used for the stacks of a backend, of which another organization has a stack with
   * the same name in a project of the same name: it is then part of the names of the stack and its resources,
   * `acme/shop/prod`.
   */
  organization?: string | undefined;
}

/** A provider of this package in a stack's state. */
export interface ProviderRow {
  urn: string;
  /** The text by which resources refer to the provider: its URN and id. */
  ref: string;
  /** Whether it is a default provider, which uses the stack's configuration. */
  isDefault: boolean;
  /** Base URL of the API at the last update. Undefined if it came from the environment. */
  url: string | undefined;
  inputs: Bag;
}

/** A resource of this provider in a stack's state. */
export interface StateResource extends ResourceIdentity {
  kind: Kind;
  /** The outputs under the API's names, such as `memory_limit`. Encrypted values are omitted or a placeholder. */
  state: Bag;
  /** The inputs under the API's names. Encrypted values are omitted. */
  inputs: Bag;
  /** Paths of the inputs that the program sets, such as `alerts.cpu`. */
  declared: string[];
  /** Paths of the inputs that the program lists in `ignoreChanges`, under the names that programs use. */
  ignored: PropertyPath[];
  /** Inputs that the program sets and whose values are encrypted, under the names that programs use, such as `rootPass`. */
  secret: string[];
  /** The provider that manages the resource. Undefined if the state does not contain it. */
  provider: ProviderRow | undefined;
  /** The account that the object belongs to. Undefined if the state was written before accounts were recorded. */
  account: AccountIdentity | undefined;
}

export interface UnusableResource {
  kind: string;
  address: string;
  reason: string;
}

export interface StackState {
  /** The stack as `project/stack`, after its organization if that is needed. If the state is empty, the name of the export. */
  name: string;
  /** The providers of this package, which say where the resources are. */
  providers: ProviderRow[];
  resources: StateResource[];
  unusable: UnusableResource[];
  /**
   * Resources of an update that is in progress or was interrupted: those that are being replaced and have no object, and
   * those of pending operations, which can also be in `resources`.
   */
  unfinished: UnusableResource[];
  /** The rows that hold an object, including those that this version cannot compare. */
  holders: Holder[];
  /** Number of resources of other providers. */
  foreign: number;
  /**
   * The kind and name of each resource of this provider, including those that the program only reads. The command
   * `cloudinfra import` chooses other names for the resources that it adds.
   */
  taken: { kind: string; name: string }[];
}

/** The newest version of the export format that this package can read. */
const NEWEST = 4;

const EXPORT = 'Export it with "pulumi stack export --file FILE".';

/** The states of stacks. A state that is given twice counts once. */
export function stackStatesOf(exported: readonly ExportedState[]): StackState[] {
  const found: (Content & { name: string; urns: Set<string> })[] = [];
  for (const exportedState of exported) {
    const { rows, pending } = contentOf(exportedState);
    if (rows.length && found.some((other) => isDeepStrictEqual(other.rows, rows))) continue;
    const managedRows = rows.filter(({ urn }) => addressOf(urn) !== undefined);
    const duplicates = managedRows.flatMap(({ urn }) =>
      found.filter(({ urns }) => urns.has(urn)).map(({ name }) => ({ urn, name })),
    )[0];
    if (duplicates)
      throw new StateError(
        `${duplicates.name} and ${exportedState.name} are different states with the same resource ${addressOf(duplicates.urn)}: check only one of them`,
      );
    found.push({ name: exportedState.name, rows, pending, urns: new Set(managedRows.map(({ urn }) => urn)) });
  }
  return found.map((content) => stackOfContent(content));
}

/**
 * The states of the stacks of a backend. A state that cannot be used does not affect the others: it is returned with the
 * reason.
 */
export function statesOfBackend(exported: readonly ExportedState[]): {
  stacks: StackState[];
  unusable: { name: string; error: Error }[];
} {
  const stacks = new Map<string, StackState>();
  const unusable: { name: string; error: Error }[] = [];
  for (const one of exported)
    try {
      const stack = stackStateOf(one);
      if (stacks.has(stack.name))
        throw new StateError(`${one.name} has the resources of ${stack.name}, which is another stack of the backend`);
      stacks.set(stack.name, stack);
    } catch (error) {
      unusable.push({ name: one.name, error: error as Error });
    }
  return { stacks: [...stacks.values()], unusable };
}

export const stackStateOf = (exported: ExportedState): StackState =>
  stackOfContent({ ...exported, ...contentOf(exported) });

/**
 * The resources that belong to the account of the stack's configuration. A provider that the program creates can have an
 * account of its own.
 */
export const ofDefaultProviders = (resources: readonly StateResource[]): StateResource[] =>
  resources.filter(({ provider }) => provider?.isDefault !== false);

interface Content {
  rows: readonly StateRow[];
  /** The operations that an update has begun, each with the row of its resource. */
  pending: readonly { type: string; row: StateRow }[];
}

function contentOf({ name, state }: ExportedState): Content {
  const { resources, pending_operations: operations } = deploymentIn(
    name,
    typeof state === "string" ? parsed(name, state) : state,
  );
  return {
    rows: arrayIn(resources).filter(isRow),
    pending: arrayIn(operations).flatMap((one) =>
      isObject(one) && isRow(one.resource) ? [{ type: String(one.type), row: one.resource }] : [],
    ),
  };
}

const arrayIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isRow = (row: unknown): row is StateRow => isObject(row) && typeof row.urn === "string";

function stackOfContent({
  name,
  organization,
  rows,
  pending,
}: Content & Pick<ExportedState, "name" | "organization">): StackState {
  const [first] = [...rows, ...pending.map(({ row }) => row)];
  const unfinished = ({ urn }: StateRow, reason: string): UnusableResource[] => {
    const [kind, address] = [kindIn(urnParts(urn).type), addressOf(urn, organization)];
    return kind === undefined || address === undefined ? [] : [{ kind, address, reason }];
  };
  const stack: StackState = {
    name: first ? stackOf(first.urn, organization) : name,
    providers: rows.flatMap(providerIn),
    resources: [],
    unusable: [],
    unfinished: [
      ...rows
        .filter(({ pendingReplacement }) => pendingReplacement === true)
        .flatMap((row) => unfinished(row, REPLACED)),
      ...pending.flatMap(({ type, row }) => unfinished(row, interruptedReason(type, row))),
    ],
    holders: holdersIn(rows),
    foreign: 0,
    taken: [],
  };
  const accountOf = recordedAccounts(rows);
  for (const row of rows) add(stack, row, addressOf(row.urn, organization), accountOf(row));
  return stack;
}

const REPLACED = 'its object was deleted by a replacement that has not finished: complete the update with "pulumi up"';

const interruptedReason = (type: string, resource: StateRow): string =>
  `an update is in progress or was interrupted while ${type} it: ${completionOf({ type, resource })}`;

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const end = text.trimEnd().at(-1);
    const why = !text.trim() ? "is empty" : end === "}" ? "is not JSON" : "is not complete JSON: it is truncated";
    throw new StateError(`${name} ${why}. ${EXPORT}`);
  }
}

/** The deployment in an export, or in the state file of a self-managed backend. */
function deploymentIn(name: string, state: unknown): Bag {
  if (!isObject(state)) throw new StateError(`${name} is not the state of a stack. ${EXPORT}`);
  const { version, deployment, checkpoint } = state;
  // The file of a stack that was never updated has no latest deployment.
  const found = deployment ?? (isObject(checkpoint) ? (checkpoint.latest ?? {}) : undefined);
  if (typeof version === "number" && version > NEWEST)
    throw new StateError(
      `${name} has version ${version} of Pulumi's state format; the newest supported version is ${NEWEST}. Upgrade pulumi-cloudinfra.`,
    );
  if (!isObject(found) || (found.resources !== undefined && !Array.isArray(found.resources)))
    throw new StateError(`${name} is not the state of a stack. ${EXPORT}`);
  return found;
}

function stackOf(urn: string, organization: string | undefined): string {
  const { stack, project } = urnParts(urn);
  return `${organization ? `${organization}/` : ""}${project}/${stack}`;
}

/** The address of a resource in reports: `project/stack/Kind/name`, after its organization if that is needed. */
export function addressOf(urn: string, organization?: string): string | undefined {
  const kind = kindIn(urnParts(urn).type);
  return kind && `${stackOf(urn, organization)}/${kind}/${urnParts(urn).name}`;
}

/** The stack in the address of a resource: `project/stack`, after its organization if the address has one. */
export const stackIn = ({ address, name }: Pick<StateResource, "address" | "name">): string =>
  address.slice(0, -`/${name}`.length).split("/").slice(0, -1).join("/");

/**
 * Whether a stack of a backend is the stack with the given name in its state, `project/stack`. In backends that are so old
 * that their stacks have no projects, its own name lacks the project.
 */
export const isStackNamed = (ofBackend: string, name: string): boolean =>
  ofBackend === name || (!ofBackend.includes("/") && name.endsWith(`/${ofBackend}`));

/** The kind in the address of a resource without organization, such as `Volume`. */
export const kindNameIn = (address: string): string => address.split("/")[2] ?? "";

function add(
  stack: StackState,
  row: StateRow,
  address: string | undefined,
  account: AccountIdentity | undefined,
): void {
  const { type, name } = urnParts(row.urn);
  const kindName = kindIn(type);
  if (kindName !== undefined) stack.taken.push({ kind: kindName, name });
  // Skip components, resources that the program only reads (`external`), and resources in the middle of a replacement,
  // because Pulumi deletes their old object or has deleted it.
  const isReplaced = row.delete === true || row.pendingReplacement === true;
  if (row.custom !== true || row.external === true || isReplaced || type.startsWith("pulumi:providers:")) return;
  if (kindName === undefined || address === undefined) {
    stack.foreign++;
    return;
  }
  const kind: Kind | undefined = Object.hasOwn(kinds, kindName) ? kinds[kindName as keyof typeof kinds] : undefined;
  const outputs = isObject(row.outputs) ? row.outputs : {};
  const version = Number(outputs[VERSION] ?? 0);
  const reason = !kind
    ? "this version of pulumi-cloudinfra does not support the kind; upgrade pulumi-cloudinfra"
    : version > STATE_VERSION
      ? `its state was written by a newer version of pulumi-cloudinfra (state version ${version}); upgrade pulumi-cloudinfra`
      : typeof row.id !== "string" || !row.id
        ? "it has no id: its creation did not finish"
        : idProblem(kind, row.id);
  if (!kind || reason) stack.unusable.push({ kind: kindName, address, reason: reason ?? "" });
  else
    stack.resources.push(
      resourceOf(
        kind,
        row,
        { urn: row.urn, address, name, id: String(row.id) },
        { providers: stack.providers, account },
      ),
    );
}

interface ResourceIdentity {
  /** Name of the resource in reports: `project/stack/Kind/name`. */
  address: string;
  urn: string;
  name: string;
  id: string;
}

function resourceOf(
  kind: Kind,
  row: StateRow,
  identity: ResourceIdentity,
  { providers, account }: Pick<StackState, "providers"> & Pick<StateResource, "account">,
): StateResource {
  const inputs = isObject(row.inputs) ? row.inputs : {};
  const outputs = isObject(row.outputs) ? row.outputs : {};
  const fields = Object.keys(fieldsOf(kind.inputs)).map(camel);
  const encrypted = fields.filter((name) => containsSecretValue(inputs[name]) || containsSecretValue(outputs[name]));
  const isReadable = (key: string): boolean => !encrypted.includes(camel(key));
  const readable = toApiNames(kind, withoutSecrets(inputs, encrypted));
  const declared = declaredPaths(kind.inputs, readable);
  const ignoreChanges = Array.isArray(row.ignoreChanges) ? row.ignoreChanges.map(String) : [];
  return {
    ...identity,
    kind: kindFor(kind, { ...outputs, ...inputs }),
    state: stateIn(kind, withoutSecrets(outputs, encrypted)),
    inputs: readable,
    declared: declared.filter((path) => isReadable(path.split(".")[0] ?? "")),
    ignored: ignoreChanges.flatMap((path) => {
      const parsed = parsedPath(path);
      return parsed ? [parsed] : [];
    }),
    secret: encrypted.filter((name) => inputs[name] !== undefined),
    provider: providers.find(({ ref }) => ref === row.provider) ?? providers[0],
    account,
  };
}

/**
 * Removes the given secret inputs. Other encrypted outputs become a placeholder, because some resource kinds check
 * whether an output is set.
 */
const withoutSecrets = (bag: Bag, secret: readonly string[]): Bag =>
  Object.fromEntries(
    Object.entries(bag).flatMap(([key, value]) =>
      secret.includes(key) ? [] : [[key, containsSecretValue(value) ? HIDDEN : value]],
    ),
  );

/** A provider of this package in a state. For dynamic resources, its inputs are the stack's configuration. */
function providerIn({ urn, type, id, inputs }: StateRow): ProviderRow[] {
  if (!/^pulumi:providers:(pulumi-nodejs|cloudinfra)$/.test(String(type)) || !isObject(inputs)) return [];
  const url = inputs["cloudinfra:url"] ?? inputs.url;
  return [
    {
      urn,
      ref: `${urn}::${id}`,
      isDefault: isDefaultProvider(urn),
      url: typeof url === "string" && url ? url : undefined,
      inputs,
    },
  ];
}
