import type { ContainerOf } from "../account/containers";
import type { FoundObject } from "../account/inventory";
import { factsOf, nameField } from "../provider/engine/definition";
import { idOf } from "../provider/engine/identity";
import { alphabet } from "../provider/pulumi/order";
import type { KindName } from "../provider/resources";
import { areaOf, fileNameOf, importable } from "./areas";
import { capital, identifier, reserved, unique } from "./identifiers";

/** An object with the names of its resource and its variable in the program. */
export interface Item {
  kind: KindName;
  id: string;
  object: FoundObject;
  /** Name of the resource in the program, such as `web`. */
  name: string;
  variable: string;
}

/** Names that are already in use and that new resources therefore cannot have. */
export interface UsedNames {
  names: ReadonlyMap<KindName, ReadonlySet<string>>;
  variables: ReadonlySet<string>;
}

/**
 * Names the objects by their labels, and sorts them as a person would: each object is followed by its nested objects.
 * The result does not depend on the order in which the API lists the objects.
 */
export function withNames(objects: readonly FoundObject[], used: UsedNames, containerOf: ContainerOf): Item[] {
  const texts = new Map<FoundObject, string>();
  const textOf = (object: FoundObject): string => {
    const cached = texts.get(object);
    if (cached !== undefined) return cached;
    const container = containerOf(object);
    const text = nameWithin(object, container && textOf(container));
    texts.set(object, text);
    return text;
  };
  const placeOf = (object: FoundObject): Place[] => {
    const container = containerOf(object);
    const ownPlace: Place = [importable.indexOf(kindOf(object)), textOf(object), idOf(object.kind, object.path)];
    return container ? [...placeOf(container), ownPlace] : [ownPlace];
  };
  const names = new Map(importable.map((kind) => [kind, new Set(used.names.get(kind))]));
  const variables = new Set([...used.variables, ...reserved, ...importable, "config", "pulumi"]);
  return objects
    .map((object) => ({ object, place: placeOf(object) }))
    .sort((a, b) => byPlace(a.place, b.place))
    .map(({ object }) => {
      const kind = kindOf(object);
      const name = unique(textOf(object), names.get(kind) ?? new Set(), "-");
      return { kind, id: idOf(object.kind, object.path), object, name, variable: variableFor(name, kind, variables) };
    });
}

const kindOf = ({ kind }: FoundObject): KindName => kind.name as KindName;

/**
 * One level of an object's sort key: resource class, name and id. The key of a nested object begins with the levels of
 * the containing object.
 */
type Place = [kind: number, text: string, id: string];

function byPlace(a: readonly Place[], b: readonly Place[]): number {
  for (const [i, [kind, text, id]] of a.entries()) {
    const other = b[i];
    if (!other) return 1;
    const order = kind - other[0] || alphabet.compare(text, other[1]) || alphabet.compare(id, other[2]);
    if (order) return order;
  }
  return a.length - b.length;
}

/**
 * The name of a resource: the object's label, after that of the containing object. Examples are `www.example.org-A`,
 * `front-80` and `web`.
 */
function nameWithin({ kind, path, row }: FoundObject, containerName: string | undefined): string {
  const last = Object.values(path).at(-1);
  const { title, titleWithin } = factsOf(kind);
  const field = nameField(kind);
  if (titleWithin && containerName !== undefined) return withoutPunctuation(titleWithin(row, containerName));
  const text = typeof title === "function" ? title(row) : field && row[field];
  const ownName = typeof text === "number" || (typeof text === "string" && /[a-z0-9]/i.test(text)) ? text : undefined;
  return withoutPunctuation(
    containerName === undefined ? String(ownName ?? `${kind.name}-${last}`) : `${containerName}-${ownName ?? last}`,
  );
}

/**
 * Converts a text to a resource name. Names become part of URNs, so they contain only letters, digits and a few other
 * characters.
 */
const withoutPunctuation = (text: string): string =>
  text.replaceAll(/[^a-zA-Z0-9_.-]+/g, "-").replaceAll(/^[^a-zA-Z0-9]+|-+$/g, "") || "object";

/** Maximum length of a variable's name, so that the first line of its declaration is not too long. */
const LONGEST = 32;

function variableFor(name: string, kind: KindName, used: Set<string>): string {
  const base = identifier(name).slice(0, LONGEST);
  const isFree = !used.has(base);
  return unique(isFree ? base : `${base}${capital(kind)}`.slice(0, LONGEST), used);
}

export const fileOf = ({ object }: Pick<Item, "object">): string => fileNameOf(areaOf(object.kind));
