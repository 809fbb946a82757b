import type { DialectName } from "../api";
import { differences } from "../provider/engine/comparison";
import type { Kind } from "../provider/engine/definition";
import { isReplacedBy } from "../provider/engine/diff";
import type { Host } from "../provider/engine/host";
import { displayNameOf, laterObjectReason, pathOf } from "../provider/engine/identity";
import { type Bag, pick } from "../provider/engine/values";
import {
  type AccountIdentity,
  accountIn,
  accountText,
  compareAccounts,
  currentAccount,
  requireSameAccount,
} from "../provider/pulumi/account";
import { kindIn } from "../provider/pulumi/handle";
import { ACCOUNT } from "../provider/pulumi/own-properties";
import { urnParts } from "../provider/pulumi/urn";
import {
  bagIn,
  type Deployment,
  DYNAMIC_PROVIDER,
  encrypted,
  isDefaultProvider,
  type ResourceRow,
  rowsIn,
  type StateRow,
} from "./deployment";

/** A provider of this package in a state, with the resources that use it. */
export interface ProviderRows {
  provider: ResourceRow;
  resources: ResourceRow[];
}

/**
 * The providers with the given name and their resources. Without a name, the default providers, which use the stack's
 * configuration: also the one that Pulumi has for all dynamic resources.
 */
export function providersNamed(state: Deployment, name: string | undefined): ProviderRows[] {
  const rows = rowsIn(state);
  const managedRows = rows.filter(({ type }) => kindIn(type));
  return rows
    .filter(({ type }) => type === DYNAMIC_PROVIDER || type === "pulumi:providers:cloudinfra")
    .filter(({ urn }) => (name === undefined ? isDefaultProvider(urn) : urnParts(urn).name === name))
    .map((provider) => ({
      provider,
      resources: managedRows.filter(({ provider: ref }) => ref === `${provider.urn}::${provider.id}`),
    }))
    .filter(({ resources }) => resources.length > 0);
}

/** The address, token and dialect of the account that a stack is moved to. */
export interface Access {
  url: string;
  token: string;
  dialect: DialectName | undefined;
}

/**
 * Records another account for the resources of some providers: with each dynamic resource, and with the provider of
 * native resources. Where the state contains the provider's access, it is that of the new account, too, because refresh
 * and destroy use it.
 */
export function withAccount(
  state: Deployment,
  moved: readonly ProviderRows[],
  account: AccountIdentity,
  access: Access,
): Deployment {
  const mark = { [ACCOUNT]: accountText(account) };
  const providers = new Map(
    moved.map(({ provider }) => {
      const isDynamic = provider.type === DYNAMIC_PROVIDER;
      return [
        provider,
        (bag: Bag) =>
          isDynamic ? withAccess(bag, "cloudinfra:", access) : { ...withAccess(bag, "", access), ...mark },
      ];
    }),
  );
  const dynamic = new Set(
    moved.flatMap(({ provider, resources }) => (provider.type === DYNAMIC_PROVIDER ? resources : [])),
  );
  const resources = rowsIn(state).map((row) => {
    const changed =
      providers.get(row) ?? (dynamic.has(row) && !row.external ? (bag: Bag) => ({ ...bag, ...mark }) : undefined);
    return changed ? { ...row, inputs: changed(bagIn(row.inputs)), outputs: changed(bagIn(row.outputs)) } : row;
  });
  return { ...state, deployment: { ...state.deployment, resources } };
}

/**
 * The settings of a provider with the access to another account. If the state has a part of the access, it gets both the
 * address and the dialect, because they decide which service receives the token. It gets no token that it did not have.
 */
function withAccess(settings: Bag, prefix: string, { url, token, dialect }: Access): Bag {
  const [atUrl, atToken, atDialect] = [`${prefix}url`, `${prefix}token`, `${prefix}dialect`] as const;
  const { [atDialect]: former, ...others } = settings;
  if (former === undefined && !(atUrl in settings) && !(atToken in settings)) return settings;
  return {
    ...others,
    [atUrl]: url,
    ...(atToken in settings && { [atToken]: encrypted(token) }),
    ...(dialect && { [atDialect]: dialect }),
  };
}

/**
 * The reason why an object with the id of a resource in state is another object: it has another name, another time of
 * creation, or another value of an input whose change would create a new object. Undefined if there is none.
 */
export function differentObjectReason(kind: Kind, id: string, state: Bag, observed: Bag): string | undefined {
  const path = pathOf(kind, id);
  const [before, now] = [state, observed].map((want) => displayNameOf({ kind, path, want }));
  if (before !== now) return `it is ${now}`;
  const later = laterObjectReason(state, observed);
  if (later) return later;
  const fixed = Object.keys(kind.fields).filter(
    (key) => key in state && key in observed && isReplacedBy(kind, key, {}),
  );
  const [other] = differences(kind, observed, pick(state, fixed)).keys();
  return other === undefined ? undefined : `its ${other} differs from the state`;
}

/**
 * Returns a function that finds the account of a resource in an exported state: a dynamic resource has it in its own
 * properties, and a resource of the native plugin in those of its provider. Undefined if the state was written before
 * accounts were recorded.
 */
export function recordedAccounts(rows: readonly StateRow[]): (row: StateRow) => AccountIdentity | undefined {
  const providers = new Map(rows.map((row) => [`${row.urn}::${row.id}`, row]));
  return (row) => ownAccount(row) ?? ownAccount(providers.get(String(row.provider)));
}

const ownAccount = (row: StateRow | undefined): AccountIdentity | undefined =>
  accountIn(bagIn(row?.outputs)[ACCOUNT]) ?? accountIn(bagIn(row?.inputs)[ACCOUNT]);

/** A part of a state, with the account that it belongs to. */
interface Owned {
  account: AccountIdentity | undefined;
}

/** Throws an error if a part of a state belongs to another account than the one at hand. */
export async function requireSameAccounts(host: Host, all: readonly Owned[]): Promise<void> {
  const distinct = new Map(all.flatMap(({ account }) => (account ? [[accountText(account), account]] : [])));
  for (const account of distinct.values()) await requireSameAccount(host, account, { isChange: true });
}

/**
 * Returns a function that checks whether a part of a state can belong to the account at hand. In another account, other
 * objects can have the same ids. Only the ids of accounts show that, so no request is sent if the state has none.
 */
export async function accountFilter(host: Host, all: readonly Owned[]): Promise<(one: Owned) => boolean> {
  const current = all.some(({ account }) => account?.id) ? await currentAccount(host) : undefined;
  return ({ account }) => !current || !account || compareAccounts(account, current) !== "other";
}
