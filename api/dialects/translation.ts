import { z } from "zod";
import { filterableFields } from "../schema/lists";
import { metaOf } from "../schema/meta";
import { elementOf, fieldsOf, innerOf, isObject, ownProperty, valueTypeOf } from "../schema/schema-walk";
import type { Dialect, Names } from "./dialect";

type Schema = z.core.$ZodType;
type Rename = (text: string) => string;

/** Converts a value that has the schema. Parts without names of the service are unchanged. */
export type Translate = (value: unknown) => unknown;

/**
 * `to` converts the contract's names to those of the service, `from` converts them back. `fromUser` is `to` for the values
 * of users, who may write the ids of images and kernels in either way.
 */
export type Direction = "to" | "from" | "fromUser";

/**
 * Converts between the names of the contract and those of a dialect. A name is converted only where the contract has
 * it, so the data of users is unchanged. Every conversion exchanges the two names, and is therefore its own inverse: a
 * name that only the other side knows is still unknown after the conversion, and an error about it shows the name that
 * was sent.
 */
export class Translation {
  readonly #compiled: Record<Direction, WeakMap<Schema, Translate | typeof NONE>> = {
    to: new WeakMap(),
    from: new WeakMap(),
    fromUser: new WeakMap(),
  };
  readonly #filters: Record<Direction, WeakMap<Schema, Translate>> = {
    to: new WeakMap(),
    from: new WeakMap(),
    fromUser: new WeakMap(),
  };
  readonly #field: Rename;
  readonly #path: Rename;
  readonly #value: Rename;
  /** Conversions of the strings that `meta` marks. */
  readonly #marked: Record<"id" | "path" | "device" | "capability" | "platform" | "value", Rename>;
  readonly #serviceId: Rename;
  readonly #service: Record<Direction, Rename>;
  /** Converts the names in a message or in a list of scopes. */
  readonly text: Rename;

  constructor(readonly dialect: Dialect) {
    const { fields, values, ids, devices, capabilities, platforms, words, paths, servicePrefix } = dialect;
    this.#field = exchanged(fields);
    this.#value = exchanged(values);
    this.#path = exchangedStart(paths);
    this.#serviceId = forwardStart(ids);
    this.#marked = {
      id: exchangedStart(ids),
      path: (text) => this.path(text),
      device: exchangedStart(devices),
      capability: exchanged(capabilities),
      platform: exchanged(platforms),
      value: this.#value,
    };
    const service = withPrefix(servicePrefix, "_");
    this.#service = { to: service, from: withPrefix("_", servicePrefix), fromUser: service };
    this.text = exchangedWords({ ...values, ...fields, ...words });
  }

  /** Converts a path with or without the API's version, such as `/v4/compute/types`. */
  path(path: string): string {
    const [version = ""] = /^\/v\d\w*(?=\/)/.exec(path) ?? [];
    return version + this.#path(path.slice(version.length));
  }

  /** The conversion of values with a schema. Undefined if they contain no names of the service. */
  of(schema: Schema, direction: Direction): Translate | undefined {
    const known = this.#compiled[direction].get(schema);
    if (known) return known === NONE ? undefined : known;
    const translate = this.#compile(schema, direction);
    this.#compiled[direction].set(schema, translate ?? NONE);
    return translate;
  }

  /** The conversion of the filter of a list with such entries. */
  filter(entry: Schema, direction: Direction): Translate {
    const known = this.#filters[direction].get(entry);
    if (known) return known;
    const translate = this.#compileFilter(entry, direction);
    this.#filters[direction].set(entry, translate);
    return translate;
  }

  /** The contract's id of an image or a kernel, which users may write in either way. */
  ownId(id: string): string {
    return this.#marked.id(this.#serviceId(id));
  }

  /** Converts the path of a field in a body with the schema, such as `assignments.0.compute_id`. */
  field(schema: Schema | undefined, path: string): string {
    let at = schema;
    const renamed = path.split(".").map((part) => {
      const fields = at ? fieldsOf(at) : {};
      const name = this.#field(part);
      const field = ownProperty(fields, part) ?? ownProperty(fields, name);
      at = field ?? (at && elementOf(at));
      return field ? name : part;
    });
    return renamed.join(".");
  }

  #compile(schema: Schema, direction: Direction): Translate | undefined {
    const inner = innerOf(schema);
    const { opaque, names, catalogue } = metaOf(schema);
    if (opaque) return undefined;
    if (catalogue === "images" || catalogue === "kernels")
      return ofText(direction === "fromUser" ? this.#serviceId : this.#marked.id);
    if (names) {
      const marked = ofText(names === "service" ? this.#service[direction] : this.#marked[names]);
      return elementOf(inner) ? (value) => (Array.isArray(value) ? value.map(marked) : value) : marked;
    }
    const { def } = inner._zod;
    if (inner instanceof z.core.$ZodEnum || inner instanceof z.core.$ZodLiteral)
      return [...inner._zod.values].some((value) => this.#value(String(value)) !== value)
        ? ofText(this.#value)
        : undefined;
    if (inner instanceof z.core.$ZodUnion) return this.#compileUnion(inner, direction);
    const element = elementOf(inner) ?? valueTypeOf(inner);
    if (element) {
      const each = this.of(element, direction);
      return each && (valueTypeOf(inner) ? (value) => mapped(value, each) : (value) => listed(value, each));
    }
    return def.type === "object" ? this.#compileObject(inner, direction) : undefined;
  }

  #compileObject(schema: Schema, direction: Direction): Translate | undefined {
    const fields = fieldsOf(schema);
    const known: ConvertedFields = new Map();
    for (const [name, field] of Object.entries(fields)) {
      const each = this.of(field, direction);
      const theirs = this.#field(name);
      const [from, to] = direction === "from" ? [theirs, name] : [name, theirs];
      if (each || from !== to) known.set(from, { to, each });
      if (from !== to) known.set(to, { to: from, each: undefined });
    }
    if (!known.size) return undefined;
    const isRenamed = [...known].some(([from, { to }]) => from !== to);
    return isRenamed ? (value) => renamed(value, known) : (value) => withParts(value, known);
  }

  /** The variants of a union that contain names have a field with the name of the variant. */
  #compileUnion(union: z.core.$ZodUnion, direction: Direction): Translate | undefined {
    const { options } = union._zod.def;
    if (!options.some((option) => this.of(option, direction))) return undefined;
    if (!(union instanceof z.core.$ZodDiscriminatedUnion))
      throw new TypeError("a union whose variants contain names of the service needs a discriminator");
    const { discriminator } = union._zod.def;
    const variants = new Map<unknown, Translate | undefined>();
    for (const option of options)
      for (const value of fieldsOf(option)[discriminator]?._zod.values ?? [])
        variants.set(direction === "from" ? this.#value(String(value)) : value, this.of(option, direction));
    const unknown = (value: Readonly<Record<string, unknown>>) => ({
      ...value,
      ...(discriminator in value && { [discriminator]: ofText(this.#value)(value[discriminator]) }),
    });
    return (value) => {
      if (!isObject(value)) return value;
      const kind = value[discriminator];
      return variants.has(kind) ? (variants.get(kind)?.(value) ?? value) : unknown(value);
    };
  }

  #compileFilter(entry: Schema, direction: Direction): Translate {
    const known = filterableFields(entry);
    const renamed: Rename = (name) => name.split(".").map(this.#field).join(".");
    const condition = ([name, wanted]: [string, unknown]): [string, unknown] => {
      if (name === "+and" || name === "+or") return [name, listed(wanted, conditions)];
      if (name === "+order_by") return [name, ofText(renamed)(wanted)];
      const field = known.get(direction === "from" ? renamed(name) : name);
      const each = field && this.of(field.value, direction);
      return [renamed(name), each ? (isObject(wanted) ? mapped(wanted, each) : each(wanted)) : wanted];
    };
    const conditions: Translate = (filter) =>
      isObject(filter) ? Object.fromEntries(Object.entries(filter).map(condition)) : filter;
    return conditions;
  }
}

const NONE = Symbol("none");

/** The fields of an object that have another name after a conversion, or whose values it converts. */
type ConvertedFields = Map<string, { to: string; each: Translate | undefined }>;

const renamed = (value: unknown, fields: ConvertedFields): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, part]) => {
          const field = fields.get(key);
          return field ? [field.to, field.each ? field.each(part) : part] : [key, part];
        }),
      )
    : value;

/**
 * Converts the fields of an object whose names are the same in the service. Returns the same object if no value changes,
 * because this runs for each object of each response.
 */
function withParts(value: unknown, fields: ConvertedFields): unknown {
  if (!isObject(value)) return value;
  let converted: Record<string, unknown> | undefined;
  for (const [key, { each }] of fields) {
    const part = ownProperty(value, key);
    const result = part === undefined || !each ? part : each(part);
    if (result === part) continue;
    converted ??= { ...value };
    converted[key] = result;
  }
  return converted ?? value;
}

const ofText =
  (rename: Rename): Translate =>
  (value) =>
    typeof value === "string" ? rename(value) : value;

/** Returns the same list if no entry changes. */
function listed(value: unknown, each: Translate): unknown {
  if (!Array.isArray(value)) return value;
  const converted = value.map((one) => each(one));
  return converted.some((one, i) => one !== value[i]) ? converted : value;
}

const mapped = (value: unknown, each: Translate): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, each(part)])) : value;

const bothWays = (names: Names): Map<string, string> =>
  new Map(
    Object.entries(names).flatMap(
      ([own, external]) =>
        [
          [own, external],
          [external, own],
        ] as const,
    ),
  );

/** Exchanges whole names. */
function exchanged(names: Names): Rename {
  const other = bothWays(names);
  return (text) => other.get(text) ?? text;
}

/** Exchanges the beginnings of texts. */
const exchangedStart = (names: Names): Rename => replacedStart([...bothWays(names)]);

/** Replaces the beginnings of texts, if they are the contract's. */
const forwardStart = (names: Names): Rename => replacedStart(Object.entries(names));

/** Replaces one prefix of names by another one. A name may have either. */
const withPrefix =
  (prefix: string, other: string): Rename =>
  (text) =>
    text && prefix + text.slice([prefix, other].find((start) => start && text.startsWith(start))?.length ?? 0);

function replacedStart(other: readonly (readonly [string, string])[]): Rename {
  return (text) => {
    const found = other.find(([start]) => text.startsWith(start));
    return found ? found[1] + text.slice(found[0].length) : text;
  };
}

/**
 * Exchanges names where they are words of a text. Parts of words such as `my-compute` are not names, nor are parts of
 * host names and email addresses.
 */
function exchangedWords(names: Names): Rename {
  const other = bothWays(names);
  const words = [...other.keys()].sort((a, b) => b.length - a.length).join("|");
  const word = new RegExp(`(?<![\\w@-]|\\w\\.)(?:${words})(?![\\w@-]|\\.\\w)`, "g");
  return (text) => text.replace(word, (name) => other.get(name) ?? name);
}
