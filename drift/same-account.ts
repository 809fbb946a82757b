import type { Unread } from "../account/reading";
import { AllMissingError } from "../provider/engine/errors";
import type { Host } from "../provider/engine/host";
import { isAccountSpecific, MAX_UNCONFIRMED } from "../provider/engine/missing";
import { accountText, requireSameAccount } from "../provider/pulumi/account";
import type { StateResource } from "../stack/state";
import { unreadOf } from "./accounts";

/**
 * Separates the resources of the account at hand from those that belong to another account, which are not read. Throws
 * an error if all of them belong to others.
 */
export async function ofThisAccount(
  all: readonly StateResource[],
  host: Host,
): Promise<{ resources: StateResource[]; unread: Unread[] }> {
  const byAccount = Map.groupBy(all, ({ account }) => account && accountText(account));
  const resources: StateResource[] = [];
  const unread: Unread[] = [];
  let problem: Error | undefined;
  for (const ofAccount of byAccount.values())
    try {
      await requireSameAccount(host, ofAccount[0]?.account, { isChange: true });
      resources.push(...ofAccount);
    } catch (error) {
      problem ??= error as Error;
      unread.push(...unreadOf(ofAccount, (error as Error).message));
    }
  if (problem && !resources.length) throw problem;
  return { resources, unread };
}

/** Throws an error if more than three objects were read and none exists, because the account may be the wrong one. */
export async function requireSomeObject(
  read: readonly { resource: StateResource; result: { isDeleted: boolean } }[],
  host: Host,
): Promise<void> {
  const specific = read.filter(({ resource }) => isAccountSpecific(resource.kind));
  if (specific.length <= MAX_UNCONFIRMED || specific.some(({ result }) => !result.isDeleted)) return;
  throw new AllMissingError(
    `the ${specific.length} objects in the state`,
    await host.account(),
    "add --accept-all-deleted (acceptAllDeleted for detectDrift)",
  );
}
