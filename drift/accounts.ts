import type { Unread } from "../account/reading";
import { type Account, accountAt } from "../account/reading";
import { addressOf } from "../provider/client/address";
import { type Defaults, defaultsFor, variablesFor } from "../provider/client/environment";
import type { Hooks } from "../provider/client/options";
import type { Time } from "../provider/client/time";
import type { Holder } from "../stack/holders";
import type { ProviderRow, StackState, StateResource } from "../stack/state";
import { addressesOf, addressOfToken, dialectOf, type Place, type Placed, placedHolders, urlOf } from "./places";

/** One account of a check: the connection to it, and the resources that the stacks have there. */
export interface CheckedAccount extends Pick<Account, "host"> {
  resources: StateResource[];
  holders: Holder[];
}

export interface AccountOptions {
  /**
   * Base URL of the API. Defaults to `CLOUDINFRA_URL`, else to that of the providers in the states. If these are several, it
   * defaults to the only one whose providers set no token of their own.
   */
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
 * Connects to the account of the stacks at the address of their providers. An address in the options or in the
 * environment applies to all resources, unless the providers have different addresses: then it selects one of them.
 * Without one, the token must be for one of these addresses only. This needs all resources of the stacks, also those
 * that are not compared.
 */
export function accountsOf(stacks: readonly StackState[], options: AccountOptions): Accounts {
  const resources = stacks.flatMap((stack) => stack.resources);
  const providers = stacks.flatMap((stack) => stack.providers);
  const used = placesOf(resources);
  const declared = used.length ? used : placesOf(providers.map((provider) => ({ provider, account: undefined })));
  const requested = requestedUrl(providers, options);
  const chosen = requested || urlOfToken(declared, providers);
  const address = addressOf(chosen);
  const placed = resources.filter((resource) => addressOf(urlOf(resource)) === address);
  const defaults = placed.length ? defaultsOf(placed.map(({ provider }) => provider)) : defaultsOf(providers);
  const token = options.token ?? defaults.token;
  if (!token)
    throw new Error(
      "no token: set CLOUDINFRA_TOKEN, because a drift check does not use a token of the stack; read-only access is enough",
    );
  // A single address in the states that is not the requested one is the former address of the account.
  const isMoved = addressesOf(used).length < 2;
  // A provider without an address of its own uses the requested one.
  const placeOf = (resource: Placed): string => (requested ? (resource.provider?.url ?? "") : urlOf(resource));
  const isHere = (resource: Placed): boolean =>
    isMoved || !placeOf(resource) || addressOf(placeOf(resource)) === address;
  const byAddress = Map.groupBy(
    resources.filter((resource) => !isHere(resource)),
    (resource) => addressOf(placeOf(resource)),
  );
  const { host, close } = accountAt(chosen, token, "drift", {
    dialect: defaults.dialect,
    settingNames: variablesFor(options, defaults),
    ...(options.hooks && { hooks: options.hooks }),
    ...options.time,
  });
  return {
    accounts: [
      {
        host,
        resources: resources.filter(isHere),
        holders: stacks.flatMap(placedHolders).flatMap(({ holder, resource }) => (isHere(resource) ? [holder] : [])),
      },
    ],
    unread: [...byAddress].flatMap(([other, ofProvider]) =>
      unreadOf(
        ofProvider,
        `the state says that they are at ${other}, and this check reads ${address}. Check them in a run of their own, with that address in CLOUDINFRA_URL and a token for it`,
      ),
    ),
    [Symbol.asyncDispose]: close,
  };
}

const placesOf = (resources: readonly Placed[]): (Place & { url: string })[] =>
  resources.flatMap((resource) => {
    const url = urlOf(resource);
    return url ? [{ url, address: addressOf(url), provider: resource.provider }] : [];
  });

function requestedUrl(providers: readonly ProviderRow[], options: AccountOptions): string | undefined {
  const { variables, url } = defaultsOf(providers);
  return options.url ?? (variables.url ? url : undefined);
}

/** The address in the states that the token is for, possibly with credentials. */
function urlOfToken(declared: readonly (Place & { url: string })[], providers: readonly ProviderRow[]): string {
  const tokenAddress = addressOfToken(declared);
  // The default address of a public service is used only if the states contain no address.
  const chosen = declared.length
    ? declared.find(({ address }) => address === tokenAddress)?.url
    : defaultsOf(providers).url;
  if (chosen) return chosen;
  if (!declared.length) throw new Error("no API address: set CLOUDINFRA_URL, because the state does not contain one");
  throw new Error(
    `the state contains several API addresses (${addressesOf(declared).join(", ")}): set CLOUDINFRA_URL to the address that the token is for, because a token is sent to one service only; for each of the others, run the check with its address and token`,
  );
}

/** The settings in the environment, with the dialect that the providers have set, if they set one. */
const defaultsOf = (providers: readonly (ProviderRow | undefined)[]): Defaults =>
  defaultsFor(providers.map(dialectOf).find((dialect) => dialect !== undefined));

/** Resources that were not checked for the same reason, by kind. */
export const unreadOf = (resources: readonly StateResource[], reason: string): Unread[] =>
  [...Map.groupBy(resources, ({ kind }) => kind.name)].map(([kind, ofProvider]) => ({
    kind,
    reason,
    resources: ofProvider.map(({ address }) => address),
  }));
