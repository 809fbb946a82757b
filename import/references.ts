import { isObject } from "../api";
import type { Bag } from "../provider/engine/values";
import { Expression, type Named } from "../provider/heads/adoption";
import type { AdoptedResource } from "../provider/heads/dynamic";
import type { KindName } from "../provider/resources";
import { fileNames } from "./areas";
import { fileOf, type Item } from "./names";
import { type Declared, declaredKey } from "./source";

/** A declaration to which inputs of other declarations can refer, as in `web.id`. */
export interface Declaration extends Named {
  id: string;
  file: string;
  variable: string;
}

/** An object to import, with the inputs of its declaration. */
export interface LinkedItem extends Declaration {
  resource: AdoptedResource;
  /** The inputs. Ids of declared objects are replaced by references, such as `web.id`. */
  inputs: Bag;
  /** The declarations to which the inputs refer, by the name of the input. */
  references: Record<string, Declaration[]>;
  /** Whether a file from an earlier import already declares the object. */
  isDeclared: boolean;
}

/** Inputs that contain the id of another object, with the kind of that object. */
const targets: Readonly<Record<string, KindName>> = {
  clusterId: "LkeCluster",
  computeId: "Instance",
  computes: "Instance",
  configId: "NodeBalancerConfig",
  credentials: "ManagedCredential",
  diskId: "InstanceDisk",
  domainId: "Domain",
  entityId: "Instance",
  firewallId: "Firewall",
  image: "Image",
  nodebalancerId: "NodeBalancer",
  volumeId: "Volume",
};

type OwnItem = Omit<LinkedItem, "inputs" | "references">;

/**
 * A key such as `InstanceDisk 34` by which an object is found from an id in an input. Inputs contain only the last part
 * of an id such as `12/34`. Ids of images, such as `private/12`, are used whole, because the slash is part of them.
 */
const keyOf = (kind: KindName, id: unknown): string =>
  `${kind} ${kind === "Image" ? id : String(id).split("/").at(-1)}`;

/**
 * Replaces ids in the inputs by references to declared objects, and sorts the declarations so that each refers only to
 * earlier ones.
 */
export function connected(
  items: readonly (Item & { resource: AdoptedResource })[],
  held: readonly Declaration[],
  declared: ReadonlyMap<string, Declared>,
): LinkedItem[] {
  const own = items.map((item): OwnItem => {
    const there = declared.get(declaredKey(item.kind, item.name));
    return { ...item, file: fileOf(item), ...there, isDeclared: there !== undefined };
  });
  const byId = new Map<string, Declaration | OwnItem>([...held, ...own].map((one) => [keyOf(one.kind, one.id), one]));
  const ordered = new Map<Declaration, LinkedItem>();
  const begun = new Set<Declaration>();
  const add = (item: OwnItem): void => {
    if (begun.has(item)) return;
    begun.add(item);
    const references: Record<string, Declaration[]> = {};
    const inputs = linked(item.resource.program, (input, id, top) => {
      const found = targetOf(byId, input, id);
      if (!found || !mayUse(item, found)) return undefined;
      if ("resource" in found) {
        add(found);
        if (!ordered.has(found)) return undefined;
      }
      references[top] = [...new Set([...(references[top] ?? []), found])];
      return new Expression(`${found.variable}.id`);
    });
    ordered.set(item, { ...item, inputs, references });
  };
  for (const item of own) add(item);
  return [...ordered.values()];
}

function targetOf<T>(byId: ReadonlyMap<string, T>, input: string, id: unknown): T | undefined {
  const kind = targets[input];
  return kind && (typeof id === "number" || typeof id === "string") ? byId.get(keyOf(kind, id)) : undefined;
}

/**
 * Whether a declaration may refer to a declaration in the given file: only in its own file or an earlier one, so that
 * there are no import cycles.
 */
function mayUse(item: Pick<Declaration, "file">, { file }: Pick<Declaration, "file">): boolean {
  const [own = -1, other = -1] = [item.file, file].map((name) => fileNames.indexOf(name));
  return other >= 0 && other <= own;
}

type Find = (input: string, value: unknown, top: string) => Expression | undefined;

function linked(inputs: Bag, find: Find): Bag {
  const walk = (value: unknown, input: string, top: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, input, top));
    if (!isObject(value)) return find(input, value, top) ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key, top)]));
  };
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, walk(value, key, key)]));
}
