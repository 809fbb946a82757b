import { z } from "zod";
import { isNotFound, isUnauthorized } from "../client/errors";
import type { Kind } from "./definition";
import { AllMissingError, MaybeHiddenError } from "./errors";
import { type Host, perConnection } from "./host";
import { displayNameOf, idParts } from "./identity";
import type { Bag } from "./values";

/** Environment variable by which the user confirms that objects which are not found were deleted. */
const ACCEPT_ALL_DELETED = "CLOUDINFRA_ACCEPT_ALL_DELETED";

/** Number of missing objects that count as deleted even if no object of the stack was found. */
export const MAX_UNCONFIRMED = 3;

/**
 * Milliseconds without another read or deletion after which a command that has found no object is decided. Pulumi starts
 * only a few of them at once, and waits for one before it starts the next.
 */
const IDLE_MS = 500;

/**
 * The search of a refresh or of deletions for a stack's objects over one connection. Another account, or one that was
 * reset, has none of them, so objects only count as deleted once another object of the stack was found.
 */
class Search {
  #inProgress = 0;
  /** Number of reads or deletions that have started or ended so far, which shows whether there was another one. */
  #events = 0;
  #isFound = false;
  #missing = 0;
  #pending: { release(): void; reject(error: Error): void }[] = [];
  #isWaiting = false;

  constructor(readonly command: string) {}

  /**
   * Awaits the read or deletion of an object, whose result is undefined if the object does not exist.
   * `identifiesAccount`: whether its existence proves that the account is the stack's.
   */
  async track<T>(host: Host, identifiesAccount: boolean, reading: Promise<T | undefined>): Promise<T | undefined> {
    this.#inProgress++;
    this.#events++;
    let found: T | undefined;
    try {
      found = await reading;
    } finally {
      this.#inProgress--;
      this.#events++;
      void this.#decide(host);
    }
    if (found === undefined) await host.withDeadline(this.#confirmed(host), `the other objects of the ${this.command}`);
    else if (identifiesAccount) this.#release();
    return found;
  }

  /** Resolves once the missing object counts as deleted. */
  #confirmed(host: Host): Promise<void> {
    this.#missing++;
    if (this.#isFound || process.env[ACCEPT_ALL_DELETED]) return Promise.resolve();
    return new Promise((release, reject) => {
      this.#pending.push({ release, reject });
      void this.#decide(host);
    });
  }

  #release(): void {
    this.#isFound = true;
    for (const { release } of this.#pending.splice(0)) release();
  }

  /** Decides about the missing objects when no read or deletion has started or ended for a moment. */
  async #decide(host: Host): Promise<void> {
    if (this.#isWaiting || this.#inProgress || !this.#pending.length) return;
    this.#isWaiting = true;
    const events = this.#events;
    await host.sleep(IDLE_MS);
    this.#isWaiting = false;
    if (this.#events !== events) return this.#decide(host);
    if (this.#missing <= MAX_UNCONFIRMED) for (const { release } of this.#pending.splice(0)) release();
    else await this.#rejectAll(host);
  }

  async #rejectAll(host: Host): Promise<void> {
    const pending = this.#pending.splice(0);
    const error = new AllMissingError(
      `the ${this.#missing} objects that this ${this.command} has looked for`,
      await host.account(),
      `set ${ACCEPT_ALL_DELETED}=1 and run the command again`,
    );
    for (const { reject } of pending) reject(error);
  }
}

/** An object that a refresh, an update or a deletion looks for. */
interface Sought {
  kind: Kind;
  host: Host;
  path: Bag;
  want: Bag;
  state: Bag;
}

const refreshOf = perConnection(() => new Search("refresh"));
const destroyOf = perConnection(() => new Search("destroy"));

/**
 * Awaits the read of an object for a refresh. If the object is missing, waits until the refresh has found another
 * object of the stack. If more than three objects are missing and none is found, they may be those of another account,
 * so the refresh fails.
 */
export async function readForRefresh<T>(target: Sought, reading: Promise<T | undefined>): Promise<T | undefined> {
  const { kind, host } = target;
  const found = await refreshOf(host).track(host, isAccountSpecific(kind), reading);
  if (!found) await requireVisible(target);
  return found;
}

const verified = new WeakSet<Host["connection"]>();

/** Notes that the account of a connection has the id that the stack's state records. */
export const noteVerifiedAccount = ({ connection }: Pick<Host, "connection">): void => {
  verified.add(connection);
};

/**
 * Awaits a deletion. `deletion` results in whether the object existed. An object that did not exist counts as deleted
 * under the same conditions as in a refresh, unless the account is known to be that of the stack.
 */
export async function confirmedDeletion(target: Sought, deletion: Promise<boolean>): Promise<void> {
  const { kind, host } = target;
  const existed = deletion.then((found) => found || undefined);
  const found = await (verified.has(host.connection)
    ? existed
    : destroyOf(host).track(host, isAccountSpecific(kind), existed));
  if (!found) await requireVisible(target);
}

/**
 * Throws an error if an object that was not found may exist, because the token's user is restricted, unless the user of
 * the provider has confirmed that it was deleted.
 */
export async function requireVisible({ kind, host, ...named }: Sought): Promise<void> {
  if (!isAccountSpecific(kind) || process.env[ACCEPT_ALL_DELETED]) return;
  if (await isRestricted(host))
    throw new MaybeHiddenError(
      displayNameOf({ kind, ...named }),
      `set ${ACCEPT_ALL_DELETED}=1 and run the command again`,
    );
}

/** The scope of the list of logins, which the service shows only to unrestricted users. */
const LOGINS_SCOPE = "account:read_only";

const restriction = perConnection((): { isRestricted?: Promise<boolean> } => ({}));

/**
 * Whether the token's user is restricted: the service responds with 404 for each object for which such a user has no
 * grant. It is looked up once per connection. False if the token may not read what shows it.
 */
export function isRestricted(host: Host): Promise<boolean> {
  const lookup = restriction(host);
  lookup.isRestricted ??= lookUpRestriction(host).catch((error: unknown) => {
    delete lookup.isRestricted;
    throw error;
  });
  return lookup.isRestricted;
}

async function lookUpRestriction({ api, tokenHas }: Host): Promise<boolean> {
  if (tokenHas(LOGINS_SCOPE) === false) return false;
  try {
    await api.logins.list({ query: { page_size: 25 } });
    return false;
  } catch (error) {
    if (isUnauthorized(error)) return tokenHas(LOGINS_SCOPE) === true;
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Whether the id belongs to one account only. The contact of the account exists in each of them. */
export const isAccountSpecific = (kind: Kind): boolean =>
  Object.values(idParts(kind)).some((part) => !(part instanceof z.core.$ZodLiteral));
