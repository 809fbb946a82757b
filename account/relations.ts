import { isObject } from "../api";
import { isId } from "../provider/client/envelope";
import type { Kind } from "../provider/engine/definition";
import { idOf, idParts, pathOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { kinds } from "../provider/resources";

export const regionIn = ({ region }: Bag): { region?: string } => (typeof region === "string" ? { region } : {});

/** Maps IP addresses to instances, because the backends of load balancers refer to instances by address. */
export const instancesByAddress = (observed: readonly { kind: Kind; id: string; seen: Bag }[]): Map<string, string> =>
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
