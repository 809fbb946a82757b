import { objectKindOf } from "../account/kinds";
import { addressOwners, regionIn, relatedTo } from "../account/relations";
import type { Kind } from "../provider/engine/definition";
import type { Bag } from "../provider/engine/values";
import type { AccountObject, DriftReport, Finding } from "./model";
import { inBucket } from "./model";

/** A resource and its object as read from the account. */
export interface Observed {
  address: string;
  kind: Kind;
  id: string;
  title: string;
  observed: Bag;
}

/**
 * All objects of a report: those that the stacks manage, including objects that could not be read, and those that no
 * stack manages.
 */
export function objectsOf(
  observed: readonly Observed[],
  { findings, unread, unmanaged }: Pick<DriftReport, "findings" | "unread" | "unmanaged">,
): AccountObject[] {
  const [drift, accepted] = (["drift", "accepted"] as const).map((bucket) =>
    addressesOf(inBucket({ findings }, bucket)),
  );
  const deleted = addressesOf(findings.filter(({ type }) => type === "deleted"));
  const statusOf = (address: string): AccountObject["status"] =>
    deleted?.has(address)
      ? "deleted"
      : drift?.has(address)
        ? "drift"
        : accepted?.has(address)
          ? "accepted"
          : "unchanged";
  const instances = addressOwners(observed);
  // Other objects refer to a clone of a volume as to any volume; the report names the kind of its resource.
  const resourceOf = new Map(
    observed.map(({ kind, id }) => [`${objectKindOf(kind).name}/${id}`, `${kind.name}/${id}`]),
  );
  const managed = observed.map(({ address, kind, id, title, observed }): AccountObject => {
    const on = relatedTo(kind, id, observed, instances).map((key) => resourceOf.get(key) ?? key);
    return {
      address,
      kind: kind.name,
      id,
      title,
      ...regionIn(observed),
      status: statusOf(address),
      ...(on.length && { on }),
    };
  });
  const unknown = unread.flatMap(({ kind, resources }) =>
    resources.map((address): AccountObject => ({ address, kind, id: "", title: address, status: "unread" })),
  );
  const unmanagedObjects = (unmanaged?.objects ?? []).map(
    ({ adopt: _, ...object }): AccountObject => ({ ...object, status: "unmanaged" }),
  );
  return [...managed, ...unknown, ...unmanagedObjects];
}

/** The addresses (`project/stack/Kind/name`) in findings, and those of objects that were deleted together with them. */
const addressesOf = (findings: readonly Finding[]): Set<string> =>
  new Set(findings.flatMap(({ address, children = [] }) => [address, ...children]));
