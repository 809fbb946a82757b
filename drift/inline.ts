import { type FoundObject, type ListedName, listed, names } from "../account/inventory";
import { pathOf } from "../provider/engine/identity";
import { type KindName, kinds } from "../provider/resources";
import { objectKeys, pathsIn } from "../stack/holders";
import type { StackState, StateResource } from "../stack/state";

/** The inputs in which a resource can declare its nested objects, as a firewall declares its devices in `devices`. */
const declarations: { readonly [K in ListedName]?: readonly string[] } = {
  FirewallDevice: ["devices"],
  InstanceConfig: ["image", "clone_from", "backup_id", "config", "interfaces"],
  InstanceDisk: ["image", "clone_from", "backup_id"],
};

/**
 * Whether the resource declares its nested objects in an input, as a firewall does with `devices`. The drift check then
 * reports an additional nested object as a difference of the resource, not as an unmanaged object.
 */
function isInline(part: ListedName, { declared }: StateResource): boolean {
  const inputs = new Set(declared.map((path) => path.split(".")[0]));
  return declarations[part]?.some((input) => inputs.has(input)) ?? false;
}

/** Keys of the lists that resources declare in an input, such as `FirewallDevice 12` for the devices of firewall 12. */
export const inlineIn = (stacks: readonly StackState[]): Set<string> =>
  new Set(
    stacks.flatMap(({ resources }) =>
      resources.flatMap((resource) =>
        names.filter((name) => isInline(name, resource)).flatMap((name) => partsOf(name, resource)),
      ),
    ),
  );

function partsOf(name: ListedName, { kind, id, state }: StateResource): string[] {
  const parent: KindName | undefined = listed[name];
  if (parent === undefined) return [];
  return pathsIn(kinds[parent].identity.area, kind, pathOf(kind, id), state).map(
    (path) => `${name} ${Object.values(path).join("/")}`,
  );
}

const keysOf = ({ kind, id, state }: StateResource): string[] => objectKeys(kind, pathOf(kind, id), state);

/**
 * The nested objects to read for a drift check: those in managed objects, unless the resource declares them in an
 * input.
 */
export function partsOfManaged(
  resources: readonly StateResource[],
): (part: ListedName, whole: Pick<FoundObject, "kind" | "path">) => boolean {
  const keys = new Map(
    names.map((name) => [name, new Set(resources.filter((one) => !isInline(name, one)).flatMap(keysOf))]),
  );
  return (part, { kind, path }) => objectKeys(kind, path).some((key) => keys.get(part)?.has(key));
}
