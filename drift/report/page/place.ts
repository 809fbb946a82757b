/** Words for the path of a difference, such as `inbound rule 1 › ports` for `/rules/inbound/0/ports`. */
export function placeOf(pointer: string): string {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const words: string[] = [];
  for (const [i, part] of parts.entries()) {
    const list = words.at(-1);
    if (!isIndex(part) || list === undefined || isIndex(parts[i - 1])) {
      words.push(isIndex(part) ? `entry ${Number(part) + 1}` : spaced(part));
      continue;
    }
    const above = words.at(-2);
    const isKind = !isPlural(list) && above !== undefined && isPlural(above);
    words.splice(isKind ? -2 : -1, 2, `${isKind ? `${list} ${singular(above)}` : singular(list)} ${Number(part) + 1}`);
  }
  return words.join(" › ");
}

const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

const isPlural = (word: string): boolean => /[^s]s$|sses$/.test(word);

const singular = (word: string): string =>
  isPlural(word)
    ? word
        .replace(/ies$/, "y")
        .replace(/(ss)es$/, "$1")
        .replace(/([^s])s$/, "$1")
    : word;

/** Separates the words of a property: `rootPass` becomes `root pass`. */
const spaced = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`);
