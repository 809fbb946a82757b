import { type FoundObject, type Inventory, withoutNodes } from "../account/inventory";
import { regionIn, relatedTo } from "../account/relations";
import type { Kind } from "../provider/engine/definition";
import { idOf, nameOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { alphabet } from "../provider/pulumi/order";
import { kinds } from "../provider/resources";
import { type Holder, holdersOf } from "../stack/holders";
import type { UnmanagedObject } from "./model";

/** The objects that no stack manages, except Kubernetes nodes and objects that are nested in an unmanaged object. */
export function unmanagedIn(
  { objects }: Pick<Inventory, "objects">,
  holders: readonly Holder[],
): { unmanaged: UnmanagedObject[]; managed: number } {
  const holderOf = holdersOf(holders);
  const isHeld = ({ kind, path }: FoundObject): boolean => holderOf(kind, path) !== undefined;
  const isListed = ({ kind, path }: FoundObject): boolean =>
    kind.name !== "LkeNodePool" || holderOf(kinds.LkeCluster, path)?.relation === "managed";
  const unmanaged = withoutNodes(objects)
    .filter((object) => !isHeld(object) && isListed(object))
    .map(({ kind, path, row }) => {
      const id = idOf(kind, path);
      const title = nameOf({ kind, path, want: { ...parentInputs(kind, path), fqdn: row.name, ...row } });
      const on = relatedTo(kind, id, row);
      return {
        kind: kind.name,
        id,
        title,
        ...regionIn(row),
        ...(on.length && { on }),
        adopt: adoptLine(kind, id, row),
      };
    });
  return { unmanaged: unmanaged.sort(byKindAndTitle), managed: objects.filter(isHeld).length };
}

const parentInputs = ({ identity: { parents } }: Kind, path: Bag): Bag =>
  Object.fromEntries(Object.entries(parents ?? {}).map(([input, part]) => [input, path[part as string]]));

/**
 * The command that brings an unmanaged object into a stack, such as `npx cloudinfra adopt Volume data 640144`. Nested
 * objects, such as disks, often share a label, so their suggested names end with the id.
 */
function adoptLine({ name: kind, identity }: Kind, id: string, { label, domain, name }: Bag): string {
  const called = [label, domain, name].find((text) => typeof text === "string" && /[a-z]/i.test(text)) ?? kind;
  const words = identity.parents || called === kind ? [called, id.split("/").at(-1)] : [called];
  const plain = words
    .join("-")
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "");
  return `npx cloudinfra adopt ${kind} ${plain} ${/^[\w./:-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`}`;
}

const byKindAndTitle = (a: UnmanagedObject, b: UnmanagedObject): number =>
  alphabet.compare(a.kind, b.kind) || alphabet.compare(a.title, b.title);
