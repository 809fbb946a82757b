import { isObject } from "../api";
import type { Bag } from "../provider/engine/values";
import { Expression, type Named } from "../provider/heads/adoption";
import type { AdoptedResource } from "../provider/heads/dynamic";
import type { KindName } from "../provider/resources";
import { fileNames } from "./areas";
import { fileOf, type Item } from "./names";
import { type Declared, declaredKey } from "./source";

/** A resource that a program can refer to. */
export interface Declaration extends Named {
  id: string;
  file: string;
  variable: string;
}

/** An object with the inputs that its program declares. */
export interface LinkedItem extends Declaration {
  resource: AdoptedResource;
  /** The inputs with references in place of ids. */
  inputs: Bag;
  /** The declarations to which the inputs refer. */
  references: Record<string, Declaration[]>;
  /** Whether the files declare it already. */
  isDeclared: boolean;
}

/** Inputs that hold ids, each with the kind of the object. */
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

/** Inputs refer to an object by the last part of its id, but the id of an image has a slash in it. */
const keyOf = (kind: KindName, id: unknown): string =>
  `${kind} ${kind === "Image" ? id : String(id).split("/").at(-1)}`;

/**
 * The items with references to each other and to what the stack holds already, in an order in which each comes after those
 * that it refers to.
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

/** Files import only those before them in the list of areas. */
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
