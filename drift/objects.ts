import { isObject } from "../api";
import { isId } from "../provider/client/envelope";
import type { Kind } from "../provider/engine/definition";
import { idOf, idParts, pathOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { kinds } from "../provider/resources";
import type { AccountObject, DriftReport, Finding } from "./model";
import { inBucket } from "./model";

/** A resource and its object as read from the account. */
export interface Observed {
  address: string;
  kind: Kind;
  id: string;
  title: string;
  seen: Bag;
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
  const instances = byAddress(observed);
  const managed = observed.map(({ address, kind, id, title, seen }): AccountObject => {
    const on = relatedTo(kind, id, seen, instances);
    return {
      address,
      kind: kind.name,
      id,
      title,
      ...regionIn(seen),
      status: statusOf(address),
      ...(on.length && { on }),
    };
  });
  const unknown = unread.flatMap(({ kind, resources }) =>
    resources.map((address): AccountObject => ({ address, kind, id: "", title: address, status: "unread" })),
  );
  const free = (unmanaged?.objects ?? []).map(
    ({ adopt: _, ...object }): AccountObject => ({ ...object, status: "unmanaged" }),
  );
  return [...managed, ...unknown, ...free];
}

/** The addresses (`project/stack/Kind/name`) in findings, and those of objects that were deleted together with them. */
const addressesOf = (findings: readonly Finding[]): Set<string> =>
  new Set(findings.flatMap(({ address, children = [] }) => [address, ...children]));

export const regionIn = ({ region }: Bag): { region?: string } => (typeof region === "string" ? { region } : {});

/** Maps IP addresses to instances, because the backends of load balancers refer to instances by address. */
const byAddress = (observed: readonly Observed[]): Map<string, string> =>
  new Map(
    observed.flatMap(({ kind, id, seen }) =>
      kind.name === "Instance" && Array.isArray(seen.ipv4)
        ? seen.ipv4.map((address): [string, string] => [String(address), `Instance/${id}`])
        : [],
    ),
  );

/** The objects to which an object belongs or is attached, according to its id and its fields. */
export function relatedTo(
  kind: Kind,
  id: string,
  seen: Bag,
  instances: ReadonlyMap<string, string> = new Map(),
): string[] {
  const path = pathOf(kind, id);
  const named = [...Object.entries(path), ...Object.entries(seen)].flatMap(([name, value]) => {
    const owner = owners.get(idName(name));
    // The id of a cluster of buckets is text, such as `us-east-1`, although its name is that of a Kubernetes cluster's.
    return owner && isId(owner.schema, value) ? [`${owner.name}/${value}`] : [];
  });
  const { devices, entity, address } = seen;
  const computes = isObject(devices) && Array.isArray(devices.computes) ? devices.computes : [];
  const backend = typeof address === "string" ? instances.get(address.replace(/:\d+$/, "")) : undefined;
  const more = [
    ...computes.map((compute) => `Instance/${compute}`),
    ...(isObject(entity) ? [`Instance/${entity.id}`] : []),
    ...(backend ? [backend] : []),
  ];
  const own = `${kind.name}/${idOf(kind, path)}`;
  return [...new Set([...named, ...more])].filter((key) => key !== own);
}

const idName = (name: string): string => name.replaceAll("_", "").toLowerCase();

/**
 * The kinds of objects to which fields of other objects refer by id. Each key is the field's name in lower case without
 * underscores: `computeid` stands for `compute_id` or `computeId`, the id of an instance.
 */
const owners = new Map(
  (["Domain", "Firewall", "Instance", "LkeCluster", "NodeBalancer", "Volume"] as const).flatMap((name) =>
    Object.entries(idParts(kinds[name])).map(([part, schema]) => [idName(part), { name, schema }] as const),
  ),
);
