import { isDeepStrictEqual } from "node:util";
import { type FoundObject, inventoryOf, withoutCreated } from "../../account/inventory";
import { objectKindOf } from "../../account/kinds";
import { isObject, toWire } from "../../api";
import { isNotFound } from "../../provider/client/errors";
import { isEqual } from "../../provider/engine/comparison";
import { type Kind, nameField } from "../../provider/engine/definition";
import { deleteObject } from "../../provider/engine/delete";
import type { Host } from "../../provider/engine/host";
import { idOf, idParts, parentPath, pathOf } from "../../provider/engine/identity";
import { uniqueInput } from "../../provider/engine/lost-create";
import { deleteAt } from "../../provider/engine/records";
import { type Bag, isUnknown, normalise } from "../../provider/engine/values";
import { kinds } from "../../provider/resources";
import type { State } from "../../testing/provider";
import { isPublic } from "../lifecycle/template";
import { OTHER_BUCKET, poolsOf } from "./oracle";
import type { Resource } from "./program";
import type { Stack } from "./stack";
import { current, exists, Violation } from "./violation";

/**
 * Objects in the account that no resource of the stack manages. After Pulumi was killed, users find them with
 * `cloudinfra drift --unmanaged`.
 */
export async function unmanaged(stack: Stack, host: Host): Promise<FoundObject[]> {
  const inventory = await inventoryOf(host, "all");
  const held = new Set(
    stack.entries.flatMap(({ resource: { kind }, state, condemned }) =>
      [state, ...condemned].flatMap((one) => (one ? [`${objectKindOf(kinds[kind]).name} ${one.id}`] : [])),
    ),
  );
  for (const pool of poolsOf(stack)) held.add(`LkeNodePool ${pool}`);
  for (const { resource, state } of stack.entries)
    if (state?.inputs.devices) held.add(`devices of ${resource.kind} ${state.id}`);
  const isHeld = ({ kind, path }: FoundObject): boolean =>
    held.has(`${kind.name} ${idOf(kind, path)}`) ||
    (kind.name === "FirewallDevice" && held.has(`devices of Firewall ${path.firewallId}`));
  return withoutCreated(inventory).filter((object) => !isHeld(object) && object.row.label !== OTHER_BUCKET);
}

export const declaredIn = (program: readonly Resource[], { name }: Resource): Resource | undefined =>
  program.find((one) => one.name === name);

/**
 * Whether the next update repeats the interrupted create request and cannot create a duplicate by that, so its object
 * does not have to be adopted. This requires unchanged inputs: with another object name, for example, or in another
 * bucket, the old object would stay in the bucket.
 */
export function isRepeated(stack: Stack, resource: Resource, program: readonly Resource[]): boolean {
  const { name, identity }: Kind = kinds[resource.kind];
  if (identity.lostCreate !== "repeat" || name === "PaymentMethod") return false;
  return isUnchanged(stack, resource, program);
}

/** Whether the program declares the resource, and all resources that it refers to, with the same inputs as before. */
export function isUnchanged(stack: Stack, resource: Resource, program: readonly Resource[]): boolean {
  const declared = declaredIn(program, resource);
  if (!declared || !isDeepStrictEqual(stack.inputsOf(declared), stack.inputsOf(resource))) return false;
  const needed = stack.entries.filter(({ resource: { name } }) => declared.dependsOn.includes(name));
  return needed.every((entry) => isUnchanged(stack, entry.resource, program));
}

/** Whether the program now declares the resource inside another object, such as a node pool in another cluster. */
export function isMoved(stack: Stack, resource: Resource, program: readonly Resource[]): boolean {
  const kind: Kind = kinds[resource.kind];
  const parentsOf = (one: Resource) => parentPath(kind, toWire(kind.inputs, stack.inputsOf(one)) as Bag);
  const declared = declaredIn(program, resource);
  return declared !== undefined && !isDeepStrictEqual(parentsOf(declared), parentsOf(resource));
}

/** Resources whose create requests were in progress when Pulumi was killed. */
export interface Interrupted {
  creates: readonly Resource[];
  /** Those that were to be replaced by the new object. */
  replacements: readonly Resource[];
}

/** Throws an error if more objects of the resource's kind are lost than create requests were interrupted. */
function expectNoDuplicate(resource: Resource, found: readonly string[], { creates, replacements }: Interrupted): void {
  const manages = objectKindOf(kinds[resource.kind]);
  const interrupted = [...creates, ...replacements].filter(({ kind }) => objectKindOf(kinds[kind]) === manages);
  if (found.length > interrupted.length) throw new Violation(`${resource.name}: lost objects ${found.join(", ")}`);
}

/**
 * Adopts the objects whose create requests were in progress when Pulumi was killed, or deletes those that cannot be
 * adopted. If the program no longer declares an adopted object, the next update deletes it. Returns the kinds of the
 * objects, such as `Volume`.
 */
export async function adoptLost(
  stack: Stack,
  host: Host,
  interrupted: Interrupted,
  program: readonly Resource[],
  isAdoptable: (resource: Resource) => boolean,
): Promise<string[]> {
  const adopted: string[] = [];
  for (const resource of interrupted.creates.filter(isAdoptable)) {
    const kind: Kind = kinds[resource.kind];
    if (isRepeated(stack, resource, program)) continue;
    const found = await candidates(resource, stack, host);
    expectNoDuplicate(resource, found, interrupted);
    const [id] = found;
    if (id === undefined) continue;
    adopted.push(kind.name);
    // An adopted cluster could not be deleted by an update, because state does not contain its node pools. Of two equal
    // objects, the update may give the one that was adopted to the other resource. If two create requests of a resource
    // were interrupted, the object of only one of them can be adopted.
    const isUnwanted = (kind.name === "LkeCluster" || found.length > 1) && !declaredIn(program, resource);
    if (isUnwanted || stack.has(resource)) await deleteByHand(kind, host, id);
    else await stack.adopt(resource, id);
  }
  return adopted;
}

/**
 * Deletes the new objects of some interrupted replacements, as users have to do by hand. They cannot be adopted, because
 * state still contains the objects that they were created to replace. Objects that cannot be deleted, such as snapshots,
 * remain until the service deletes them. Returns the kinds of the deleted objects, such as `Volume`.
 */
export async function deleteReplacements(
  stack: Stack,
  host: Host,
  surplus: readonly Resource[],
  interrupted: Interrupted,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const resource of surplus) {
    const kind: Kind = kinds[resource.kind];
    if (kind.delete?.run === "none") continue;
    const held = new Set(
      stack.entries.flatMap(({ resource, state, condemned }) =>
        objectKindOf(kinds[resource.kind]) === objectKindOf(kind) ? [state, ...condemned].map((one) => one?.id) : [],
      ),
    );
    const found = (await candidates(resource, stack, host)).filter((id) => !held.has(id));
    const [id] = found;
    if (id === undefined || !(await exists(kind, host, id))) continue;
    expectNoDuplicate(resource, found, interrupted);
    await deleteByHand(kind, host, id, toWire(kind.inputs, stack.inputsOf(resource)) as Bag);
    deleted.push(kind.name);
  }
  return deleted;
}

/**
 * Deletes replaced objects whose names or other unique inputs the program declares again, as users have to do by hand.
 * Otherwise the update would fail: Pulumi creates the new objects before it deletes the replaced ones, so the names
 * would still be in use. A bucket is deleted with its objects, which other resources can still have in state. Returns
 * whether objects were deleted, so that the next command has to be a refresh.
 */
export async function deleteReplaced(stack: Stack, host: Host, program: readonly Resource[]): Promise<boolean> {
  let hasDeleted = false;
  for (const { resource, state, condemned } of stack.entries) {
    const kind: Kind = kinds[resource.kind];
    const declared = declaredIn(program, resource);
    const unique = uniqueInput(kind) ?? nameInId(kind);
    if (!declared || !unique) continue;
    // A bucket's name is unique only within its cluster, and a port within its load balancer, so these are compared too.
    const nameIn = (inputs: Bag): readonly unknown[] => {
      const want = normalise(kind.inputs, toWire(kind.inputs, inputs)) as Bag;
      return [want[unique], want.cluster, ...Object.values(parentPath(kind, want)).map(String)];
    };
    const name = nameIn(stack.inputsOf(declared));
    const isTaken = ({ id, inputs }: State): boolean => id !== state?.id && isDeepStrictEqual(nameIn(inputs), name);
    const withContent = "force_destroy" in kind.fields ? { force_destroy: true } : {};
    for (const replaced of condemned)
      if (name[0] !== undefined && isTaken(replaced)) {
        await deleteByHand(kind, host, replaced.id, withContent);
        hasDeleted = true;
      }
  }
  return hasDeleted;
}

/** The name that is a part of the object's id, such as that of an object in a bucket. */
function nameInId(kind: Kind): string | undefined {
  const name = nameField(kind);
  return name !== undefined && name in idParts(kind) ? name : undefined;
}

/**
 * Deletes the node pools that a killed update of a cluster has created, as users have to do by hand. Returns a
 * description of each.
 */
export async function deleteLostPools(stack: Stack, host: Host): Promise<string[]> {
  const clusters = new Set(
    stack.entries.flatMap(({ resource, state }) => (resource.kind === "LkeCluster" && state ? [state.id] : [])),
  );
  const pools = (await unmanaged(stack, host)).filter(
    ({ kind, path }) => kind.name === "LkeNodePool" && clusters.has(String(path.clusterId)),
  );
  for (const { kind, path } of pools) await deleteAt(kind, host, path);
  return pools.map(() => "pool of an LkeCluster");
}

/**
 * An object that a message asks users to delete if they do not use it: that of an interrupted create, which the plugin
 * has not used because the program has changed since, one whose secret was lost and whose deletion failed, or a bucket
 * that has the name of a deleted one.
 */
export interface Leftover {
  kind: Kind;
  id: string;
}

/** The object that a warning or an error asks users to delete. Undefined for other messages. */
export function leftoverIn(message: string): Leftover | undefined {
  const [, unusable, unusableId] = /(\w+) (\S+) was created, but the response/.exec(message) ?? [];
  if (unusable && unusableId) return { kind: kinds[unusable as keyof typeof kinds], id: unusableId };
  const [, uncertain, uncertainId] = /(\w+) (\S+) may be that of an interrupted run/.exec(message) ?? [];
  if (uncertain && uncertainId) return { kind: kinds[uncertain as keyof typeof kinds], id: uncertainId };
  const [, bucket] = /ObjectStorageBucket (\S+) was not deleted: it was created at/.exec(message) ?? [];
  if (bucket) return { kind: kinds.ObjectStorageBucket, id: bucket };
  const [, name = "", id] = /^(.*?)\(?([^\s()]+)\)? was created by an interrupted run/.exec(message) ?? [];
  if (id === undefined) return undefined;
  const kind: Kind | undefined =
    Object.values<Kind>(kinds).find((one) => name.startsWith(`${one.name} `)) ??
    descriptions.find(([described]) => described.test(name))?.[1];
  if (!kind) throw new Violation(`a message does not name its resource class: ${message}`);
  return { kind, id };
}

/** Descriptions of objects in messages that do not contain the name of the resource class. */
const descriptions: readonly (readonly [RegExp, Kind])[] = [
  [/^\w+ record of /, kinds.DomainRecord],
  [/^pool of /, kinds.LkeNodePool],
  [/^port \d+ of NodeBalancer /, kinds.NodeBalancerConfig],
];

/**
 * Deletes the objects that the plugin has warned about, unless a resource has them in state. Returns a description of
 * each deleted object.
 */
export async function deleteLeftovers(stack: Stack, host: Host, leftovers: readonly Leftover[]): Promise<string[]> {
  const deleted: string[] = [];
  for (const { kind, id } of leftovers) {
    const isManaged = stack.entries.some(({ resource, state }) => kinds[resource.kind] === kind && state?.id === id);
    if (isManaged || !(await exists(kind, host, id))) continue;
    await deleteByHand(kind, host, id);
    deleted.push(`${kind.name} with a warning`);
  }
  return deleted;
}

/**
 * The ids of all objects of the resource's kind that no resource manages, the objects that are most similar to the
 * declared one first.
 */
async function candidates(resource: Resource, stack: Stack, host: Host): Promise<string[]> {
  const kind: Kind = kinds[resource.kind];
  const want = normalise(kind.inputs, toWire(kind.inputs, stack.inputsOf(resource)) as Bag) as Bag;
  const { autoname, lostCreate } = kind.identity;
  const label = uniqueInput(kind) ?? ("label" in want ? "label" : undefined);
  // A generated name begins with the name of the resource.
  const isNamed = ({ row }: FoundObject): boolean =>
    !label ||
    // The API returns some inputs under another name, such as the entity of a firewall device.
    !(label in row) ||
    (want[label]
      ? isUnknown(want[label]) || isEqual(row[label], want[label])
      : `${row[label]}`.startsWith(`${resource.name}-`));
  const parents = Object.entries(parentPath(kind, want)).filter(([, id]) => !isUnknown(id));
  const isInside = ({ path }: FoundObject): boolean => parents.every(([part, id]) => `${path[part]}` === `${id}`);
  // For an instance that is assigned to a firewall, the API returns the instance's id in the nested field `entity`.
  const isAbout = ({ row: { entity } }: FoundObject): boolean =>
    !isObject(entity) || isUnknown(want.entity_id) || entity.id === want.entity_id;
  const listed = (await unmanaged(stack, host)).filter(
    (object) => object.kind === objectKindOf(kind) && isNamed(object) && isInside(object) && isAbout(object),
  );
  if (listed.length) {
    const match = lostCreate === "repeat" ? [] : (lostCreate.match as string[]);
    const likeness = ({ row }: FoundObject) => match.filter((key) => isEqual(row[key], want[key])).length;
    return listed.toSorted((a, b) => likeness(b) - likeness(a)).map(({ path }) => idOf(kind, path));
  }
  if (kind.name === "PaymentMethod") {
    const { data } = await host.api.paymentMethods.list();
    const cards = stack.entries.filter(({ resource }) => resource.kind === "PaymentMethod");
    const managed = new Set(cards.flatMap(({ state, condemned }) => [state, ...condemned].map((one) => one?.id)));
    return data.flatMap(({ id, is_default }) => (is_default || managed.has(String(id)) ? [] : [String(id)]));
  }
  if (autoname && want[autoname] === undefined) return [];
  const path: Bag = { ...want, ...parentPath(kind, want) };
  const parts = Object.keys(idParts(kind)).map((part) => path[part]);
  if (parts.some(isUnknown)) return [];
  if (!parts.includes(undefined)) return [idOf(kind, path)];
  if (lostCreate === "repeat" || !lostCreate.candidates) return [];
  // The addresses that an instance has from the start cannot be the lost object of an InstanceIp.
  const held = new Set(
    stack.entries.flatMap(({ state, condemned }) => [
      ...[state, ...condemned].map((one) => one?.id),
      ...ownAddresses(state).map((address) => `${state?.id}/${address}`),
    ]),
  );
  // The parent object may have been deleted in the meantime.
  const paths = await lostCreate.candidates({ host, api: host.api, want }).catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
  const ids = paths.map((path: Bag) => idOf(kind, path)).filter((id: string) => !held.has(id));
  // The API also lists objects that count as deleted, such as cancelled transfers. These are omitted, as are objects
  // with other values, which another interrupted create has created.
  const objects = await Promise.all(ids.map((id: string) => current(kind, host, id)));
  const match = lostCreate.match as string[];
  const isAlike = (object: Bag | undefined): boolean =>
    object !== undefined &&
    match.every((key) => object[key] === undefined || isUnknown(want[key]) || isEqual(object[key], want[key]));
  return ids.filter((_: string, at: number) => isAlike(objects[at]));
}

/** The public address that each instance has, and the private one that its resource declares. */
function ownAddresses(state: State | undefined): string[] {
  const addresses = [state?.outs.ipv4 ?? []].flat().map(String);
  const declared = state?.inputs.privateIp === true ? addresses.find((address) => !isPublic(address)) : undefined;
  return [addresses.find(isPublic), declared].filter((address) => address !== undefined);
}

/**
 * Deletes an object. A setting, such as a reverse name, is only reset if it has the given value. A cluster is deleted by
 * an API request, because deleting the resource would require the cluster's node pools in state.
 */
const deleteByHand = (kind: Kind, host: Host, id: string, state: Bag = {}): Promise<unknown> =>
  kind.name === "LkeCluster" ? deleteAt(kind, host, pathOf(kind, id)) : deleteObject(kind, host, id, state);
