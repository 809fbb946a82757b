import { randomBytes } from "node:crypto";
import { z } from "zod";
import { fieldsOf, innerOf, metaOf, type Operation, operations, pathNames } from "../../api";
import { CloudInfraError } from "../client/errors";
import type { Age } from "../client/observations";
import { fieldOf, type Kind } from "./definition";
import { type Context, type Host, perConnection } from "./host";
import { type Bag, canonicalInput, holdsUnknown } from "./values";

export interface ReadContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  /**
   * The outputs in state. Empty if the object is not in state yet, as during an import. In a drift check, secret
   * outputs are "[secret]" and secret inputs are missing.
   */
  state: Seen;
  /** How old a cached object may be. Resource definitions pass this on to `host.reads.view`. */
  age: Age;
}

/**
 * The operation that reads one object of an API area such as `volumes`. Undefined if the area can only list objects.
 */
export const viewOf = (area: string): Operation | undefined =>
  (operations[area as keyof typeof operations] as Partial<Record<string, Operation>>).view;

/** The schemas of the parts of an id, in order: for example, those of `domainId` and `recordId`. */
export function idParts({ name, identity: { area, lookup } }: Kind): Record<string, z.core.$ZodType> {
  if (lookup) return fieldsOf(lookup.path);
  const view = viewOf(area);
  if (!view)
    throw new TypeError(
      `${name}: the API area ${String(area)} does not have a view operation, so the kind must declare identity.lookup`,
    );
  return Object.fromEntries(pathNames(view.path).map((part) => [part, view.params?.[part] ?? z.int().min(1)]));
}

/** The id of a resource: its path parameters joined by slashes, parents first, such as `12/345`. */
export const idOf = (kind: Kind, path: Bag): string =>
  Object.keys(idParts(kind))
    .map((name) => path[name])
    .join("/");

/** The format of an id, such as `{domainId}/{recordId}`. */
export const idForm = (kind: Kind): string =>
  Object.keys(idParts(kind))
    .map((name) => `{${name}}`)
    .join("/");

/** The format of an id for messages, with an example if all parts have one: `domainId/recordId, such as 12/345`. */
export function exampleOf(kind: Kind): string {
  const parts = idParts(kind);
  const form = Object.keys(parts).join("/");
  const examples = Object.values(parts).map((schema, i) =>
    schema instanceof z.core.$ZodNumber ? [12, 345, 6789][i] : metaOf(schema).examples?.[0],
  );
  return examples.includes(undefined) ? form : `${form}, such as ${examples.join("/")}`;
}

class InvalidIdError extends CloudInfraError {
  override readonly name = "InvalidIdError";
}

/** Parses an id such as `12/345` to path parameters. Only the last parameter may contain slashes. */
export function pathOf(kind: Kind, id: string): Bag {
  const names = Object.entries(idParts(kind));
  const parts = id.split("/");
  const values = [...parts.slice(0, names.length - 1), parts.slice(names.length - 1).join("/")];
  const read = names.map(([name, schema], i) => {
    const value = values[i] ?? "";
    const isNumber = schema instanceof z.core.$ZodNumber;
    const parsed = z.safeParse(schema, isNumber && /^\d+$/.test(value) ? Number(value) : value);
    if (!parsed.success)
      throw new InvalidIdError(`${kind.name}: "${id}" is not a valid id; it must look like ${exampleOf(kind)}`);
    return [name, parsed.data] as const;
  });
  return Object.fromEntries(read);
}

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
export const inputsIn = (kind: Kind, path: Bag): Bag =>
  Object.fromEntries(parentEntries(kind).map(([input, part]) => [input, path[part]]));

/**
 * Whether the last part of the id is the object's own id. If all parts are ids of parents, the resource manages a part
 * of its parent, such as settings or an attachment, and cannot contain other objects.
 */
export const hasOwnId = (kind: Kind): boolean =>
  !Object.values(kind.identity.parents ?? {}).includes(Object.keys(idParts(kind)).at(-1));

/** The parent ids among the inputs, under the names of the path parameters: `domain_id` becomes `domainId`. */
export const parentsIn = (kind: Kind, want: Bag): Bag =>
  Object.fromEntries(parentEntries(kind).map(([input, part]) => [part, want[input]]));

/** Name of a resource in messages, such as `Volume "data" (12)`. */
export function nameOf({ kind, path, want, state }: { kind: Kind; path?: Bag; want: Bag; state?: Bag }): string {
  const known = { ...state, ...want };
  const { displayName } = kind.identity;
  const called = displayName?.(known) ?? (typeof known.label === "string" && `${kind.name} "${known.label}"`);
  if (!path) return called || kind.name;
  return called ? `${called} (${idOf(kind, path)})` : `${kind.name} ${idOf(kind, path)}`;
}

const owned = perConnection(() => new Map<string, Set<string>>());

/**
 * Ids of the objects of one resource class that resources in this process already manage, so that no other resource
 * adopts them.
 */
export function ownedIds(kind: Kind, host: Pick<Host, "connection">): Set<string> {
  const kinds = owned(host);
  const ids = kinds.get(kind.name) ?? new Set<string>();
  kinds.set(kind.name, ids);
  return ids;
}

/**
 * Whether the resource runs an action, such as a reboot, instead of managing an object. The action runs when the
 * resource is created and when its `triggers` change.
 */
export const isAction = (kind: Kind): boolean =>
  "triggers" in kind.fields && kind.steps?.[fieldOf(kind, "triggers").change]?.afterCreate === true;

interface Calls {
  list: { all(input: { path?: Bag }, options: { filter?: Bag }): AsyncIterable<Bag> };
  delete(input: { path: Bag }): Promise<unknown>;
}

/**
 * The API calls for the objects of a resource class. Their types are declared here, because TypeScript cannot infer
 * that every area of the API has `list` and `delete`.
 */
const callsOf = ({ identity: { area } }: Kind, host: Host): Calls =>
  host.api[area as keyof Host["api"]] as unknown as Calls;

export const deleteAt = (kind: Kind, host: Host, path: Bag): Promise<unknown> => callsOf(kind, host).delete({ path });

/** The fields of an object as the API returns it, without the fields that the resource definition adds. */
export function recordFields({ identity: { area }, outputs }: Kind): Record<string, z.core.$ZodType> {
  return fieldsOf(viewOf(area)?.result ?? outputs);
}

/**
 * Lists the objects with the given parents. The request filters by those inputs in `like` that are filterable, except
 * inputs with several equivalent notations, because a filter would find only one of them.
 */
export function list(kind: Kind, host: Host, parents: Bag, like: Bag): AsyncIterable<Bag> {
  const fields = recordFields(kind);
  const isComparable = (key: string, value: unknown): boolean =>
    !fieldOf(kind, key).canonical && canonicalInput(kind, key, value, {}) === value;
  const filter = Object.fromEntries(
    Object.entries(like).filter(
      ([key, value]) =>
        fields[key] && metaOf(fields[key]).filterable && typeof value === "string" && isComparable(key, value),
    ),
  );
  return callsOf(kind, host).list.all(
    Object.keys(parents).length ? { path: parents } : {},
    Object.keys(filter).length ? { filter } : {},
  );
}

/** The path parameters of an object in a list: its parents and its own id. */
export function recordPath(kind: Kind, parents: Bag, record: Bag): Bag {
  if (kind.identity.listed) return kind.identity.listed(record);
  const last = Object.keys(idParts(kind)).at(-1) as string;
  return { ...parents, [last]: record[last] ?? record.id };
}

/** Adds the defaults and tags from the stack's configuration to the program's inputs. */
export function configured(kind: Kind, { settings }: Pick<Host, "settings">, given: Bag): Bag {
  const defaults = Object.entries(defaultsOf(kind, settings, given)).filter(([key]) => given[key] === undefined);
  return withTags(kind, settings.default_tags ?? [], { ...given, ...Object.fromEntries(defaults) });
}

/**
 * The defaults that a resource definition computes from the stack's configuration and the declared inputs, such as the
 * default of `allow_reboot`.
 */
export function defaultsOf(kind: Kind, settings: Host["settings"], declared: Bag): Bag {
  const values = Object.keys(kind.fields).map(
    (key) => [key, fieldOf(kind, key).default?.(settings, declared)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function withTags(kind: Kind, tags: readonly string[], given: Bag): Bag {
  if (!tags.length || !("tags" in fieldsOf(kind.inputs))) return given;
  const own = given.tags ?? [];
  // Default tags cannot be added to tags that are unknown or not a list. The schema validates the tags later.
  if (!Array.isArray(own) || holdsUnknown(own)) return given;
  const formOf = (tag: unknown): string => String(canonicalInput(kind, "tags", [tag], {}));
  const has = new Set(own.map(formOf));
  return { ...given, tags: [...own, ...tags.filter((tag) => !has.has(formOf(tag)))] };
}

/** Returns random bytes, for names of new objects. */
export type Random = (size: number) => Buffer;

/**
 * Adds a name to the inputs if the program omits it: the object's current name, or a new one that is generated from the
 * name of the resource.
 */
export function autoname(
  kind: Kind,
  name: string,
  was: Bag,
  given: Bag,
  prefix = "",
  random: Random = randomBytes,
): { inputs: Bag; autonamed: boolean } {
  const input = kind.identity.autoname;
  if (!input || (given[input] !== undefined && given[input] !== null)) return { inputs: given, autonamed: false };
  return {
    inputs: { ...given, [input]: was[input] ?? uniqueName(kind, input, `${prefix}${name}`, random) },
    autonamed: true,
  };
}

const unnamed = new WeakMap<Kind, Kind>();

/**
 * A copy of a resource definition for objects whose name the program omits. The copy ignores differences between the
 * generated name and the object's name, for example after the object was renamed outside Pulumi.
 */
export function withoutName(kind: Kind): Kind {
  const { autoname } = kind.identity;
  if (!autoname) return kind;
  const known = unnamed.get(kind) ?? { ...kind, fields: { ...kind.fields, [autoname]: "local" } };
  unnamed.set(kind, known);
  return known;
}

const SUFFIX = 7;

/** A valid name with a random suffix, so that a replacement can exist next to the old object. */
function uniqueName(kind: Kind, input: string, name: string, random: Random): string {
  const schema = kind.inputs.shape[input];
  const inner = innerOf(schema);
  const most = (inner instanceof z.ZodString ? inner.maxLength : undefined) ?? 64;
  const end = random(4).toString("hex").slice(0, SUFFIX);
  const plain = name.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^[^a-zA-Z]+/, "");
  const start =
    plain.slice(0, most - SUFFIX - 1).replace(/-+$/, "") || kind.name.toLowerCase().slice(0, most - SUFFIX - 1);
  const made = `${start}-${end}`;
  return z.safeParse(schema, made).success ? made : made.toLowerCase();
}
