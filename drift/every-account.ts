import { AuthenticationError } from "../account/errors";
import { accountAt } from "../account/reading";
import { addressOf } from "../provider/client/address";
import { defaultsFor } from "../provider/client/environment";
import { isTokenRejected } from "../provider/client/errors";
import type { Host } from "../provider/engine/host";
import {
  type AccountIdentity,
  AnotherAccountError,
  accountText,
  type CurrentAccount,
  compareAccounts,
  currentAccount,
} from "../provider/pulumi/account";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import type { StackToken } from "../stack/backend";
import type { Holder } from "../stack/holders";
import type { ProviderRow, StackState, StateResource } from "../stack/state";
import type { AccountOptions, CheckedAccount } from "./accounts";
import { NoTokenError } from "./errors";
import { byStack, failureOf, failuresOf } from "./failures";
import type { Failure } from "./model";
import { addressOfToken, dialectOf, type Place, type Placed, placedHolders, tokenVariableOf, urlOf } from "./places";
import type { Scope } from "./scope";

/** Returns the token that a stack sets for a provider. Undefined if the token comes from the environment. */
export type TokenLookup = (stack: string, provider: ProviderRow, address: string) => Promise<StackToken | undefined>;

export interface EveryAccount extends AsyncDisposable {
  accounts: CheckedAccount[];
  failures: Failure[];
}

/** The resources of all stacks that belong to an account, according to the states. */
interface RecordedAccount {
  /** Base URL of the API, possibly with credentials. */
  url: string;
  recorded: AccountIdentity | undefined;
  resources: StateResource[];
}

interface RecordedHolder {
  holder: Holder;
  account: AccountIdentity;
}

/** The time limit of the check, and what its connections use: see `AccountOptions`. */
interface ConnectionOptions extends Pick<AccountOptions, "hooks" | "time"> {
  limit?: TimeLimit | undefined;
}

/** The tokens of the stacks, and the places to read, which show where the token in the environment can be used. */
interface Tokens {
  tokenOf: TokenLookup;
  places: readonly Place[];
}

interface Connected extends RecordedAccount {
  host: Host;
  token: string;
  current: CurrentAccount;
  failures: Failure[];
  close(): Promise<void>;
}

/** Number of stacks of an account whose tokens are tried, because each attempt can run the Pulumi CLI. */
const MAX_ATTEMPTS = 3;

/**
 * Connects to every account of the stacks once, at the address and with a token of one of its stacks. `others` are
 * stacks that are not checked, but whose objects are managed.
 */
export async function everyAccount(
  stacks: readonly StackState[],
  others: readonly StackState[],
  tokenOf: TokenLookup,
  scope: Scope,
  options: ConnectionOptions,
): Promise<EveryAccount> {
  const groups = recordedAccounts(stacks).filter(({ resources }) => scope.isRead(resources));
  const tokens = { tokenOf, places: placesOf(groups) };
  const outcomes = await Promise.all(groups.map((group) => connected(group, tokens, scope, options)));
  const open = outcomes.flatMap((outcome) => ("host" in outcome ? [outcome] : []));
  return {
    accounts: merged(open, [...stacks, ...others].flatMap(recordedHolders)),
    failures: outcomes.flatMap(({ failures }) => failures),
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(outcomes.map((outcome) => ("close" in outcome ? outcome.close() : undefined)))),
  };
}

const placesOf = (groups: readonly RecordedAccount[]): Place[] =>
  groups.flatMap(({ url, resources }) =>
    [...new Set(resources.map(({ provider }) => provider))].map((provider) => ({ address: addressOf(url), provider })),
  );

/** The account of a resource: the recorded one, or else the address of its provider. */
const accountOf = (resource: Placed): AccountIdentity => ({
  ...(resource.account?.id && { id: resource.account.id }),
  address: addressOf(urlOf(resource)),
});

/** Groups the resources by their account. */
function recordedAccounts(stacks: readonly StackState[]): RecordedAccount[] {
  const resources = stacks.flatMap((stack) => stack.resources);
  return [...Map.groupBy(resources, (resource) => accountText(accountOf(resource))).values()].map((group) => {
    const [first] = group as [StateResource, ...StateResource[]];
    return { url: urlOf(first), recorded: first.account, resources: group };
  });
}

const recordedHolders = (stack: StackState): RecordedHolder[] =>
  placedHolders(stack).map(({ holder, resource }) => ({ holder, account: accountOf(resource) }));

/** Connects to an account with the token of the first stack whose token is valid there. */
async function connected(
  group: RecordedAccount,
  tokens: Tokens,
  scope: Scope,
  options: ConnectionOptions,
): Promise<Connected | { failures: Failure[] }> {
  const stacks = byStack(group.resources);
  const failed = new Map<string, Error>();
  for (const [stack, [first]] of [...stacks].slice(0, MAX_ATTEMPTS))
    try {
      const account = await connectionOf(stack, first as StateResource, group, tokens, options);
      // A stack whose token is set elsewhere, for example in CI, needs none here.
      const compared = byStack(scope.comparedOf(group.resources));
      const wrong = [...failed].filter(([name, error]) => compared.has(name) && !(error instanceof NoTokenError));
      const failures = wrong.map(([name, error]) => {
        const failure = failureOf(name, error);
        return { ...failure, reason: `${failure.reason}. Its resources were checked with the token of ${stack}` };
      });
      return { ...group, ...account, failures };
    } catch (error) {
      failed.set(stack, error as Error);
    }
  const [last] = [...failed.values()].slice(-1);
  return { failures: failuresOf(group.resources, (stack) => failed.get(stack) ?? (last as Error), scope) };
}

async function connectionOf(
  stack: string,
  { provider }: StateResource,
  { url, recorded }: RecordedAccount,
  { tokenOf, places }: Tokens,
  { limit, hooks, time }: ConnectionOptions,
): Promise<Pick<Connected, "host" | "token" | "current" | "close">> {
  const defaults = defaultsFor(dialectOf(provider));
  if (!url) throw new Error("the state does not contain the API address: set CLOUDINFRA_URL");
  const { token, source } = await stackToken();
  const { host: unlimited, close } = accountAt(url, token, "drift", {
    dialect: defaults.dialect,
    ...(hooks && { hooks }),
    ...time,
  });
  try {
    const current = await currentAccount(limit ? limit.bound(unlimited) : unlimited);
    if (isTokenRejected(current.failure))
      throw new AuthenticationError(
        "account.view",
        source,
        `${unlimited.address} rejected ${source} (401). Set a valid token; read-only access is enough`,
      );
    if (recorded && compareAccounts(recorded, current) === "other") throw new AnotherAccountError(recorded, current);
    return { host: unlimited, token, current, close };
  } catch (error) {
    await close();
    throw error;
  }

  /** The token in the environment applies if the stack does not set one, or if that cannot be decrypted. */
  async function stackToken(): Promise<StackToken> {
    const { token: environment, variables } = defaults;
    const usable = environment && isForAddress() ? { token: environment, source: variables.token ?? "" } : undefined;
    const found = provider && (await tokenOf(stack, provider, addressOf(url)).catch(orThrow(usable)));
    if (found ?? usable) return (found ?? usable) as StackToken;
    throw new NoTokenError(addressOf(url), environment ? variables.token : undefined);
  }

  /** Whether the token in the environment is for the account's address, among all places where it could be used. */
  function isForAddress(): boolean {
    const { variables } = defaults;
    const sameToken = places.filter(({ provider }) => tokenVariableOf(provider) === variables.token);
    return addressOf(url) === (variables.url ? addressOf(defaults.url ?? "") : addressOfToken(sameToken));
  }
}

/** Ignores an error if there is something to use instead. */
const orThrow =
  (usable: StackToken | undefined) =>
  (error: Error): undefined => {
    if (usable) return undefined;
    throw new Error(
      `its token could not be decrypted, and CLOUDINFRA_TOKEN is not set for this address: ${error.message}`,
    );
  };

/**
 * Combines connections to the same account. The states of some stacks may not name it, because they were written by an
 * earlier version. An object can be in each account that its holder does not exclude, so it is not listed as unmanaged.
 */
function merged(all: readonly Connected[], holders: readonly RecordedHolder[]): CheckedAccount[] {
  const groups = Map.groupBy(all, ({ current, token }) =>
    current.id ? accountText(current) : JSON.stringify([current.address, token]),
  );
  return [...groups.values()].map((group) => {
    const [{ host, current }] = group as [Connected, ...Connected[]];
    const id = current.id ?? group.find(({ recorded }) => recorded?.id)?.recorded?.id;
    // One account can have several addresses.
    const same = all.filter((one) => group.includes(one) || (id !== undefined && one.current.id === id));
    const here = same.map(({ current: { address } }): AccountIdentity => ({ ...(id && { id }), address }));
    const isHere = (account: AccountIdentity): boolean =>
      here.some((one) => ["same", "moved"].includes(compareAccounts(account, one)));
    return {
      host,
      resources: group.flatMap(({ resources }) => resources),
      holders: holders.flatMap(({ holder, account }) => (isHere(account) ? [holder] : [])),
    };
  });
}
