import { namedBy, targetOf } from "../account/kinds";
import { camel, isObject } from "../api";
import type { AdoptedResource } from "../provider/dynamic/provider";
import type { Kind } from "../provider/engine/definition";
import { idOf, idParts, pathOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { kinds } from "../provider/resources";
import type { Named } from "../stack/edit";
import { fileNames } from "./areas";
import { fileOf, type Item } from "./names";
import { type Declared, declaredKey } from "./source";

/** A declaration to which inputs of other declarations can refer, as in `web.id`. */
export interface Declaration extends Named, Pick<Declared, "file" | "variable" | "exported"> {
  id: string;
}

/** The id of a declared object in an input, or its name. */
export class Reference {
  constructor(readonly target: Declaration) {}

  /** The output of the target, such as `id`. */
  get output(): string {
    return camel(namedBy(kinds[this.target.kind]) ?? "id");
  }
}

/** An object to import, with the inputs of its declaration. */
export interface LinkedItem extends Declaration {
  resource: AdoptedResource;
  /** The inputs. Ids of declared objects are replaced by references. */
  inputs: Bag;
  /** The declarations to which the inputs refer, by the name of the input. */
  references: Record<string, Declaration[]>;
  /** Whether a file from an earlier import already declares the object. */
  isDeclared: boolean;
}

type OwnItem = Omit<LinkedItem, "inputs" | "references">;

/**
 * A key such as `InstanceDisk 34` by which an object is found from an id in an input. Inputs contain only the last part
 * of an id such as `12/34`. The id of an image, such as `private/12`, has one part, which contains a slash. A last part that
 * is a name is not enough: each cluster can have a bucket `photos`.
 */
function keyOf(kind: Kind, id: unknown): string {
  const isNested = Object.keys(idParts(kind)).length > 1 && !namedBy(kind);
  return `${kind.name} ${isNested ? String(id).split("/").at(-1) : id}`;
}

/**
 * Replaces ids in the inputs by references to declared objects, and sorts the declarations so that each refers only to
 * earlier ones.
 */
export function withReferences(
  items: readonly (Item & { resource: AdoptedResource })[],
  managed: readonly Declaration[],
  declared: ReadonlyMap<string, Declared>,
): LinkedItem[] {
  const own = items.map((item): OwnItem => {
    const declaration = declared.get(declaredKey(item.kind, item.name));
    return declaration
      ? { ...item, ...declaration, variable: declaration.variable, isDeclared: true }
      : { ...item, file: fileOf(item), exported: item.variable, isDeclared: false };
  });
  const byId = new Map<string, Declaration | OwnItem>(
    [...managed, ...own].map((one) => [keyOf(kinds[one.kind], one.id), one]),
  );
  const ordered = new Map<Declaration, LinkedItem>();
  const started = new Set<Declaration>();
  const add = (item: OwnItem): void => {
    if (started.has(item)) return;
    started.add(item);
    const references: Record<string, Declaration[]> = {};
    const inputs = withReplaced(item.resource.program, (id, input, top) => {
      const found = referenceTo(byId, item, input, id);
      if (!found || !mayUse(item, found)) return undefined;
      if ("resource" in found) {
        add(found);
        if (!ordered.has(found)) return undefined;
      }
      references[top] = [...new Set([...(references[top] ?? []), found])];
      return new Reference(found);
    });
    ordered.set(item, { ...item, inputs, references });
  };
  for (const item of own) add(item);
  return [...ordered.values()];
}

function referenceTo<T>(byId: ReadonlyMap<string, T>, item: OwnItem, input: string, value: unknown): T | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const kind = kinds[item.kind];
  const target = targetOf(kind, input);
  if (!target) return undefined;
  return byId.get(keyOf(target, namedBy(target) ? idOf(target, pathOf(kind, item.id)) : value));
}

/**
 * Whether a declaration may refer to another one: it needs a variable, which other files have to be able to import.
 * Files import only earlier files, so that there are no import cycles.
 */
function mayUse(item: Pick<Declaration, "file">, { file, variable, exported }: Declaration): boolean {
  if (item.file === file) return variable !== undefined;
  const [own = -1, other = -1] = [item.file, file].map((name) => fileNames.indexOf(name));
  return exported !== undefined && other >= 0 && other < own;
}

type Replace = (value: unknown, input: string, top: string) => unknown;

/**
 * Replaces the single values in inputs. The function receives the name of the input that contains the value, and the
 * name of the resource's own input. It returns undefined for a value that stays.
 */
export function withReplaced(inputs: Bag, replace: Replace): Bag {
  const walk = (value: unknown, input: string, top: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, input, top));
    if (!isObject(value) || value instanceof Reference) return replace(value, input, top) ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key, top)]));
  };
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, walk(value, key, key)]));
}
