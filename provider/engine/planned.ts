import { type Host, perConnection } from "./host";
import type { Bag } from "./values";

/** A resource that this process has compared with its program. */
interface Planned {
  state: Bag;
  /** The declared inputs, of which some may be unknown in a preview. */
  want: Bag;
}

const planned = perConnection(() => new Map<string, Planned>());

export function recordPlanned(host: Host, kind: string, id: string, values: Planned): void {
  planned(host).set(`${kind} ${id}`, values);
}

/**
 * The resource that manages an object, so that checks of resources that refer to it know how it will change. Pulumi
 * compares a resource before those that depend on it. Undefined if no resource of this program manages the object.
 */
export const plannedOf = (host: Host, kind: string, id: unknown): Planned | undefined =>
  planned(host).get(`${kind} ${id}`);
