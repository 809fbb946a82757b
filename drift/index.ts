import type { Host } from "../provider/engine/host";
import { type Account, accountAt, readEach } from "./account";
import { type Comparison, compare, containers, notReturned } from "./compare";
import { type AllowList, allowLine, sorted } from "./findings";
import type { DriftReport, Finding, NotCompared, Unread } from "./model";
import { objectsOf } from "./objects";
import { programChangesIn } from "./program";
import { addressOf, type ExportedState, type StackState, type StateResource, stackStateOf } from "./state";
import { inventoryOf, unmanagedIn, withInventory } from "./unmanaged";

export { AllowListError, AuthenticationError, StateError } from "./errors";
export { ALLOW_LIST, type AllowEntry, type AllowList, allowListIn } from "./findings";
export { DriftReport, exitCodeOf, type Finding, inBucket } from "./model";
export type { ExportedState } from "./state";

export interface DriftOptions {
  /** Exported states of one or more stacks of the same account. Secrets in them are not decrypted. */
  states: readonly ExportedState[];
  /** Base URL of the API. Defaults to `CLOUDINFRA_URL`, else to the URL in the states. */
  url?: string | undefined;
  /** Access token; read-only scopes are enough. Defaults to `CLOUDINFRA_TOKEN`. */
  token?: string | undefined;
  /** Differences that do not count as drift. */
  allowList?: AllowList | undefined;
  /** An earlier report. Its findings do not count as drift again. */
  baseline?: Pick<DriftReport, "findings"> | undefined;
  /**
   * Whether to list objects that no stack manages, too. All lists of the account are read for that. Defaults to false.
   */
  unmanaged?: boolean | undefined;
  /** Outputs of `pulumi preview --json`. If set, the report contains the changes that the programs would make. */
  previews?: readonly unknown[] | undefined;
  /** Time of the check, to which expiry dates are compared. Defaults to the current time. */
  now?: Date | undefined;
  /** A connection to use instead of `url` and `token`. The caller must close it. */
  account?: Pick<Account, "host"> | undefined;
}

/** Compares the states of stacks with the account. Sends only GET requests. */
export async function detectDrift(options: DriftOptions): Promise<DriftReport> {
  const stacks = options.states.map(stackStateOf);
  const isNeeded = options.unmanaged || stacks.some(({ resources }) => resources.length);
  if (options.account || !isNeeded) return check(options, stacks, options.account?.host);
  const { host, close } = accountOf(options, stacks);
  return check(options, stacks, host).finally(close);
}

async function check(options: DriftOptions, stacks: readonly StackState[], host?: Host): Promise<DriftReport> {
  const { allowList = { accept: [] }, baseline, now = new Date() } = options;
  const resources = stacks.flatMap((stack) => stack.resources);
  const inventory = host && options.unmanaged ? await inventoryOf(host, resources) : undefined;
  const account = host && inventory ? withInventory(host, inventory) : host;
  const { done, unread } = account
    ? await readEach(resources, (resource) => compare(resource, account))
    : { done: [], unread: [] };
  const found = done.flatMap(({ resource, result }) => findingsOf(resource, result, now));
  const { findings, notes } = sorted(folded(found, done), allowList, baseline, now);
  const result = {
    findings,
    unread: merged([...stacks.flatMap(unusableIn), ...unread, ...(inventory?.unread ?? [])]),
    ...(inventory && { unmanaged: shareOf(unmanagedIn(inventory, stacks)) }),
  };
  const observed = done.map(({ resource, result: { title, seen } }) => ({ ...resource, title, seen }));
  return {
    schemaVersion: 1,
    checkedAt: now.toISOString(),
    stacks: stacks.map(({ name, resources, unusable, foreign }) => ({
      name,
      resources: resources.length + unusable.length,
      foreign,
    })),
    ...result,
    coverage: {
      resources: stacks.reduce((sum, { resources, unusable }) => sum + resources.length + unusable.length, 0),
      checked: done.length,
      notCompared: resources.flatMap(notComparedOf),
    },
    ...(options.previews && { program: options.previews.flatMap(programChangesIn) }),
    objects: objectsOf(observed, result),
    notes: [...stacks.flatMap(deletionsIn), ...notes],
  };
}

/** Notes about objects that are in the account only because Pulumi has not deleted them yet after a replacement. */
const deletionsIn = ({ holders }: StackState): string[] =>
  holders.flatMap(({ relation, kind, id, urn }) =>
    relation === "deleting"
      ? [
          `${kind} ${id} is not compared, because ${addressOf(urn)} was replaced and the next update deletes this object`,
        ]
      : [],
  );

/**
 * If a kind's objects could be neither listed nor read one by one, keeps only the failure that names the resources, so
 * that the problem is not reported twice.
 */
const merged = (all: readonly Unread[]): Unread[] =>
  all.filter((one) => one.resources.length || !all.some((other) => other.kind === one.kind && other.resources.length));

function shareOf({ unmanaged, managed }: ReturnType<typeof unmanagedIn>): NonNullable<DriftReport["unmanaged"]> {
  const all = managed + unmanaged.length;
  return { managed, percent: all ? Math.floor((1000 * managed) / all) / 10 : 100, objects: unmanaged };
}

/**
 * Connects to the account. Address and token are from the options, else from the environment. The address can also be
 * from the states.
 */
function accountOf({ url, token }: DriftOptions, stacks: readonly StackState[]): Account {
  const { CLOUDINFRA_URL, CLOUDINFRA_TOKEN } = process.env;
  const address = url ?? (CLOUDINFRA_URL || stacks.map((stack) => stack.url).find(Boolean));
  const secret = token ?? CLOUDINFRA_TOKEN;
  if (!address) throw new Error("no API address: set CLOUDINFRA_URL, because the state does not contain one");
  if (!secret)
    throw new Error(
      "no token: set CLOUDINFRA_TOKEN, because the token in the state is encrypted; read-only access is enough",
    );
  return accountAt(address, secret, "drift");
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

const ignored = (those: Comparison["unmanaged"]) => those.map((one) => ({ ...one, bucket: "ignored" as const }));

/**
 * If an object was deleted together with the object that contains it, such as a record with its domain, lists it in the
 * finding of the containing object instead of a finding of its own.
 */
function folded(
  findings: readonly Finding[],
  done: readonly { resource: StateResource; result: Comparison }[],
): Finding[] {
  const deleted = done.flatMap(({ resource, result }) => (result.isDeleted ? [resource] : []));
  const containerOf = containers(deleted);
  const wholeOf = new Map(
    deleted.flatMap((part) => {
      const whole = containerOf(part);
      return whole ? [[part.urn, whole] as const] : [];
    }),
  );
  const parts = Map.groupBy(wholeOf, ([, whole]) => whole.urn);
  const addresses = new Map(deleted.map(({ urn, address }) => [urn, address]));
  return findings
    .filter(({ urn }) => !wholeOf.has(urn))
    .map((finding) => {
      const children = parts.get(finding.urn)?.flatMap(([urn]) => addresses.get(urn) ?? []);
      return children ? { ...finding, children: children.sort() } : finding;
    });
}

const unusableIn = ({ unusable }: StackState): Unread[] =>
  [...Map.groupBy(unusable, ({ kind, reason }) => JSON.stringify([kind, reason])).values()].map((those) => ({
    kind: those[0]?.kind ?? "",
    reason: those[0]?.reason ?? "",
    resources: those.map(({ address }) => address),
  }));

function notComparedOf(resource: StateResource): NotCompared[] {
  const { address, secret } = resource;
  const hidden = notReturned(resource);
  return secret.length || hidden.length ? [{ address, secret, notReturned: hidden }] : [];
}
