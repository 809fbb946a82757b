import { isObject, redact, secretsIn, toWire } from "../../api";
import { detectDrift, inBucket } from "../../drift";
import type { World } from "../../emulator";
import { importAccount } from "../../import";
import type { Host } from "../../provider/engine/host";
import { type KindName, kinds } from "../../provider/resources";
import type { ProviderType } from "../../stack/migration";
import { lastOf } from "../lifecycle/expectations";
import { exported } from "../lifecycle/exported";
import { type Inventory, inventory, less } from "../lifecycle/scenario";
import { past } from "../rows";
import type { Account } from "./account";
import { type Known, type Resource, unknown } from "./program";
import type { Stack } from "./stack";
import { expectNone, Violation } from "./violation";

/**
 * A bucket that every account has from the start. Creating the first bucket enables object storage, which stays enabled
 * after `pulumi destroy`, so an account without this bucket would differ before and after a test.
 */
export const OTHER_BUCKET = "other";

/** The emulator's tables that may contain rows after `pulumi destroy`, for example finished jobs. */
const remains = { ...past, jobs: true, managedComputeSettings: true } as const;

export const left = (world: World): Inventory => inventory(world, remains);

export function expectNothingLeft(before: Inventory, after: Inventory): void {
  for (const [table, ids] of Object.entries(less(after, before)))
    throw new Violation(`${table} still has ${ids.join(", ")} after destroy`);
}

/** Kinds whose tables also contain objects that no resource declares one by one, such as the addresses of an instance. */
const shared: readonly KindName[] = ["FirewallDevice", "InstanceIp", "InstanceSnapshot", "Tag"];

/**
 * Ids of objects that no resource manages because the service creates and deletes them together with another object,
 * such as the nodes of a cluster. The keys are the emulator's tables.
 */
function parts(world: World, stack: Stack): Record<string, Set<string | number>> {
  const nodes = new Set(world.lkeNodes.all().flatMap(({ instance_id }) => instance_id ?? []));
  const deployed = new Set(
    stack.entries.flatMap(({ resource, state }) =>
      resource.kind === "Instance" && state?.inputs.image ? [Number(state.id)] : [],
    ),
  );
  const isTheirs = ({ compute_id }: { compute_id: number }) => nodes.has(compute_id) || deployed.has(compute_id);
  return {
    instances: nodes,
    disks: new Set(world.disks.where(isTheirs).map(({ id }) => id)),
    instanceConfigs: new Set(world.instanceConfigs.where(isTheirs).map(({ id }) => id)),
    lkePools: new Set(poolsOf(stack).map(lastOf)),
    objectStorageBuckets: new Set([`us-east-1/${OTHER_BUCKET}`]),
  };
}

export const poolsOf = (stack: Stack): string[] =>
  stack.entries.flatMap(({ resource, state }) =>
    resource.kind === "LkeCluster" && isObject(state?.outs.poolIds)
      ? Object.values(state.outs.poolIds).map((pool) => `${state.id}/${pool}`)
      : [],
  );

/**
 * Expects that every object in the account belongs to a resource of the stack, and that every resource has an object.
 */
export async function expectEqual(account: Account, stack: Stack, known: Known): Promise<void> {
  account.service.settle();
  const { world } = account;
  const owned = parts(world, stack);
  const kindsWithRows = [...known].filter(([kind]) => !shared.includes(kind));
  // Several kinds can manage the objects of a table, such as Volume and VolumeClone.
  for (const table of new Set(kindsWithRows.flatMap(([, data]) => data.table ?? []))) {
    const rows = world.tables.get(table)?.all() ?? [];
    const existing = rows.map(({ id }) => id).filter((id) => !owned[table]?.has(id));
    const declared = stack.entries.flatMap(({ resource, state }) => {
      const data = known.get(resource.kind as KindName);
      return data?.table === table && state ? [data.row(state.id)] : [];
    });
    if (existing.map(String).sort().join() !== declared.map(String).sort().join())
      throw new Violation(`${table}: the account has ${existing.join(", ")}, the stack ${declared.join(", ")}`);
  }
  for (const { resource, condemned } of stack.entries)
    if (condemned.length) throw new Violation(`${resource.name}: a replaced object is not deleted`);
}

/** Expects that `cloudinfra drift --unmanaged` finds nothing, and that `cloudinfra import` has nothing to import. */
export async function expectNoDrift(stack: Stack, host: Host, provider: ProviderType): Promise<void> {
  const { unmanaged, imported } = await unmanagedObjects(stack, host, provider);
  expectNone("drift lists as unmanaged", unmanaged);
  expectNone("import takes", imported);
}

/**
 * The objects, such as `Volume 640144`, that `cloudinfra drift --unmanaged` lists and that `cloudinfra import` would
 * import. Expects that the check finds no drift of the stack's resources.
 */
export async function unmanagedObjects(
  stack: Stack,
  host: Host,
  provider: ProviderType,
): Promise<{ unmanaged: string[]; imported: string[] }> {
  const rows = stack.entries.flatMap(({ resource: { kind, name }, state }) =>
    state ? [{ kind, name, id: state.id, inputs: state.inputs, outs: state.outs }] : [],
  );
  const state = exported(rows, { provider });
  const report = await detectDrift({ states: [state], account: { host }, unmanaged: true });
  expectNone(
    "drift finds",
    inBucket(report, "drift").map((finding) => JSON.stringify(finding)),
  );
  expectNone(
    "drift cannot read",
    report.unread.map((one) => JSON.stringify(one)),
  );
  const unmanaged = report.unmanaged?.objects.map(({ kind, id }) => `${kind} ${id}`) ?? [];
  const { resources } = await importAccount({ project: "shop", provider, state, account: { host } });
  // If a program stops to declare the reverse name of an address, the name stays and is no longer managed.
  const addresses = rows
    .filter(({ kind }) => kind === "InstanceIp")
    .map(({ id }) => `ReverseDns ${id.split("/").at(-1)}`);
  const imported = resources
    .map(({ kind, resource: { id } }) => `${kind} ${id}`)
    .filter((one) => !addresses.includes(one));
  const others = (objects: readonly string[]) => objects.filter((one) => !one.endsWith(`/${OTHER_BUCKET}`));
  return { unmanaged: others(unmanaged), imported: others(imported) };
}

/**
 * The secrets that programs declare. A secret is omitted if its value also occurs in an input that is not secret, for
 * example an email address.
 */
export function secretsOf(resources: readonly Resource[]): string[] {
  const declared = resources.map(({ kind, inputs }) => {
    const { inputs: schema } = kinds[kind];
    const wire = toWire(
      schema,
      inputs(() => unknown),
    );
    return { secrets: secretsIn(schema, wire), shown: JSON.stringify(redact(schema, wire)) };
  });
  const shown = declared.map((one) => one.shown).join();
  // Short numbers, such as the year in which a card expires, can be part of an id, so finding them in a text does not
  // mean that a secret has leaked.
  const isDistinct = (secret: string): boolean => !/^\d{0,4}$/.test(secret) && !shown.includes(secret);
  return [...new Set(declared.flatMap(({ secrets }) => secrets))].filter(isDistinct);
}

export function expectHidden(secrets: readonly string[], texts: readonly string[]): void {
  const text = texts.join("\n");
  for (const secret of secrets)
    if (text.includes(secret)) throw new Violation(`the secret ${secret} is shown in ${text}`);
}
