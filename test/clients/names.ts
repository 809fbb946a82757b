/**
 * The direction in which names are converted. The API has the same names as a public service, except that `linode` is
 * `compute`.
 */
export type Direction = "to service" | "to client";

const words = { "to service": ["linode", "compute"], "to client": ["compute", "linode"] } as const;

/** Fields whose values are names of the API instead of user data. */
const named = /^(action|id|image|images|kernel|scopes|type|url)$/;

/** Matches `linode`, `linodes`, `linode_id` and `linode-settings`, but not other words that begin with `linode`. */
const noun = (word: string): RegExp => new RegExp(`(?<![a-z])${word}(?=s?(?![a-z]))`, "g");

export function renamedName(text: string, direction: Direction): string {
  const [from, to] = words[direction];
  return text.replace(noun(from), to);
}

/** Converts the names in an error message, in which a name can have a capital letter. */
function renamedText(text: string, direction: Direction): string {
  const [from, to] = words[direction];
  return renamedName(text, direction).replace(noun(upper(from)), upper(to));
}

const upper = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** Converts the names in JSON: field names, and values of the fields that contain names of the API. */
export function renamed(value: unknown, direction: Direction, field = ""): unknown {
  if (typeof value === "string") {
    if (field === "reason") return renamedText(value, direction);
    return field === "field" || named.test(field) ? renamedName(value, direction) : value;
  }
  if (Array.isArray(value)) return value.map((part) => renamed(part, direction, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      // In a filter, keys are paths such as `entity.type`, and there is an operator between the field and its value.
      const last = key.startsWith("+") ? field : (key.split(".").at(-1) ?? key);
      return [renamedName(key, direction), renamed(part, direction, last)];
    }),
  );
}
