import { type FoundObject, type Inventory, withoutCreated } from "../account/inventory";
import { containerKindOf } from "../account/kinds";
import { regionIn, relatedTo } from "../account/relations";
import { shellWord } from "../api";
import { factsOf, type Kind, nameField } from "../provider/engine/definition";
import { displayNameOf, idOf, idParts, parentInputs, pathOf } from "../provider/engine/identity";
import { type Bag, pick } from "../provider/engine/values";
import { adoptCommand } from "../provider/pulumi/handle";
import { alphabet } from "../provider/pulumi/order";
import { declaredAreas, type Holder, holdersOf, objectKeys } from "../stack/holders";
import type { StateResource } from "../stack/state";
import type { UnmanagedObject } from "./model";

/**
 * The nested objects to read for a drift check: those in managed objects, unless the resource declares them in an
 * input. `resources` contains all of the account, also those that are not compared.
 */
export function partsOfManaged(
  resources: readonly StateResource[],
): (part: Kind, container: Pick<FoundObject, "kind" | "path">) => boolean {
  const byKey = Map.groupBy(
    resources.flatMap((resource) => {
      const { kind, id, state } = resource;
      return objectKeys(kind, pathOf(kind, id), state).map((key) => ({ key, areas: declaredAreas(resource) }));
    }),
    ({ key }) => key,
  );
  return (part, { kind, path }) =>
    objectKeys(kind, path).some((key) => byKey.get(key)?.some(({ areas }) => !areas.has(part.identity.area)));
}

/** The objects that no stack manages, except Kubernetes nodes and objects that are nested in an unmanaged object. */
export function unmanagedIn(
  inventory: Pick<Inventory, "objects" | "unread">,
  holders: readonly Holder[],
): { unmanaged: UnmanagedObject[]; managed: number } {
  const holderOf = holdersOf(holders);
  const isManaged = ({ kind, path }: FoundObject): boolean => holderOf(kind, path) !== undefined;
  const isContainerManaged = (part: Kind, path: Bag): boolean => {
    const container = containerKindOf(part);
    return (
      container !== undefined &&
      holderOf(container, pick(path, Object.keys(idParts(container))))?.relation === "managed"
    );
  };
  const isNative = holders.length > 0 && holders.every((holder) => holder.isNative);
  const isListed = ({ kind, path }: FoundObject): boolean => !factsOf(kind).creates || isContainerManaged(kind, path);
  const unmanaged = withoutCreated(inventory)
    .filter((object) => !isManaged(object) && isListed(object))
    .map(({ kind, path, row }) => {
      const id = idOf(kind, path);
      const title = displayNameOf({
        kind,
        path,
        want: { ...parentInputs(kind, path), ...factsOf(kind).known?.(row), ...row },
      });
      const on = relatedTo(kind, id, row);
      return {
        kind: kind.name,
        id,
        title,
        ...regionIn(row),
        ...(on.length && { on }),
        adopt: `${adoptCommand(kind.name, { isNative })} ${argumentsFor(kind, id, row)}`,
      };
    });
  return { unmanaged: unmanaged.sort(byKindAndTitle), managed: inventory.objects.filter(isManaged).length };
}

/**
 * The suggested name of the resource, and the id, as in `data 640144`. Nested objects, such as disks, often share a
 * label, so their suggested names end with the id.
 */
function argumentsFor(definition: Kind, id: string, row: Bag): string {
  const { name: kind, identity } = definition;
  const nameValue = row[nameField(definition) ?? ""];
  const displayName = typeof nameValue === "string" && /[a-z]/i.test(nameValue) ? nameValue : kind;
  const words = identity.parents || displayName === kind ? [displayName, id.split("/").at(-1)] : [displayName];
  const isShellSafe = words
    .join("-")
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "-")
    .replace(/^[^a-zA-Z0-9]+/, "");
  return `${isShellSafe} ${shellWord(id)}`;
}

const byKindAndTitle = (a: UnmanagedObject, b: UnmanagedObject): number =>
  alphabet.compare(a.kind, b.kind) || alphabet.compare(a.title, b.title);
