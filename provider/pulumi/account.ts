import { addressOf, isLocal } from "../client/address";
import type { SettingNames } from "../client/environment";
import { ApiError, CloudInfraError, isTokenRejected, UnreachableError } from "../client/errors";
import { noteVerifiedAccount } from "../engine";
import { type Host, perConnection } from "../engine/host";
import { hostWithLimit } from "../engine/time-limits";
import type { RawConfig } from "./settings";

/** The account that a state belongs to, or that a token reaches. */
export interface AccountIdentity {
  /** The account's `euuid`. Omitted if the token may not read it. */
  id?: string;
  /** Address of the API, in the notation of `addressOf`. */
  address: string;
}

/** The account that a connection reaches. */
export interface CurrentAccount extends AccountIdentity {
  /** The company or the person that the account belongs to. Undefined if the token may not read it. */
  holder?: string;
  /** The reason why the account could not be read, if that is not just a missing permission. */
  failure?: Error;
}

/** Whether two accounts are the same one. `moved`: the same account at another address. */
export type AccountComparison = "same" | "moved" | "other" | "unverified";

/** The form of an account in state: its id, if it is known, and the address. */
export const accountText = ({ id, address }: AccountIdentity): string => (id ? `${id} ${address}` : address);

/** The account in a property of the state. Undefined if the state was written before accounts were recorded. */
export function accountIn(text: unknown): AccountIdentity | undefined {
  const [, id, address] = (typeof text === "string" && /^(?:(\S+) )?(\S+)$/.exec(text)) || [];
  return address === undefined ? undefined : { ...(id && { id }), address };
}

/**
 * The account of the last update, from the configuration that Pulumi has stored then. It is known only by its address.
 */
export function accountOfLastUpdate(config: RawConfig): AccountIdentity | undefined {
  const url = config["cloudinfra:url"];
  return url ? { address: addressOf(url) } : undefined;
}

/** Ids decide. If one of them is unknown, accounts at the same address count as the same. */
export function compareAccounts(recorded: AccountIdentity, current: AccountIdentity): AccountComparison {
  const isHere = recorded.address === current.address;
  if (recorded.id && current.id) return recorded.id !== current.id ? "other" : isHere ? "same" : "moved";
  return isHere ? "same" : "unverified";
}

const SCOPE = "account:read_only";

/** Time limit in milliseconds for reading the account. If the service is slower, the account counts as unknown. */
const LOOKUP_MS = 5_000;

/** The same before a change, which would fail with it. */
const CHANGE_LOOKUP_MS = 30_000;

/** Milliseconds after which an account that could not be read is looked up again. */
const RETRY_MS = 30_000;

interface Lookup {
  /** The time at which the lookup has begun. */
  at: number;
  account?: Promise<CurrentAccount>;
  /** The result, once the account was read. Thousands of resources are compared with it, each without another timer. */
  found?: CurrentAccount;
}

const lookups = perConnection((): Lookup => ({ at: 0 }));

/**
 * The account that the connection's token reaches. It is looked up once per connection, with at most one request, and
 * without any if the service has already shown that the token lacks the scope. After `ms` milliseconds, the account
 * counts as unknown. The request may take `limit` milliseconds, and is repeated `retryMs` milliseconds after one that
 * failed.
 */
export async function currentAccount(
  host: Host,
  ms = LOOKUP_MS,
  { limit = LOOKUP_MS, retryMs = RETRY_MS } = {},
): Promise<CurrentAccount> {
  const withTimeout = (account: Promise<CurrentAccount>): Promise<CurrentAccount> =>
    hostWithLimit(host, ms)
      .withDeadline(account, "the account")
      .catch((failure: Error) => ({ address: host.address, failure }));
  const lookup = lookups(host);
  if (lookup.found) return lookup.found;
  const inProgress = lookup.account;
  if (inProgress) {
    const account = await withTimeout(inProgress);
    if (!account.failure || host.now() < lookup.at + retryMs) return account;
  }
  // Another call can have started the next lookup in the meantime.
  if (lookup.account === inProgress)
    Object.assign(lookup, { at: host.now(), account: lookUp(host, Math.min(ms, limit)) });
  const account = await withTimeout(lookup.account as Promise<CurrentAccount>);
  if (!account.failure) lookup.found = account;
  return account;
}

async function lookUp({ api, address, tokenHas, now }: Host, ms: number): Promise<CurrentAccount> {
  if (tokenHas(SCOPE) === false) return { address };
  try {
    const account = await api.account.view({}, { deadline: now() + ms });
    const { euuid, company, first_name, last_name, email } = account;
    const holder = company || [first_name, last_name].filter(Boolean).join(" ") || email;
    return {
      ...(typeof euuid === "string" && /^\S+$/.test(euuid) && { id: euuid }),
      ...(holder && { holder }),
      address,
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return { address };
    return { address, failure: error as Error };
  }
}

const ofStack = perConnection((): { account?: AccountIdentity } => ({}));

/**
 * The account of the resources in state that this command has compared so far. Undefined before the first one. A resource
 * that is created has no state with an account of its own.
 */
export const accountOfStack = (host: Host): AccountIdentity | undefined => ofStack(host).account;

/**
 * Throws an error if the state belongs to another account than the one at hand, or before a change if the account cannot
 * be read: a token of another account can be valid at the same address. An account that cannot be read does not fail a
 * command that changes nothing, because the requests of the command then report the problem.
 */
export async function requireSameAccount(
  host: Host,
  recorded: AccountIdentity | undefined,
  { isChange, ms = LOOKUP_MS }: { isChange: boolean; ms?: number },
): Promise<void> {
  if (!recorded) return;
  const stack = ofStack(host);
  if (recorded.id || !stack.account) stack.account = recorded;
  // State without an id needs no request, because the address decides.
  if (!recorded.id && recorded.address === host.address) return;
  const current = await (isChange ? accountBeforeChange(host, ms) : currentAccount(host, ms));
  const comparison = compareAccounts(recorded, current);
  if (recorded.id && recorded.id === current.id) noteVerifiedAccount(host);
  // With a rejected token, the requests of the command change nothing, and report it.
  const isHarmless = !isChange || (isTokenRejected(current.failure) && recorded.address === current.address);
  if (current.failure ? isHarmless : comparison === "same" || comparison === "moved") return;
  throw new AnotherAccountError(recorded, current, host.settingNames);
}

/**
 * The account that the connection's token reaches. If it could not be read, for example because of the rate limit, it is
 * looked up once more with the rest of the time, instead of failing all changes of the next seconds.
 */
async function accountBeforeChange(host: Host, ms: number): Promise<CurrentAccount> {
  const startedAt = host.now();
  const account = await currentAccount(host, ms);
  const rest = Math.min(ms - (host.now() - startedAt), CHANGE_LOOKUP_MS);
  const isFinal = isTokenRejected(account.failure) || account.failure instanceof UnreachableError;
  if (!account.failure || isFinal || rest <= 0) return account;
  return currentAccount(host, rest, { limit: rest, retryMs: 0 });
}

/**
 * The account to record in state from now on. `recorded` is the one that was recorded before, and that is the same. Its
 * id is kept if the token may no longer read it. If the token could never read it, no request tries again, unless the
 * token is known to have the scope now. Undefined if the account cannot be read at the moment.
 */
export async function accountToRecord(
  host: Host,
  recorded: AccountIdentity | undefined,
  ms = LOOKUP_MS,
): Promise<AccountIdentity | undefined> {
  const isSettled = recorded && !recorded.id && recorded.address === host.address;
  if (isSettled && !lookups(host).account && !host.tokenHas(SCOPE)) return recorded;
  const { id, address, failure } = await currentAccount(host, ms);
  return failure || (recorded?.id && !id) ? recorded : { ...(id && { id }), address };
}

/**
 * Throws an error if the service rejects the token. Looking up the account shows it in a preview, before an update fails
 * halfway.
 */
export async function rejectInvalidToken(host: Host, ms = LOOKUP_MS): Promise<void> {
  const { failure } = await currentAccount(host, ms);
  if (!isTokenRejected(failure)) return;
  const { operation, status, reasons } = failure;
  const { message } = new ApiError(operation, status, reasons);
  const token = host.settingNames.token ?? "the token";
  const example = isLocal(host.address) ? '; the emulator accepts "emulator"' : "";
  failure.message = `${token} is not valid: ${message}. Set a valid one${example}`;
  throw failure;
}

const isMoved = perConnection(() => new Set<string>());

/** Warns, once per connection, that the account has another address than the recorded one. */
export function warnMoved(
  host: Host,
  recorded: AccountIdentity | undefined,
  current: AccountIdentity | undefined,
): void {
  const text = isMoved(host);
  if (!recorded || !current || recorded.address === current.address || text.has(recorded.address)) return;
  text.add(recorded.address);
  host.warn(
    `the API address has changed from ${recorded.address} to ${current.address}; account ${current.id} is the same`,
  );
}

const isReported = perConnection(() => new Set<string>());

/**
 * The message of the error: in full for the first resource, and then in short. Pulumi prints the errors of resources in any
 * order.
 */
export function messageOnce(host: Host, { message }: AnotherAccountError): string {
  const reported = isReported(host);
  if (reported.has(message))
    return "it is not certain that the account is that of this stack, as another error explains";
  reported.add(message);
  return message;
}

/** The name of an account in messages. */
export const accountDescription = ({ id, address }: AccountIdentity): string =>
  id ? `account ${id} at ${address}` : `an account at ${address} with an unknown id`;

/** The state belongs to another account, or it cannot be verified that it belongs to this one. */
export class AnotherAccountError extends CloudInfraError {
  override readonly name = "AnotherAccountError";

  constructor(
    readonly recorded: AccountIdentity,
    readonly current: CurrentAccount,
    readonly settingNames: SettingNames = {},
  ) {
    const { failure } = current;
    const unknownAccount = recorded.id
      ? `only a token with the scope ${SCOPE} shows it`
      : "the state does not contain the id of its account";
    const why = recorded.id && current.id ? "" : ` Whether this is the same account is not known: ${unknownAccount}.`;
    const problem =
      failure && recorded.address === current.address
        ? `but whether the token in use is that account's is not known, because the account cannot be read: ${readingProblem(failure)}.`
        : failure
          ? `but the address in use is ${current.address}, and its account cannot be read: ${readingProblem(failure)}.`
          : `but the address and token in use are those of ${accountDescription(current)}.${why}`;
    super(
      `this stack belongs to ${accountDescription(recorded)}, ${problem} Nothing was changed. ${remedy(recorded, current, settingNames)}` +
        (failure ? "" : `. ${MIGRATE}`),
    );
  }

  /** Adds a sentence to the message, unless the message ends with it. */
  explain(sentence: string): void {
    if (!this.message.endsWith(sentence)) this.message += `. ${sentence}`;
  }
}

const readingProblem = (failure: Error): string =>
  failure instanceof UnreachableError ? failure.why : failure.message;

/** The advice how to reach the stack's own account again. It names the settings that are in use. */
function remedy(recorded: AccountIdentity, current: CurrentAccount, { url, token }: SettingNames): string {
  const { address } = recorded;
  if (current.failure && current.address === address) return "Run the command again once the account can be read";
  const areKnown = url !== undefined && token !== undefined;
  if (areKnown && current.address !== address) {
    const alternative = url.startsWith("cloudinfra:") ? "" : `, or unset ${url} if the stack has an address of its own`;
    return `Set ${url} to ${address} and ${token} to its token${alternative}`;
  }
  const restored = areKnown
    ? `set ${token} to a token of the stack's own account`
    : "restore the former address and token (cloudinfra:url and cloudinfra:token, or CLOUDINFRA_URL and CLOUDINFRA_TOKEN)";
  const restarted = restartAdvice(recorded, current);
  return restarted ? `${restarted}. Otherwise, ${restored}` : restored.replace(/^./, (letter) => letter.toUpperCase());
}

/**
 * The advice if an address of this machine now leads to another account. Undefined for other addresses. The address can
 * also be that of a tunnel, and without its stack, no command would find the objects of a real account. The command names
 * the stack, because another one can be selected.
 */
export const restartAdvice = (recorded: AccountIdentity, current: AccountIdentity): string | undefined =>
  recorded.address === current.address && isLocal(recorded.address)
    ? 'Only if the address is that of an emulator that was restarted without --data, and not of a tunnel to a service, remove the stack with "pulumi stack rm --force --preserve-config NAME": its account does not exist any more'
    : undefined;

const MIGRATE =
  'To move the stack to the other account on purpose, run "npx cloudinfra migrate --account", which first looks up every object there';
