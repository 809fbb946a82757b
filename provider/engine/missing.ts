import { z } from "zod";
import type { Kind } from "./definition";
import { AllMissingError } from "./errors";
import { type Host, perConnection } from "./host";
import { idParts } from "./identity";

/** Environment variable by which the user confirms that all objects of a stack were deleted. */
const ACCEPT_ALL_DELETED = "CLOUDINFRA_ACCEPT_ALL_DELETED";

/** Number of missing objects that count as deleted even if no object of the stack was found. */
export const MAX_UNCONFIRMED = 3;

/**
 * Milliseconds without another read after which a refresh that has found no object is decided. Pulumi starts only a few
 * reads at once, and waits for one of them before it starts the next.
 */
const IDLE_MS = 500;

/**
 * The reads of a refresh over one connection. An address of another service, or a reset account, has none of a stack's
 * objects, so objects only count as deleted once another object of the stack was found.
 */
class RefreshReads {
  #inProgress = 0;
  /** Number of reads that have started or ended so far, which shows whether there was another one. */
  #events = 0;
  #isFound = false;
  #missing = 0;
  #pending: { release(): void; reject(error: Error): void }[] = [];
  #isWaiting = false;

  /** Awaits the read of an object. `identifiesAccount`: whether its existence proves that the account is the stack's. */
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
    if (found === undefined) await host.withDeadline(this.#confirmed(host), "the other objects of the refresh");
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

  /** Decides about the missing objects when no read has started or ended for a moment. */
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
      `the ${this.#missing} objects that this refresh has read`,
      await host.account(),
      `set ${ACCEPT_ALL_DELETED}=1 and run the command again`,
    );
    for (const { reject } of pending) reject(error);
  }
}

const refreshReadsOf = perConnection(() => new RefreshReads());

/**
 * Awaits the read of an object for a refresh. If the object is missing, waits until the refresh has found another
 * object of the stack. If more than three objects are missing and none is found, they may be those of another account,
 * so the refresh fails.
 */
export const readForRefresh = <T>(kind: Kind, host: Host, reading: Promise<T | undefined>): Promise<T | undefined> =>
  refreshReadsOf(host).track(host, isAccountSpecific(kind), reading);

/** Whether the id belongs to one account only. The contact of the account exists in each of them. */
export const isAccountSpecific = (kind: Kind): boolean =>
  Object.values(idParts(kind)).some((part) => !(part instanceof z.core.$ZodLiteral));
