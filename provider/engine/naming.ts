import { randomBytes } from "node:crypto";
import { z } from "zod";
import { fieldsOf, innerOf } from "../../api";
import { canonicalInput } from "./comparison";
import { fieldOf, inputSchema, type Kind } from "./definition";
import type { Host } from "./host";
import { type Bag, containsUnknown } from "./values";

/** Adds the defaults and tags from the stack's configuration to the program's inputs. */
export function withConfiguredDefaults(
  kind: Kind,
  { settings }: Pick<Host, "settings">,
  inputs: Bag,
  olds: Bag = {},
): Bag {
  return withDefaultTags(kind, settings.default_tags ?? [], withDefaults(kind, settings, inputs, olds));
}

/** Adds the defaults of a resource definition for the inputs that the program omits. */
export function withDefaults(kind: Kind, settings: Host["settings"], inputs: Bag, olds: Bag = {}): Bag {
  const all = Object.entries(defaultsOf(kind, settings, inputs, olds));
  return { ...inputs, ...Object.fromEntries(all.filter(([key]) => inputs[key] === undefined)) };
}

/**
 * The defaults that a resource definition computes from the stack's configuration, the declared inputs and those of the
 * last update, such as the default of `allow_reboot`.
 */
export function defaultsOf(kind: Kind, settings: Host["settings"], declared: Bag, olds: Bag = {}): Bag {
  const values = Object.keys(kind.fields).map(
    (key) => [key, fieldOf(kind, key).default?.(settings, declared, olds)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function withDefaultTags(kind: Kind, tags: readonly string[], inputs: Bag): Bag {
  if (!tags.length || !("tags" in fieldsOf(kind.inputs))) return inputs;
  const own = inputs.tags ?? [];
  // Default tags cannot be added to tags that are unknown or not a list. The schema validates the tags later.
  if (!Array.isArray(own) || containsUnknown(own)) return inputs;
  const canonicalTag = (tag: unknown): string => String(canonicalInput(kind, "tags", [tag], {}));
  const present = new Set(own.map(canonicalTag));
  return { ...inputs, tags: [...own, ...tags.filter((tag) => !present.has(canonicalTag(tag)))] };
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
  olds: Bag,
  inputs: Bag,
  prefix = "",
  random: Random = randomBytes,
): { inputs: Bag; autonamed: boolean } {
  const input = kind.identity.autoname;
  if (!input || (inputs[input] !== undefined && inputs[input] !== null)) return { inputs, autonamed: false };
  return {
    inputs: { ...inputs, [input]: olds[input] ?? uniqueName(kind, input, `${prefix}${name}`, random) },
    autonamed: true,
  };
}

const kindsWithoutName = new WeakMap<Kind, Kind>();

/**
 * A copy of a resource definition for objects whose name the program omits. The copy ignores differences between the
 * generated name and the object's name, for example after the object was renamed outside Pulumi.
 */
export function withoutName(kind: Kind): Kind {
  const { autoname } = kind.identity;
  if (!autoname) return kind;
  const known = kindsWithoutName.get(kind) ?? { ...kind, fields: { ...kind.fields, [autoname]: "local" } };
  kindsWithoutName.set(kind, known);
  return known;
}

const SUFFIX = 7;

/** A valid name with a random suffix, so that a replacement can exist next to the old object. */
function uniqueName(kind: Kind, input: string, name: string, random: Random): string {
  const schema = inputSchema(kind, input);
  const inner = innerOf(schema);
  const max = (inner instanceof z.ZodString ? inner.maxLength : undefined) ?? 64;
  const suffix = random(4).toString("hex").slice(0, SUFFIX);
  const alphanumeric = name.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^[^a-zA-Z]+/, "");
  const stem =
    alphanumeric.slice(0, max - SUFFIX - 1).replace(/-+$/, "") || kind.name.toLowerCase().slice(0, max - SUFFIX - 1);
  const generated = `${stem}-${suffix}`;
  return z.safeParse(schema, generated).success ? generated : generated.toLowerCase();
}
