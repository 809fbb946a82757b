import { canonicalAddress, fieldsOf } from "../api";
import type { Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { type KindName, kinds } from "../provider/resources";
import { type FoundObject, type Inventory, inventoryOf, withoutNodes } from "./inventory";
import type { Unread } from "./reading";
import { failureIn, readEach } from "./reading";

/** The objects that an import has found, and those that could not be read. */
export interface Found {
  objects: FoundObject[];
  /**
   * Objects that are not imported but contain imported ones. They are read for their names: the resource name
   * `front-80` begins with the name of the containing object.
   */
  context?: FoundObject[];
  unread: Unread[];
  /** The first error that shows that the service could not be reached in time. */
  failure?: Error | undefined;
}

/**
 * Reads all lists of an account. Omits objects that need no declaration: public images, instances that are Kubernetes
 * nodes, disks and configs that were created from an image, tags that are in use or may be, and reverse DNS names that
 * the service has set.
 */
export async function accountObjects(host: Host, limit?: TimeLimit): Promise<Found> {
  const inventory = await inventoryOf(host, "all", limit);
  const objects = withoutNodes(inventory.objects);
  const { done, unread, failure } = await readEach(furtherLists(host, inventory, objects), ({ read }) => read(), limit);
  return {
    objects: [...objects, ...done.flatMap(({ result }) => result)],
    unread: [...inventory.unread, ...unread],
    failure: failureIn([inventory.failure, failure]),
  };
}

/** Resource classes whose objects an import searches for in the account, although the drift check does not. */
export type FurtherName = "Tag" | "ReverseDns";

interface FurtherList {
  address: string;
  kind: Kind;
  read(): Promise<FoundObject[]>;
}

function furtherLists(host: Host, inventory: Inventory, objects: readonly FoundObject[]): FurtherList[] {
  const { Tag, ReverseDns }: Pick<typeof kinds, FurtherName> = kinds;
  const tags = async (): Promise<FoundObject[]> => {
    const used = new Set(inventory.objects.flatMap(({ row }) => (Array.isArray(row.tags) ? row.tags.map(String) : [])));
    const all = await Array.fromAsync(host.api.tags.list.all());
    const free = all.filter(({ label }) => !used.has(label));
    const unread = [...new Set(inventory.unread.map(({ kind }) => kind))].filter(hasTags);
    if (free.length && unread.length)
      throw new Error(
        `${free.map(({ label }) => JSON.stringify(label)).join(", ")} may be tags of objects of these kinds, which could not be read: ${unread.join(", ")}`,
      );
    return free.map((row) => ({ kind: Tag, path: { label: row.label }, row }));
  };
  const names = async (): Promise<FoundObject[]> => {
    const owners = new Set(objects.flatMap(({ kind, row }) => (kind === (kinds.Instance as Kind) ? [row.id] : [])));
    const all = await Array.fromAsync(host.api.networkingIps.list.all());
    return all
      .filter((row) => owners.has(row.compute_id) && row.rdns && !isServiceName(row.address, row.rdns))
      .map((row) => ({ kind: ReverseDns, path: { address: canonicalAddress(row.address) ?? row.address }, row }));
  };
  return [
    { address: "Tag", kind: Tag, read: tags },
    { address: "ReverseDns", kind: ReverseDns, read: names },
  ];
}

const hasTags = (kind: string): boolean => "tags" in fieldsOf(kinds[kind as KindName].outputs);

/** Whether a reverse DNS name is set by the service. Such names contain the address: `192-0-2-1.ip.example.com`. */
const isServiceName = (address: string, name: string): boolean =>
  name.replaceAll(/[^0-9a-f]+/g, " ").includes(address.replaceAll(/[^0-9a-f]+/g, " ").trim());
