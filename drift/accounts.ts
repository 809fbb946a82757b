import type { Unread } from "../account/reading";
import { type Account, accountAt } from "../account/reading";
import { type Defaults, defaultsFor, variablesFor } from "../provider/client/environment";
import type { Hooks } from "../provider/client/options";
import type { Time } from "../provider/client/time";
import type { Holder } from "../stack/holders";
import type { StackState, StateResource } from "../stack/state";

/** One account of a check: the connection to it, and the resources that the stacks have there. */
export interface CheckedAccount extends Pick<Account, "host"> {
  resources: StateResource[];
  holders: Holder[];
}

export interface AccountOptions {
  /** Base URL of the API. Defaults to `CLOUDINFRA_URL`, else to the URL of each resource's provider in the states. */
  url?: string | undefined;
  /** Access token; read-only scopes are enough. Defaults to `CLOUDINFRA_TOKEN`. */
  token?: string | undefined;
  /** Functions that are called for every request. */
  hooks?: Hooks | undefined;
  /** The clock that waits and retries use. Defaults to that of the machine. */
  time?: Time | undefined;
}

export interface Accounts extends AsyncDisposable {
  accounts: CheckedAccount[];
  /** The resources at addresses that the check does not read. */
  unread: Unread[];
}

/**
 * Connects to the accounts of the stacks, each at the address of its provider. An address in the options or in the
 * environment applies to all resources, unless the providers have different addresses: then it selects one of them.
 * This needs all resources of the stacks, also those that are not compared.
 */
export function accountsOf(stacks: readonly StackState[], options: AccountOptions): Accounts {
  const defaults = defaultsIn(stacks);
  // The default address of a public service is used only if the states contain no address.
  const requestedUrl = options.url ?? (defaults.variables.url ? defaults.url : undefined);
  const token = options.token ?? defaults.token;
  const resources = stacks.flatMap((stack) => stack.resources);
  const declaredProviders = distinct(resources.map(({ provider }) => provider?.url));
  const declared = distinct([
    ...declaredProviders,
    ...stacks.flatMap(({ providers }) => providers.map(({ url }) => url)),
  ]);
  const chosen = requestedUrl || declared[0] || defaults.url;
  if (!chosen) throw new Error("no API address: set CLOUDINFRA_URL, because the state does not contain one");
  if (!token)
    throw new Error(
      "no token: set CLOUDINFRA_TOKEN, because a drift check does not use a token of the stack; read-only access is enough",
    );
  const isOverridden = Boolean(requestedUrl) && declaredProviders.length < 2;
  const addressOf = (url: string | undefined): string => withoutCredentials(isOverridden || !url ? chosen : url);
  const byAddress = Map.groupBy(resources, ({ provider }) => addressOf(provider?.url));
  const isSelected = (address: string): boolean => !requestedUrl || address === withoutCredentials(requestedUrl);
  const addresses = [...byAddress.keys()].filter(isSelected);
  const open = (addresses.length ? addresses : [withoutCredentials(chosen)]).map((address) => ({
    ...accountAt(address === withoutCredentials(chosen) ? chosen : address, token, "drift", {
      dialect: defaults.dialect,
      settingNames: variablesFor(options, defaults),
      ...(options.hooks && { hooks: options.hooks }),
      ...options.time,
    }),
    resources: byAddress.get(address) ?? [],
    holders: stacks.flatMap(({ holders, providers }) =>
      holders.filter(({ provider }) => addressOf(providers.find(({ ref }) => ref === provider)?.url) === address),
    ),
  }));
  const otherAccounts = [...byAddress].filter(([address]) => !isSelected(address));
  return {
    accounts: open,
    unread: otherAccounts.flatMap(([address, ofProvider]) =>
      unreadOf(
        ofProvider,
        `the state says that they are at ${address}, and this check reads ${withoutCredentials(chosen)}. Check them in a run of their own, with that address in CLOUDINFRA_URL and a token for it`,
      ),
    ),
    [Symbol.asyncDispose]: async () => void (await Promise.all(open.map(({ close }) => close()))),
  };
}

/** The settings in the environment. The dialect is the one with which the stacks were updated, if they say one. */
function defaultsIn(stacks: readonly StackState[]): Defaults {
  const set = stacks.flatMap(({ providers }) =>
    providers.map(({ inputs }) => inputs["cloudinfra:dialect"] ?? inputs.dialect),
  );
  const dialect = set.find((name) => typeof name === "string");
  return defaultsFor(dialect as string | undefined);
}

const distinct = (urls: readonly (string | undefined)[]): string[] => [
  ...new Map(urls.flatMap((url) => (url ? [[withoutCredentials(url), url] as const] : []))).values(),
];

/** An address without credentials and query, so that two notations of the same address are equal. */
function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** Resources that were not checked for the same reason, by kind. */
export const unreadOf = (resources: readonly StateResource[], reason: string): Unread[] =>
  [...Map.groupBy(resources, ({ kind }) => kind.name)].map(([kind, ofProvider]) => ({
    kind,
    reason,
    resources: ofProvider.map(({ address }) => address),
  }));
