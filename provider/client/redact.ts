import type { z } from "zod";
import { metaOf } from "../../api";

const HIDDEN = "[secret]";

/** Names that are secret wherever they stand: an answer may hold fields that the contract does not know. */
const telling = /pass(word|phrase)?$|secret|(^|_)token$|private_key|ssl_key|kubeconfig|cvv/i;

/** Below this a value is too common in any text to be blanked out of it; a card's cvv has three digits. */
const SHORTEST = 3;

const known = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** The names of the fields, at any depth, whose values the contract calls secret. */
export function secretNames(schema: z.core.$ZodType): ReadonlySet<string> {
  let names = known.get(schema);
  if (!names) {
    names = collect(schema);
    known.set(schema, names);
  }
  return names;
}

function collect(root: z.core.$ZodType): Set<string> {
  const names = new Set<string>();
  const seen = new Set<z.core.$ZodType>();
  const visit = (schema: z.core.$ZodType, name: string): void => {
    if (metaOf(schema).secret) names.add(name);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const [part, value] of Object.entries(schema._zod.def)) {
      if (part === "shape") for (const [field, inner] of Object.entries(value as Shape)) visit(inner, field);
      else for (const inner of Array.isArray(value) ? value : [value]) if (isSchema(inner)) visit(inner, name);
    }
  };
  visit(root, "");
  return names;
}

type Shape = Record<string, z.core.$ZodType>;

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === "object" && value !== null && "_zod" in value;

/** A copy that can be shown. */
export function redacted(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => redacted(entry, names));
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name, names) ? HIDDEN : redacted(inner, names)]),
  );
}

const isSecret = (name: string, names: ReadonlySet<string>): boolean => names.has(name) || telling.test(name);

/** The secret values in what is sent, as they could show up in a message. */
export function secretsIn(value: unknown, names: ReadonlySet<string>, secret = false): string[] {
  if (value === null || value === undefined || value instanceof Uint8Array) return [];
  if (typeof value !== "object") return secret && typeof value !== "boolean" ? [String(value)] : [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, names, secret || isSecret(name, names)));
}

/** Blanks the given values out of a text, however they are escaped in it. */
export function hide(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), percentEncoded(secret)])
    .sort((a, b) => b.length - a.length);
  return forms.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/** By way of a Buffer, since the plain function throws on half a character. */
const percentEncoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
