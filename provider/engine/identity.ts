import { z } from "zod";
import { fieldsOf, metaOf, type Operation, operations, pathNames } from "../../api";
import { CloudInfraError } from "../client/errors";
import { canonical } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { type Bag, pick } from "./values";

/**
 * The operation that reads one object of an API area such as `volumes`. Undefined if the area can only list objects.
 */
export const viewOf = (area: string): Operation | undefined =>
  (operations[area as keyof typeof operations] as Partial<Record<string, Operation>>).view;

// Written once, because zod takes longer to make a schema than to check a value with it.
const NumericId = z.int().min(1);

const partsByKind = new WeakMap<Kind, Record<string, z.core.$ZodType>>();

/** The schemas of the parts of an id, in order: for example, those of `domainId` and `recordId`. */
export function idParts(kind: Kind): Record<string, z.core.$ZodType> {
  const known = partsByKind.get(kind);
  if (known) return known;
  const parts = readIdParts(kind);
  partsByKind.set(kind, parts);
  return parts;
}

function readIdParts({ name, identity: { area, lookup } }: Kind): Record<string, z.core.$ZodType> {
  if (lookup) return fieldsOf(lookup.path);
  const view = viewOf(area);
  if (!view)
    throw new TypeError(
      `${name}: the API area ${String(area)} does not have a view operation, so the kind must declare identity.lookup`,
    );
  return Object.fromEntries(pathNames(view.path).map((part) => [part, view.params?.[part] ?? NumericId]));
}

/** The id of a resource: its path parameters joined by slashes, parents first, such as `12/345`. */
export const idOf = (kind: Kind, path: Bag): string =>
  Object.keys(idParts(kind))
    .map((name) => path[name])
    .join("/");

/** The format of an id, such as `{domainId}/{recordId}`. */
export const idFormat = (kind: Kind): string =>
  Object.keys(idParts(kind))
    .map((name) => `{${name}}`)
    .join("/");

/** The format of an id for messages, with an example if all parts have one: `domainId/recordId, such as 12/345`. */
export function idFormatWithExample(kind: Kind): string {
  const parts = idParts(kind);
  const format = Object.keys(parts).join("/");
  const examples = Object.values(parts).map((schema, i) =>
    schema instanceof z.core.$ZodNumber ? [12, 345, 6789][i] : metaOf(schema).examples?.[0],
  );
  return examples.includes(undefined) ? format : `${format}, such as ${examples.join("/")}`;
}

class InvalidIdError extends CloudInfraError {
  override readonly name = "InvalidIdError";
}

/** Parses an id such as `12/345` to path parameters. Only the last parameter may contain slashes. */
export function pathOf(kind: Kind, id: string): Bag {
  const names = Object.entries(idParts(kind));
  const parts = id.split("/");
  const values = [...parts.slice(0, names.length - 1), parts.slice(names.length - 1).join("/")];
  const entries = names.map(([name, schema], i) => {
    const value = values[i] ?? "";
    const isNumber = schema instanceof z.core.$ZodNumber;
    const parsed = z.safeParse(schema, isNumber && /^\d+$/.test(value) ? Number(value) : value);
    if (!parsed.success)
      throw new InvalidIdError(
        `${kind.name}: "${id}" is not a valid id; it must look like ${idFormatWithExample(kind)}`,
      );
    return [name, parsed.data] as const;
  });
  return Object.fromEntries(entries);
}

/** The path with each part in its canonical form, the same for all ids of one object. */
export const canonicalPath = (kind: Kind, path: Bag): Bag =>
  Object.fromEntries(
    Object.entries(path).map(([part, value]) => {
      const schema = idParts(kind)[part];
      return [part, schema ? canonical(schema, value) : value];
    }),
  );

/** The reason why a text is not an id of the kind. Undefined if it is. */
export function idProblem(kind: Kind, id: string): string | undefined {
  try {
    pathOf(kind, id);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const parentEntries = ({ identity: { parents } }: Kind): [input: string, part: string][] =>
  Object.entries(parents ?? {}) as [string, string][];

/** The parent ids in a path, under the names of the inputs that declare them: `domainId` becomes `domain_id`. */
export const parentInputs = (kind: Kind, path: Bag): Bag =>
  Object.fromEntries(parentEntries(kind).map(([input, part]) => [input, path[part]]));

/**
 * Whether the last part of the id is the object's own id. If all parts are ids of parents, the resource manages a part
 * of its parent, such as settings or an attachment, and cannot contain other objects.
 */
export const hasOwnId = (kind: Kind): boolean =>
  !Object.values(kind.identity.parents ?? {}).includes(Object.keys(idParts(kind)).at(-1));

/**
 * A key for the objects that resources of a kind manage, the same for a second kind over them, such as `VolumeClone`: the
 * API area, or for a part of another object the kind, because several kinds manage parts of one object.
 */
export const objectsKey = (kind: Kind): string => (hasOwnId(kind) ? kind.identity.area : kind.name);

/** The parent ids among the inputs, under the names of the path parameters: `domain_id` becomes `domainId`. */
export const parentPath = (kind: Kind, want: Bag): Bag =>
  Object.fromEntries(parentEntries(kind).map(([input, part]) => [part, want[input]]));

/** Keys of the paths of an object and of those that contain it, the outermost first. */
export function pathKeys(path: Bag): string[] {
  const names = Object.keys(path);
  return names.map((_, i) => JSON.stringify(pick(path, names.slice(0, i + 1))));
}

/** Name of a resource in messages, such as `Volume "data" (12)`. */
export function displayNameOf({ kind, path, want, state }: { kind: Kind; path?: Bag; want: Bag; state?: Bag }): string {
  const known = { ...state, ...want };
  const { displayName } = kind.identity;
  const displayed = displayName?.(known) ?? (typeof known.label === "string" && `${kind.name} "${known.label}"`);
  if (!path) return displayed || kind.name;
  return displayed ? `${displayed} (${idOf(kind, path)})` : `${kind.name} ${idOf(kind, path)}`;
}

/** The reason why an object with the id of a resource in state is a later one: another time of creation. */
export const laterObjectReason = (state: Bag, observed: Bag): string | undefined =>
  typeof state.created === "string" && typeof observed.created === "string" && state.created !== observed.created
    ? `it was created at ${observed.created}, and the object in the state at ${state.created}`
    : undefined;

const owned = perConnection(() => new Map<string, Set<string>>());

/**
 * Ids of the objects of a kind that resources in this process already manage, also as a second kind, so that no other
 * resource adopts them.
 */
export function ownedIds(kind: Kind, host: Pick<Host, "connection">): Set<string> {
  const byObjects = owned(host);
  const ids = byObjects.get(objectsKey(kind)) ?? new Set<string>();
  byObjects.set(objectsKey(kind), ids);
  return ids;
}

const parts = perConnection(() => new Set<string>());

/** Records the objects of other resource classes that a resource manages as its parts, such as the pools of a cluster. */
export function recordParts(kind: Kind, host: Pick<Host, "connection">, path: Bag, state: Bag, declared: Bag): void {
  for (const part of kind.identity.manages?.(path, state, declared) ?? [])
    if (part.area !== kind.identity.area) parts(host).add(partKey(part.area, part.path));
}

/** Whether a resource of this process manages the object as its part, so that no other resource adopts it. */
export const isPart = ({ identity: { area } }: Kind, host: Pick<Host, "connection">, path: Bag): boolean =>
  parts(host).has(partKey(area, path));

const partKey = (area: string, path: Bag): string => `${area} ${Object.values(path).join("/")}`;

/**
 * Whether the resource runs an action, such as a reboot, instead of managing an object. The action runs when the
 * resource is created and when its `triggers` change.
 */
export const isAction = (kind: Kind): boolean =>
  "triggers" in kind.fields && kind.steps?.[fieldOf(kind, "triggers").change]?.afterCreate === true;
