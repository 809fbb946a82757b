import { fieldsOf } from "../api";
import { factsOf, type Kind } from "../provider/engine/definition";
import type { Host } from "../provider/engine/host";
import type { SearchContext } from "../provider/engine/inventory";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import { type FoundObject, type Inventory, inventoryOf, leftOut, withoutCreated } from "./inventory";
import { allKinds } from "./kinds";
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
  const objects = withoutCreated(inventory);
  const { done, unread, failure } = await readEach(searches(host, inventory, objects), ({ read }) => read(), limit);
  return {
    objects: [...objects, ...done.flatMap(({ result }) => result)],
    unread: [...inventory.unread, ...leftOut(inventory, "not imported"), ...unread],
    failure: failureIn([inventory.failure, failure]),
  };
}

interface Search {
  address: string;
  kind: Kind;
  read(): Promise<FoundObject[]>;
}

function searches(host: Host, inventory: Inventory, objects: readonly FoundObject[]): Search[] {
  const context: SearchContext = {
    host,
    api: host.api,
    rows: inventory.objects.map(({ row }) => row),
    ids: (area) => new Set(objects.flatMap(({ kind, row }) => (kind.identity.area === area ? [row.id] : []))),
    unread: (field) =>
      [...new Set(inventory.unread.map(({ kind }) => kind))].filter((name) =>
        allKinds.some((kind) => kind.name === name && field in fieldsOf(kind.outputs)),
      ),
  };
  return allKinds.flatMap((kind) => {
    const { search } = factsOf(kind);
    const read = async () => ((await search?.(context)) ?? []).map((one): FoundObject => ({ kind, ...one }));
    return search ? [{ address: kind.name, kind, read }] : [];
  });
}
