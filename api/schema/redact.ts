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

/** Redacts the given secrets in a text, unchanged, escaped and encoded. */
export function hide(text: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= SHORTEST);
  const forms = long.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percentEncoded(secret),
    ...base64Forms(secret),
  ]);
  // Most secrets have the same text in all escaped forms, so duplicates are removed first.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const clean = longestFirst.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
  return ESCAPES.test(clean)
    ? long.reduce((clean, secret) => clean.replace(escapedForm(secret), HIDDEN), clean)
    : clean;
}

/**
 * Percent-encodes a text. The conversion to bytes and back replaces lone surrogates, for which `encodeURIComponent`
 * would throw an error.
 */
const percentEncoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Escape sequences of URLs, JSON and HTML. */
const ESCAPES = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#/i;

/** Maximum length of secrets to find with any of their characters escaped: tokens and passwords, but not scripts. */
const LONGEST_ESCAPED = 1000;

/** Matches a secret of which any characters are escaped, although no encoder has to escape them. */
function escapedForm(secret: string): RegExp {
  if (secret.length > LONGEST_ESCAPED) return /(?!)/;
  const characters = [...secret].map((character) => {
    const escaped = character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
    const percent = Buffer.from(character).toString("hex").replace(/../g, "%$&");
    const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i).toString(16).padStart(4, "0"));
    const json = units.map((unit) => `\\\\u${unit}`).join("");
    const code = character.codePointAt(0) ?? 0;
    return `(?:${escaped}|${percent}|${json}|&#0*${code};|&#x0*${code.toString(16)};)`;
  });
  return new RegExp(characters.join(""), "gi");
}

/** Minimum length of secrets to find in Base64, because short texts in Base64 occur by chance. */
const SHORTEST_BASE64 = 6;

/** The texts that a secret has in Base64, wherever it is in the encoded bytes, without characters that it shares. */
function base64Forms(secret: string): string[] {
  if (secret.length < SHORTEST_BASE64) return [];
  const bytes = Buffer.from(secret);
  const forms = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const isWhole = (before + bytes.length) % 3 === 0;
    return text.slice(before && before + 1).replace(isWhole ? /$/ : /.=*$/, "");
  });
  const padded = bytes.toString("base64");
  return [padded, padded.replace(/=+$/, ""), ...forms].flatMap((form) => [
    form,
    form.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}
