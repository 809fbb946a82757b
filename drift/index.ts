import { UnreachableAccountError } from "../account/errors";
import { type Inventory, inventoryOf, leftOut, unlisted, unrecognizable, withInventory } from "../account/inventory";
import type { Unread } from "../account/reading";
import { type Account, type Readings, readEach } from "../account/reading";
import { counted, joined } from "../api";
import { alphabet } from "../provider/pulumi/order";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { accountFilter } from "../stack/account";
import type { BackendStates } from "../stack/backend";
import {
  type ExportedState,
  type StackState,
  type StateResource,
  stackStatesOf,
  statesOfBackend,
  type UnusableResource,
} from "../stack/state";
import { type AccountOptions, type Accounts, accountsOf, type CheckedAccount, unreadOf } from "./accounts";
import { type Comparison, compare, containers, notReturned } from "./compare";
import { everyAccount, type TokenLookup } from "./every-account";
import { failureOf, failuresOf } from "./failures";
import { type AllowList, allowLine, sorted } from "./findings";
import type { DriftReport, Failure, Finding, NotCompared } from "./model";
import { objectsOf } from "./objects";
import { programChangesIn } from "./program";
import { accountProof, deletedElsewhere, ofThisAccount, perhapsHidden, requireSomeObject } from "./same-account";
import { Scope, type ScopeOptions } from "./scope";
import { partsOfManaged, unmanagedIn } from "./unmanaged";

export { AuthenticationError, UnreachableAccountError } from "../account/errors";
export { TimeLimit } from "../provider/pulumi/time-limit";
export { StateError } from "../stack/errors";
export type { ExportedState } from "../stack/state";
export { AllowListError, KindError } from "./errors";
export type { TokenLookup } from "./every-account";
export { ALLOW_LIST, type AllowEntry, type AllowList, allowListIn } from "./findings";
export { DriftReport, type ExitCode, exitCodeOf, type Finding, inBucket } from "./model";
export { kindsNamed, type ScopeOptions } from "./scope";

export interface DriftOptions extends AccountOptions, ScopeOptions {
  /** Exported states of one or more stacks. Secrets in them are not decrypted. */
  states: readonly ExportedState[];
  /**
   * Set it for the stacks of a whole backend: each account of the stacks is then read once, at its own address and with a
   * token of its stacks. A stack that cannot be checked is reported in `failures`, and the others are checked.
   */
  backend?: BackendOptions | undefined;
  /** Differences that do not count as drift. */
  allowList?: AllowList | undefined;
  /** An earlier report. Its findings do not count as drift again. */
  baseline?: Pick<DriftReport, "findings"> | undefined;
  /**
   * Whether the objects may all be missing, or missing for a restricted user. By default, it is an error if more than three
   * are missing and none is found, and for a restricted user, missing objects count as not checked.
   */
  acceptAllDeleted?: boolean | undefined;
  /** Outputs of `pulumi preview --json`. If set, the report contains the changes that the programs would make. */
  previews?: readonly unknown[] | undefined;
  /** Time of the check, to which expiry dates are compared. Defaults to the current time. */
  now?: Date | undefined;
  /** The time limit of the check. Resources that are not read within it are not checked. Defaults to no limit. */
  limit?: TimeLimit | undefined;
  /** A connection to use instead of `url` and `token`. The caller must close it. */
  account?: Pick<Account, "host"> | undefined;
}

export interface BackendOptions {
  tokenOf: TokenLookup;
  /** Stacks whose states could not be read. */
  unreadable?: BackendStates["unreadable"] | undefined;
  /** Stacks that are not checked. Their objects are not listed as unmanaged. */
  others?: BackendStates | undefined;
}

/** Compares the states of stacks with the account. Sends only GET requests. */
export async function detectDrift(options: DriftOptions): Promise<DriftReport> {
  const scope = new Scope(options);
  if (options.backend) return checkBackend(options, scope, options.backend);
  const stacks = stackStatesOf(options.states);
  const resources = stacks.flatMap((stack) => stack.resources);
  const isNeeded = scope.unmanaged || resources.length > 0;
  if (options.account)
    return check(options, scope, stacks, {
      accounts: [{ ...options.account, resources, holders: stacks.flatMap(({ holders }) => holders) }],
      unread: [],
    });
  await using accounts = isNeeded ? accountsOf(stacks, options) : none;
  return await check(options, scope, stacks, accounts);
}

/** Compares all stacks of a backend with their accounts. */
async function checkBackend(
  options: DriftOptions,
  scope: Scope,
  { tokenOf, unreadable = [], others }: BackendOptions,
): Promise<DriftReport> {
  const { stacks, unusable } = statesOfBackend(options.states);
  const rest = statesOfBackend(others?.states ?? []);
  await using found = await everyAccount(stacks, rest.stacks, tokenOf, scope, options);
  const unread = [...unreadable, ...unusable].map(({ name, error }) => failureOf(name, error));
  const failures = [...unread, ...found.failures];
  const report = await check(options, scope, stacks, { accounts: found.accounts, unread: [], failures });
  const unknown = [...unreadable, ...unusable, ...(others?.unreadable ?? []), ...rest.unusable].map(({ name }) => name);
  if (scope.unmanaged && unknown.length)
    report.notes.push(`objects of ${listed(unknown)} can be listed as unmanaged, because the state could not be read`);
  return report;
}

/** Maximum number of stacks that a note names. */
const MAX_NAMES = 5;

const listed = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(", ")}${rest > 0 ? ` and ${counted(rest, "other stack")}` : ""}`;
};

const none: Accounts = { accounts: [], unread: [], [Symbol.asyncDispose]: async () => {} };

async function check(
  options: DriftOptions,
  scope: Scope,
  stacks: readonly StackState[],
  { accounts, unread: elsewhere, failures: failed }: Pick<Accounts, "accounts" | "unread"> & { failures?: Failure[] },
): Promise<DriftReport> {
  const { allowList = { accept: [] }, baseline, now = new Date() } = options;
  const compared = stacks.map(scope.comparedIn);
  const resources = compared.flatMap((stack) => stack.resources);
  const { readings, failures } = await readAll(accounts, options, scope, failed);
  const done = readings.flatMap((reading) => reading.done);
  const found = readings.flatMap((reading) => findingsOfAccount(reading.done, now));
  const { findings, notes } = sorted(found, {
    allowList,
    baseline,
    now,
    omitted: stacks.flatMap(scope.omittedIn),
  });
  const unread = [...compared.flatMap(unusableIn), ...elsewhere, ...readings.flatMap((reading) => reading.unread)];
  const unmanaged = readings.flatMap((reading) => reading.unmanaged ?? []);
  const result = {
    findings,
    unread: unread.filter(({ kind }) => scope.covers(kind)),
    ...(unmanaged.length && { unmanaged: shareOf(unmanaged) }),
  };
  const observed = done.map(({ resource, result: { title, observed } }) => ({ ...resource, title, observed }));
  return {
    schemaVersion: 1,
    checkedAt: now.toISOString(),
    stacks: compared.map((stack) => ({ name: stack.name, resources: countIn(stack), foreign: stack.foreign })),
    ...scope.limits,
    ...result,
    ...(failures && { failures: [...failures].sort((a, b) => alphabet.compare(a.stack, b.stack)) }),
    coverage: {
      resources: compared.reduce((sum, stack) => sum + countIn(stack), 0),
      checked: done.length,
      notCompared: resources.flatMap(notComparedOf),
    },
    ...(options.previews && { program: options.previews.flatMap((preview) => programChangesIn(preview, scope)) }),
    objects: objectsOf(observed, result),
    notes: [
      ...missingStateNotes(compared, scope),
      ...compared.flatMap(deletionsIn),
      ...compared.flatMap(interruptionsIn),
      ...(scope.unmanaged
        ? [...unlisted(scope.covers).map(unlistedNote), ...unrecognizable(scope.covers).map(unrecognizableNote)]
        : []),
      ...(scope.unmanaged && !unmanaged.length
        ? ["unmanaged objects are not known, because no list of an account could be read"]
        : []),
      ...notes,
    ],
  };
}

interface AccountReading extends Readings<StateResource, Comparison> {
  unmanaged?: ReturnType<typeof unmanagedIn>;
}

/**
 * Reads all accounts with something to compare or to list. If one of several cannot be read at all, its resources are
 * not checked; if none can be read, that is an error. In a check of a backend (`failed`), the stacks of such an account
 * are added to those that failed before.
 */
async function readAll(
  all: readonly CheckedAccount[],
  options: DriftOptions,
  scope: Scope,
  failed: readonly Failure[] | undefined,
): Promise<{ readings: AccountReading[]; failures: Failure[] | undefined }> {
  const accounts = all.filter(({ resources }) => scope.isRead(resources));
  const outcomes = await Promise.allSettled(accounts.map((account) => readAccount(account, options, scope)));
  const [first] = outcomes;
  if (!failed && first?.status === "rejected" && outcomes.every(({ status }) => status === "rejected"))
    throw first.reason;
  const failures = [...(failed ?? [])];
  const readings = outcomes.map((outcome, i): AccountReading => {
    if (outcome.status === "fulfilled") return outcome.value;
    const resources = accounts[i]?.resources ?? [];
    const error = outcome.reason as Error;
    if (!failed) return { done: [], unread: unreadOf(resources, error.message) };
    failures.push(...failuresOf(resources, () => error, scope));
    return { done: [], unread: [] };
  });
  return { readings, failures: failed && failures };
}

async function readAccount(
  { host: unlimited, resources: all, holders }: CheckedAccount,
  { limit, acceptAllDeleted }: DriftOptions,
  scope: Scope,
): Promise<AccountReading> {
  const host = limit ? limit.bound(unlimited) : unlimited;
  const { resources, unread: ofOthers } = await ofThisAccount(all, host);
  const inventory = scope.unmanaged
    ? await inventoryOf(host, partsOfManaged(resources), limit, scope.covers)
    : undefined;
  const isHere = await accountFilter(host, inventory ? holders : []);
  if (inventory?.failure && !inventory.objects.length) throw new UnreachableAccountError(inventory.failure);
  const account = inventory ? withInventory(host, inventory) : host;
  const compared = scope.comparedOf(resources);
  const read = await readEach(compared, (resource) => compare(resource, account), limit);
  const { done, unread, failure } = read;
  if (failure && !done.length && !inventory?.objects.length) throw new UnreachableAccountError(failure);
  const isOfThisAccount = await accountProof(done, host);
  const others = deletedElsewhere(done, isOfThisAccount);
  if (!acceptAllDeleted) await requireSomeObject(done, isOfThisAccount, host);
  const certain = done.filter(({ resource }) => !others.includes(resource));
  const hidden = acceptAllDeleted ? [] : await perhapsHidden(certain, host);
  return {
    done: certain.filter(({ resource }) => !hidden.includes(resource)),
    unread: [
      ...ofOthers,
      ...unread,
      ...unreadOf(
        others,
        "none of the objects of their provider exists in the account of this token, so the provider may use another account. Check them with its token",
      ),
      ...unreadOf(
        hidden,
        "its object was not found, but it may exist: the token's user is restricted, and does not see objects without a grant. If it was deleted, add --accept-all-deleted (acceptAllDeleted for detectDrift)",
      ),
      ...(inventory ? [...failedLists(inventory, read), ...leftOut(inventory, "not listed as unmanaged")] : []),
    ],
    ...(inventory && isListed(inventory) && { unmanaged: unmanagedIn(inventory, holders.filter(isHere)) }),
  };
}

/** Whether a list could be read. Otherwise, neither the unmanaged objects nor the share of the managed ones is known. */
const isListed = ({ objects, unread }: Inventory): boolean => objects.length > 0 || !unread.length;

/** Notes about stacks in which there is nothing to check. Many of them have one note. */
function missingStateNotes(stacks: readonly StackState[], { isLimited }: Scope): string[] {
  const which = `resources of this provider${isLimited ? " that the check covers" : ""}`;
  const names = stacks.flatMap((stack) => (countIn(stack) ? [] : [stack.name]));
  if (names.length > MAX_NAMES) return [`${listed(names)} have no ${which}, so nothing in them was checked`];
  return names.map((name) => `${name} has no ${which}, so nothing in it was checked`);
}

const unlistedNote = ({ kinds, unread }: ReturnType<typeof unlisted>[number]): string =>
  `unmanaged objects of the ${kinds.length > 1 ? "kinds" : "kind"} ${joined(kinds, "and")} are not listed, because ${unread} is not read`;

const unrecognizableNote = ({ created, creator, unread }: ReturnType<typeof unrecognizable>[number]): string =>
  `objects of the kind ${created} can be listed as unmanaged although an object of the kind ${creator} created them, because ${unread} is not read`;

/** Notes about objects that are in the account only because Pulumi has not deleted them yet after a replacement. */
const deletionsIn = ({ name: stack, holders }: StackState): string[] =>
  holders.flatMap(({ relation, kind, name, id }) =>
    relation === "deleting"
      ? [
          `${kind} ${id} is not compared, because ${stack}/${kind}/${name} was replaced and the next update deletes this object`,
        ]
      : [],
  );

/**
 * The failed lists of an account without those of kinds whose resources could not be read one by one either, so that the
 * problem is not reported twice.
 */
function failedLists({ unread }: Inventory, read: Readings<StateResource, Comparison>): Unread[] {
  const isReported = (kind: string): boolean =>
    read.unread.some((one) => one.kind === kind) && !read.done.some(({ resource }) => resource.kind.name === kind);
  return unread.filter(({ kind }) => !isReported(kind));
}

function shareOf(all: readonly ReturnType<typeof unmanagedIn>[]): NonNullable<DriftReport["unmanaged"]> {
  const objects = all.flatMap(({ unmanaged }) => unmanaged);
  const managed = all.reduce((sum, one) => sum + one.managed, 0);
  const count = managed + objects.length;
  return { managed, percent: count ? Math.floor((1000 * managed) / count) / 10 : 100, objects };
}

function findingsOf({ address, urn, kind, name, id }: StateResource, comparison: Comparison, now: Date): Finding[] {
  const { title, isDeleted, changed, unmanaged } = comparison;
  const resource = { address, urn, kind: kind.name, name, id, title };
  if (isDeleted) return [{ ...resource, bucket: "drift", type: "deleted", allow: allowLine({ address }, now) }];
  return [...changed.map((change) => ({ ...change, bucket: "drift" as const })), ...ignored(unmanaged)].map(
    ({ path, before, after, bucket, ...more }) => ({
      ...resource,
      bucket,
      type: "changed",
      path,
      ...(before !== undefined && { expected: before }),
      ...(after !== undefined && { actual: after }),
      ...("reason" in more && { reason: String(more.reason) }),
      allow: allowLine({ address, path }, now),
    }),
  );
}

const ignored = (group: Comparison["unmanaged"]) => group.map((one) => ({ ...one, bucket: "ignored" as const }));

/**
 * The findings of one account, because ids are unique only there. If an object was deleted together with the object that
 * contains it, such as a record with its domain, lists it in the finding of the containing object instead of a finding of
 * its own.
 */
function findingsOfAccount(done: AccountReading["done"], now: Date): Finding[] {
  const deleted = done.flatMap(({ resource, result }) => (result.isDeleted ? [resource] : []));
  const containerOf = containers(deleted);
  const containingOf = new Map(
    deleted.flatMap((part) => {
      const containing = containerOf(part);
      return containing ? [[part, containing] as const] : [];
    }),
  );
  const partsOf = Map.groupBy(containingOf.keys(), (part) => containingOf.get(part));
  return done
    .filter(({ resource }) => !containingOf.has(resource))
    .flatMap(({ resource, result }) => {
      const findings = findingsOf(resource, result, now);
      const children = partsOf.get(resource)?.map(({ address }) => address);
      return children ? findings.map((finding) => ({ ...finding, children: children.sort() })) : findings;
    });
}

/** The resources of a stack that cannot be compared: those without an object in state, or with a state that is not usable. */
function notComparable({ resources, unusable, unfinished }: StackState): UnusableResource[] {
  const known = new Set([...resources, ...unusable].map(({ address }) => address));
  return [...unusable, ...unfinished.filter(({ address }) => !known.has(address))];
}

const countIn = (stack: StackState): number =>
  stack.resources.length + new Set(notComparable(stack).map(({ address }) => address)).size;

/** Notes about pending operations on resources that are compared all the same. */
const interruptionsIn = (stack: StackState): string[] => {
  const listed = new Set(notComparable(stack));
  return stack.unfinished.flatMap((one) => (listed.has(one) ? [] : [`${one.address}: ${one.reason}`]));
};

const unusableIn = (stack: StackState): Unread[] =>
  [...Map.groupBy(notComparable(stack), ({ kind, reason }) => JSON.stringify([kind, reason])).values()].map(
    (group) => ({
      kind: group[0]?.kind ?? "",
      reason: group[0]?.reason ?? "",
      resources: group.map(({ address }) => address),
    }),
  );

function notComparedOf(resource: StateResource): NotCompared[] {
  const { address, secret } = resource;
  const hidden = notReturned(resource);
  return secret.length || hidden.length ? [{ address, secret, notReturned: hidden }] : [];
}
