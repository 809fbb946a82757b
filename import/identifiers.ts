/** Converts a name to the name of a variable: `web-1` becomes `web1`. */
export function identifier(name: string): string {
  const [first = "", ...rest] = name.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const joined = `${first.slice(0, 1).toLowerCase()}${first.slice(1)}${rest.map(capital).join("")}`;
  return /^[a-z]/.test(joined) ? joined : `object${capital(joined)}`;
}

export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Appends a number to the name if it is already in use. Adds the result to the names in use. */
export function unique(preferred: string, used: Set<string>, separator = ""): string {
  let name = preferred;
  for (let nth = 2; used.has(name); nth++) name = `${preferred}${separator}${nth}`;
  used.add(name);
  return name;
}

/** Words that cannot be names of variables in strict mode, or in a module that Pulumi's ts-node compiles to CommonJS. */
export const reserved =
  "arguments await break case catch class const continue debugger default delete do else enum eval export exports extends false finally for function if implements import in instanceof interface let module new null package private protected public require return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  );
