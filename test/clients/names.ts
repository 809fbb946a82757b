/** The service is a public one under another name: what that calls `linode`, this calls `compute`. */
export type Direction = "to service" | "to client";

const words = { "to service": ["linode", "compute"], "to client": ["compute", "linode"] } as const;

/** Fields whose values are names of the API and not the user's own text. */
const named = /^(action|id|image|images|kernel|scopes|type|url)$/;

/** `linode`, `linodes`, `linode_id` and `linode-settings`, but no word that merely begins so. */
const noun = (word: string): RegExp => new RegExp(`(?<![a-z])${word}(?=s?(?![a-z]))`, "g");

export function renamedName(text: string, direction: Direction): string {
  const [from, to] = words[direction];
  return text.replace(noun(from), to);
}

/** An error's text, where the word can also begin a sentence. */
function renamedText(text: string, direction: Direction): string {
  const [from, to] = words[direction];
  return renamedName(text, direction).replace(noun(upper(from)), upper(to));
}

const upper = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** JSON with the other service's names: field names, and values where the field holds a name of the API. */
export function renamed(value: unknown, direction: Direction, field = ""): unknown {
  if (typeof value === "string") {
    if (field === "reason") return renamedText(value, direction);
    return field === "field" || named.test(field) ? renamedName(value, direction) : value;
  }
  if (Array.isArray(value)) return value.map((part) => renamed(part, direction, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      // In a filter, a key is a path like `entity.type`, and an operator is between field and value.
      const last = key.startsWith("+") ? field : (key.split(".").at(-1) ?? key);
      return [renamedName(key, direction), renamed(part, direction, last)];
    }),
  );
}
