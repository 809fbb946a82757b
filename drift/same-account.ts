import type { Unread } from "../account/reading";
import { AllMissingError } from "../provider/engine/errors";
import type { Host } from "../provider/engine/host";
import { isAccountSpecific, isRestricted, MAX_UNCONFIRMED } from "../provider/engine/missing";
import { accountText, currentAccount, requireSameAccount } from "../provider/pulumi/account";
import { type StateResource, stackIn } from "../stack/state";
import { unreadOf } from "./accounts";
import { setsToken } from "./places";

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

/** A resource after its object was looked for. */
export interface Searched {
  resource: StateResource;
  result: { isDeleted: boolean };
}

/**
 * Returns whether resources show that the account at hand is theirs: the object of one of them exists there, or the state
 * of one records the id of this account. All objects of such resources can have been deleted.
 */
export async function accountProof(
  read: readonly Searched[],
  host: Host,
): Promise<(searched: readonly Searched[]) => boolean> {
  const isRecorded = read.some(({ resource }) => resource.account?.id !== undefined);
  const id = isRecorded ? (await currentAccount(host)).id : undefined;
  return (searched) =>
    searched.some(({ resource, result }) => !result.isDeleted || (id !== undefined && resource.account?.id === id));
}

/**
 * The resources that probably belong to another account at the same address: if several stacks or providers have tokens
 * of their own, the check has the token of only one of them, and none of the others' objects exists for it.
 */
export function deletedElsewhere(
  read: readonly Searched[],
  isOfThisAccount: (searched: readonly Searched[]) => boolean,
): StateResource[] {
  const byId = Map.groupBy(read, ({ resource }) => resource.account?.id);
  const byToken = Map.groupBy(read, ({ resource }) => tokenOf(resource));
  const ids = [...byId.keys()].filter((id) => id !== undefined);
  if (byToken.size < 2 && ids.length < 2) return [];
  // Of one stack, some resources can record only the address, for example because a token had fewer scopes.
  const isHereByToken = new Map([...byToken].map(([token, group]) => [token, isOfThisAccount(group)]));
  const isHereById = new Map(ids.map((id) => [id, isOfThisAccount(byId.get(id) ?? [])]));
  return read.flatMap(({ resource }) => {
    const id = resource.account?.id;
    return (id === undefined ? isHereByToken.get(tokenOf(resource)) : isHereById.get(id)) ? [] : [resource];
  });
}

/** The source of a resource's token: the environment, or the provider that sets it, by itself or in its stack's configuration. */
const tokenOf = (resource: StateResource): string =>
  setsToken(resource.provider) ? `${stackIn(resource)} ${resource.provider?.urn}` : "";

/** The resources whose objects were not found, although they may exist, because the token's user is restricted. */
export async function perhapsHidden(read: readonly Searched[], host: Host): Promise<StateResource[]> {
  const missing = read.flatMap(({ resource, result }) =>
    result.isDeleted && isAccountSpecific(resource.kind) ? [resource] : [],
  );
  return missing.length && (await isRestricted(host)) ? missing : [];
}

/** Throws an error if more than three objects were read and none exists, because the account may be the wrong one. */
export async function requireSomeObject(
  read: readonly Searched[],
  isOfThisAccount: (searched: readonly Searched[]) => boolean,
  host: Host,
): Promise<void> {
  const specific = read.filter(({ resource }) => isAccountSpecific(resource.kind));
  if (specific.length <= MAX_UNCONFIRMED || isOfThisAccount(specific)) return;
  throw new AllMissingError(
    `the ${specific.length} objects in the state`,
    await host.account(),
    "add --accept-all-deleted (acceptAllDeleted for detectDrift)",
  );
}
