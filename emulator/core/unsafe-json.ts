import { ErrorResponse } from "./error-response";

/**
 * Maximum nesting depth of a request. The API needs less, and deeper values could overflow the stack of recursive code.
 */
const MAX_DEPTH = 32;

/**
 * Rejects texts with half of a surrogate pair. JSON can contain them, but no URL can, so an object with such a name could
 * neither be read nor deleted.
 */
export function rejectBrokenText(value: unknown, field?: string): void {
  if (typeof value === "string" && /\p{Surrogate}/u.test(value))
    throw new ErrorResponse(400, "Must not contain half of a surrogate pair", field);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) rejectBrokenText(inner, field ? `${field}.${name}` : name);
}

/** Rejects JSON that is nested too deeply, or that has keys such as `__proto__`. */
export function rejectUnsafeJson(value: object, depth = 1, field?: string): void {
  if (depth > MAX_DEPTH) throw new ErrorResponse(400, `Must not be nested deeper than ${MAX_DEPTH} levels`, field);
  if (Object.hasOwn(value, "__proto__")) throw new ErrorResponse(400, "Is not a known field", field ?? "__proto__");
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) rejectUnsafeJson(inner, depth + 1, field);
}
