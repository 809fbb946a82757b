import { z } from "zod";
import { elementOf, fieldsOf, suggestion } from "../api";
import { factsOf, type Kind, nameField } from "../provider/engine/definition";
import { hasOwnId, idParts, objectsKey } from "../provider/engine/identity";
import { type KindName, kinds } from "../provider/resources";

export const allKinds: readonly Kind[] = Object.values(kinds);

export const isKindName = (name: string): name is KindName => Object.hasOwn(kinds, name);

/** The message for a name that no kind has, with the most similar name of a kind. */
export const noKindMessage = (name: string): string =>
  `there is no kind "${name}"${suggestion(name, Object.keys(kinds))}`;

const kindByObjects: ReadonlyMap<string, Kind> = new Map(
  [...allKinds].reverse().map((kind) => [objectsKey(kind), kind]),
);

/**
 * The kind that stands for the objects of a kind: of several kinds that manage the same objects, which differ only in how
 * they are created, the first one, as `Volume` for `VolumeClone`.
 */
export const objectKindOf = (kind: Kind): Kind => kindByObjects.get(objectsKey(kind)) ?? kind;

/** The kinds that stand for whole objects, not for a part of an object, such as its settings. */
export const ownKinds: readonly Kind[] = allKinds.filter((kind) => hasOwnId(kind) && objectKindOf(kind) === kind);

/** The kind of the objects of an API area such as `volumes`. */
export const kindAt = (area: string): Kind | undefined => ownKinds.find(({ identity }) => identity.area === area);

const partsOf = (kind: Kind): string[] => Object.keys(idParts(kind));

/** The kinds by the names of the parts of their ids, such as "domainId/recordId". */
const kindByParts: ReadonlyMap<string, Kind> = new Map(
  [...ownKinds].reverse().map((kind) => [partsOf(kind).join("/"), kind]),
);

/**
 * The kind of the objects that contain those of another kind, as domains contain records. None for a part of an object:
 * a part of a bucket has the bucket's id, whose `clusterId` is not the id of an `LkeCluster`.
 */
export function containerKindOf(kind: Kind): Kind | undefined {
  if (!hasOwnId(kind)) return undefined;
  const parents: unknown[] = Object.values(kind.identity.parents ?? {});
  const leading = partsOf(kind).slice(0, -1);
  return leading.every((part) => parents.includes(part)) ? kindByParts.get(leading.join("/")) : undefined;
}

/** The name of an id in lower case without underscores: `computeid` stands for `compute_id` and `computeId`. */
export const idName = (name: string): string => name.replaceAll("_", "").toLowerCase();

/**
 * The output that other objects name in place of an id: `label` of buckets, whose ids such as `us-east-1/photos` have a
 * name as the last part. Undefined for all other kinds, to whose objects others refer by id.
 */
export function namedBy(kind: Kind): string | undefined {
  const parts = Object.values(idParts(kind));
  return parts.length > 1 && parts.at(-1) instanceof z.core.$ZodString ? nameField(kind) : undefined;
}

/**
 * The kind of the object whose id an input contains, or whose name if it is the one that contains the input's object.
 * `input` is the input's own name, also if it is nested in others. Undefined if the input is neither, or if ids of several
 * kinds have its name.
 */
export function targetOf(kind: Kind, input: string): Kind | undefined {
  const key = `${kind.name} ${input}`;
  if (!targets.has(key)) targets.set(key, targetIn(kind, idName(input)));
  return targets.get(key);
}

/** Results of `targetOf`, because an import asks for every value of every object. */
const targets = new Map<string, Kind | undefined>();

function targetIn(kind: Kind, name: string): Kind | undefined {
  const [, area] = Object.entries(factsOf(kind).refersTo ?? {}).find(([key]) => idName(key) === name) ?? [];
  if (area) return kindAt(area);
  const container = containerKindOf(kind);
  if (container && namedBy(container) && idName(partsOf(container).at(-1) ?? "") === name) return container;
  if (!name.endsWith("id")) return undefined;
  const parts = partsOf(kind);
  const parent = parts.findIndex((part) => idName(part) === name);
  if (parent >= 0) return kindByParts.get(parts.slice(0, parent + 1).join("/"));
  const [target, ...others] = ownKinds.filter((one) => idName(partsOf(one).at(-1) ?? "") === name);
  return others.length ? undefined : target;
}

/** The kinds to whose objects the inputs of a kind refer. */
export const targetsOf = (kind: Kind): Set<Kind> =>
  new Set(namesIn(kind.inputs).flatMap((input) => targetOf(kind, input) ?? []));

function namesIn(schema: z.core.$ZodType | undefined): string[] {
  if (!schema) return [];
  const fields = Object.entries(fieldsOf(schema));
  return [...fields.flatMap(([name, field]) => [name, ...namesIn(field)]), ...namesIn(elementOf(schema))];
}
