/**
 * Maximum nesting depth of a response. The service uses a few levels, and recursive code needs a stack frame for each
 * level.
 */
const MAX_DEPTH = 64;
/**
 * Maximum number of values in a response, many times the number in the largest page of a list. Without the limit, a
 * small text could exhaust memory: a value can take thirty times the memory of its text.
 */
const MAX_VALUES = 200_000;

/** The parsed body, or the reason why the body cannot be parsed, worded as the end of a sentence. */
export type ParsedJson =
  | { value: unknown; problem?: undefined }
  | { value?: undefined; problem: string; isBroken: boolean };

/** Parses JSON. Rejects texts that need far more stack or memory than any response of the service. */
export function parseJson(body: Buffer): ParsedJson {
  const problem = excess(body);
  if (problem) return { problem, isBroken: false };
  try {
    return { value: JSON.parse(body.toString()) };
  } catch {
    return { problem: `is not valid JSON (${body.length} bytes)`, isBroken: true };
  }
}

/** An estimate of the memory in bytes that a value takes. The estimate tends to be too high. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return 40 + value.length;
  if (typeof value !== "object" || value === null) return 16;
  return Object.values(value).reduce((sum: number, inner) => sum + 16 + memoryOf(inner), 64);
}

/**
 * Estimates from brackets and commas whether parsing the text would need too much stack or memory. Returns the reason,
 * or undefined if the text can be parsed.
 */
function excess(body: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT || byte === COMMA) values++;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    if (values > MAX_VALUES) return `contains more than ${MAX_VALUES} values`;
  }
  return undefined;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = Buffer.from('"\\[]{},');

function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
