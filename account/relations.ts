import { z } from "zod";
import { isId } from "../provider/client/envelope";
import { factsOf, type Kind } from "../provider/engine/definition";
import { idOf, idParts, pathOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { idName, kindAt, objectKindOf, ownKinds } from "./kinds";

export const regionIn = ({ region }: Bag): { region?: string } => (typeof region === "string" ? { region } : {});

/** Maps IP addresses to instances, because the backends of load balancers refer to instances by address. */
export const addressOwners = (observed: readonly { kind: Kind; id: string; observed: Bag }[]): Map<string, string> =>
  new Map(
    observed.flatMap(({ kind, id, observed }) =>
      (factsOf(kind).addresses?.(observed) ?? []).map((address): [string, string] => [address, `${kind.name}/${id}`]),
    ),
  );

/** The objects to which an object belongs or is attached, according to its id and its fields. */
export function relatedTo(
  kind: Kind,
  id: string,
  observed: Bag,
  addresses: ReadonlyMap<string, string> = new Map(),
): string[] {
  const path = pathOf(kind, id);
  const references = [...Object.entries(path), ...Object.entries(observed)].flatMap(([name, value]) => {
    const owner = owners.get(idName(name));
    // The id of a cluster of buckets is text, such as `us-east-1`, although its name is that of a Kubernetes cluster's.
    return owner && isId(owner.schema, value) ? [`${owner.name}/${value}`] : [];
  });
  const { address } = observed;
  const attached = factsOf(kind).attachedTo?.(observed) ?? [];
  const backend = typeof address === "string" ? addresses.get(address.replace(/:\d+$/, "")) : undefined;
  const more = [...attached.map((one) => `${kindAt(one.area)?.name}/${one.id}`), ...(backend ? [backend] : [])];
  const ownKey = `${objectKindOf(kind).name}/${idOf(kind, path)}`;
  return [...new Set([...references, ...more])].filter((key) => key !== ownKey);
}

/** The kinds of objects to which fields of other objects refer by id, by the name of the id: `computeid`. */
const owners = new Map(
  ownKinds.flatMap((kind) => {
    const [[part, schema] = [], ...others] = Object.entries(idParts(kind));
    return part && schema instanceof z.core.$ZodNumber && !others.length
      ? [[idName(part), { name: kind.name, schema }] as const]
      : [];
  }),
);
