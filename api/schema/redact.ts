import type { z } from "zod";
import { holdsSecret, metaOf } from "./meta";
import { elementOf, fieldsOf, formOf, ownProperty, valueTypeOf } from "./schema-walk";

type Schema = z.core.$ZodType;

/** The text that replaces secrets. */
export const HIDDEN = "[secret]";

/**
 * Names of fields that are masked even if no schema marks them as secret, because requests and responses can contain
 * unknown fields.
 */
const secretNames = /pass(word|phrase)?$|secret(?!_version)|(^|_)token$|private_key|ssl_key|kubeconfig|cvv/i;

/**
 * Copies a value with its secrets masked. In an object that has a secret field, unknown fields and values of unexpected
 * types are masked, too, because they may contain the secret by mistake.
 */
export const redact = (schema: Schema | undefined, value: unknown): unknown => mapSecrets(schema, value, () => HIDDEN);

/** The secret values in a request, so that they can be removed from messages. */
export function secretsIn(schema: Schema, value: unknown): string[] {
  const found: string[] = [];
  mapSecrets(schema, value, (secret) => found.push(...textsIn(secret)));
  return found;
}

function mapSecrets(schema: Schema | undefined, value: unknown, each: (secret: unknown) => unknown): unknown {
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (value === null || value === undefined) return value;
  if (schema && metaOf(schema).secret) return each(value);
  const form = schema && formOf(schema, value);
  const besideSecret = form !== undefined && holdsSecret(form);
  if (typeof value !== "object") return besideSecret ? each(value) : value;
  if (Array.isArray(value)) {
    const element = form && elementOf(form);
    return besideSecret && !element ? each(value) : value.map((item) => mapSecrets(element, item, each));
  }
  const fields = form ? fieldsOf(form) : {};
  const values = form && valueTypeOf(form);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const field = ownProperty(fields, name) ?? values;
      const isHidden = item !== null && (secretNames.test(name) || (besideSecret && !field));
      return [name, isHidden ? each(item) : mapSecrets(field, item, each)];
    }),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/**
 * Minimum length in characters of values to redact, because shorter ones occur in any text by chance. A card's CVV has
 * three digits.
 */
const SHORTEST = 3;

/** Redacts the given secrets in a text, both unescaped and in escaped forms. */
export function hide(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), percentEncoded(secret)]);
  // Most secrets have the same text in all escaped forms, so duplicates are removed first.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/**
 * Percent-encodes a text. The conversion to bytes and back replaces lone surrogates, for which `encodeURIComponent`
 * would throw an error.
 */
const percentEncoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
