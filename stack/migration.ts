import { isObject } from "../api";
import type { Kind } from "../provider/engine/definition";
import { type Bag, containsSecretValue } from "../provider/engine/values";
import { type AccountIdentity, accountText } from "../provider/pulumi/account";
import { kindIn, nativeTypeOf, typeOf } from "../provider/pulumi/handle";
import { ACCOUNT } from "../provider/pulumi/own-properties";
import { urnParts } from "../provider/pulumi/urn";
import { kinds } from "../provider/resources";
import { recordedAccounts } from "./account";
import {
  bagIn,
  completionOf,
  type Deployment,
  DYNAMIC_PROVIDER,
  defaultProvider,
  isDefaultProvider,
  type ResourceRow,
  rowsIn,
} from "./deployment";
import { secretNames } from "./edit";
import { declarations, dynamicProperties, nativeProperties } from "./properties";

/** The two ways in which this package manages resources: as dynamic resources, or with the native plugin. */
export type ProviderType = "dynamic" | "native";

export const otherType = (provider: ProviderType): ProviderType => (provider === "native" ? "dynamic" : "native");

const typesOf = { dynamic: typeOf, native: nativeTypeOf };
const providers = { dynamic: DYNAMIC_PROVIDER, native: "pulumi:providers:cloudinfra" };

/** The module that programs import to use dynamic resources or the native plugin. */
export const libraries = { dynamic: "pulumi-cloudinfra", native: "pulumi-cloudinfra/native" };

/** The resources of this package in a state: either the dynamic ones, or those of the native plugin. */
export const resourcesOf = (provider: ProviderType, state: Deployment): ResourceRow[] =>
  rowsIn(state).filter(({ type }) => type.startsWith(typesOf[provider]("")));

/** The class and name of a resource in messages, such as `Volume "data"`. */
export function resourceName(urn: string): string {
  const { type, name } = urnParts(urn);
  return `${kindIn(type) ?? type} "${name}"`;
}

/** The operations of an interrupted update, which Pulumi forgets when a state is imported. */
export const pendingIn = ({ deployment }: Deployment): { type: string; resource: { urn: string } }[] =>
  (deployment.pending_operations ?? []) as { type: string; resource: { urn: string } }[];

/** A sentence for each operation of an interrupted update. */
export const interruptions = (state: Deployment): string[] =>
  pendingIn(state).map(
    (operation) =>
      `the last update was interrupted while ${operation.type} ${resourceName(operation.resource.urn)}: ${completionOf(operation)}`,
  );

/** The reasons why the resources of a stack cannot be converted. Empty if they can. */
export function problemsOf(state: Deployment, to: ProviderType): string[] {
  const rowsToMigrate = resourcesOf(otherType(to), state);
  const usedUrns = new Set(rowsIn(state).map(({ urn }) => urn));
  const interrupted = interruptions(state);
  const unknown = rowsToMigrate
    .filter(({ type }) => !Object.hasOwn(kinds, kindIn(type) ?? ""))
    .map(
      ({ type, urn }) =>
        `${type} "${urnParts(urn).name}": this version of pulumi-cloudinfra does not support the kind; upgrade pulumi-cloudinfra`,
    );
  const duplicate = rowsToMigrate
    .filter(({ urn }) => usedUrns.has(renamed(urn, to)))
    .map(
      ({ urn }) =>
        `${resourceName(urn)}: the state already has a ${to} resource of this name; rename one of them in the program`,
    );
  const customProvider = rowsToMigrate
    .filter((row) => to === "dynamic" && !isDefaultProvider(providerOf(row)))
    .map(
      (row) =>
        `${resourceName(row.urn)} uses the provider "${urnParts(providerOf(row)).name}", but dynamic resources can use only the account in the stack's configuration`,
    );
  return [...interrupted, ...unknown, ...duplicate, ...customProvider];
}

/**
 * Converts the resources of this package in a state between dynamic and native. URNs contain types, so they change
 * wherever they occur: in parents, dependencies, aliases and outputs. Nothing is decrypted, and resources of other
 * packages are unchanged.
 */
export function migrated(state: Deployment, to: ProviderType): Deployment {
  const before = rowsIn(state);
  const rowsToMigrate = resourcesOf(otherType(to), state);
  const [firstToMigrate] = rowsToMigrate;
  if (!firstToMigrate) return state;
  const provider =
    before.find(({ type, urn, delete: old }) => type === providers[to] && isDefaultProvider(urn) && !old) ??
    defaultProvider(urnParts(firstToMigrate.urn), providers[to], settingsFor(before, rowsToMigrate, to));
  const reference = `${provider.urn}::${provider.id}`;
  const accountOf = recordedAccounts(before);
  const moving = new Set(rowsToMigrate);
  const rows = before
    .filter((row) => row !== provider)
    .map((row) => {
      const named = withNames(row, to) as ResourceRow;
      if (!moving.has(row)) return named;
      return { ...named, ...converted(named, to, accountOf(row)), provider: reference };
    });
  const used = new Set(rows.map(providerOf));
  const remaining = rows.filter(
    ({ type, urn }) => type !== providers[otherType(to)] || !isDefaultProvider(urn) || used.has(urn),
  );
  // Pulumi requires that a provider is listed in the state before the resources that use it.
  const first = remaining.findIndex((row) => row.provider === reference);
  return { ...state, deployment: { ...state.deployment, resources: remaining.toSpliced(first, 0, provider) } };
}

function converted(row: ResourceRow, to: ProviderType, account: AccountIdentity | undefined): Partial<ResourceRow> {
  const name = kindIn(row.type) as keyof typeof kinds;
  const kind: Kind = kinds[name];
  const stored = { inputs: bagIn(row.inputs), outputs: bagIn(row.outputs) };
  const type = typesOf[to](name);
  if (to === "native") return { type, ...nativeProperties(kind, stored, Array.isArray(row.initErrors)) };
  const { inputs, outputs } = dynamicProperties(kind, stored, bagIn(row.customTimeouts));
  // The program only reads an external resource, as with `Volume.get`, so there are no declared inputs to store.
  if (!row.external) {
    const mark = account && { [ACCOUNT]: accountText(account) };
    Object.assign(inputs, mark);
    Object.assign(outputs, declarations(kind, stored), mark);
  }
  // All secret outputs are marked, because a refresh would otherwise store their values in plain text.
  const secrets = Object.keys(outputs).filter((key) => containsSecretValue(outputs[key]));
  const marked = (row.additionalSecretOutputs ?? []) as string[];
  return {
    type,
    inputs,
    outputs,
    additionalSecretOutputs: [...new Set([...marked, ...secretNames(name), ...secrets])],
  };
}

/** The inputs of a new default provider for the converted resources, with the settings of their old provider. */
function settingsFor(rows: readonly ResourceRow[], rowsToMigrate: readonly ResourceRow[], to: ProviderType): Bag {
  const [used] = rowsToMigrate.map(providerOf);
  const former = rows.find(({ urn, delete: old }) => urn === used && !old);
  const settings = Object.entries(bagIn(former?.inputs)).flatMap(([key, value]) => {
    if (to === "dynamic") return key.startsWith("__") || key === "version" ? [] : [[`cloudinfra:${key}`, value]];
    const [, setting] = /^cloudinfra:(.*)$/.exec(key) ?? [];
    return setting ? [[setting, value]] : [];
  });
  const accounts = rowsToMigrate.map(recordedAccounts(rows));
  // Resources of an earlier version, or of a token that could not read the account, have only its address.
  const account = accounts.find((one) => one?.id) ?? accounts.find(Boolean);
  return {
    ...Object.fromEntries(settings),
    ...(to === "native" && account && { [ACCOUNT]: accountText(account) }),
  };
}

/** The URN of a resource's provider. The reference in the state is the URN followed by the provider's id. */
const providerOf = ({ provider }: ResourceRow): string =>
  typeof provider === "string" ? provider.slice(0, provider.lastIndexOf("::")) : "";

/** Replaces the resource types in all URNs that a value contains. */
function withNames(value: unknown, to: ProviderType): unknown {
  if (typeof value === "string") return renamed(value, to);
  if (Array.isArray(value)) return value.map((item) => withNames(item, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNames(item, to)]));
}

function renamed(text: string, to: ProviderType): string {
  if (!text.startsWith("urn:pulumi:")) return text;
  const [stack, project, chain, ...name] = text.split("::");
  if (chain === undefined || !name.length) return text;
  const types = chain.split("$").map((type) => {
    const kind = kindIn(type);
    return kind ? typesOf[to](kind) : type;
  });
  return [stack, project, types.join("$"), ...name].join("::");
}
