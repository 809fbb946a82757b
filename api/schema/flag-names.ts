import { kebab } from "./naming";
import { type Operation, pathNames } from "./operation";
import { fieldsOf } from "./schema-walk";

/** Options of the command `cloudinfra api` itself, as opposed to flags for the fields of an operation. */
export const callOptions = [
  "json",
  "jq",
  "columns",
  "all",
  "filter",
  "order-by",
  "desc",
  "file",
  "output",
  "url",
  "token",
  "timeout",
  "verbose",
  "help",
] as const;

/** Names of flags, without the leading dashes, by field. */
export type FlagNames = Readonly<Record<"path" | "query" | "body", ReadonlyMap<string, string>>>;

/**
 * The flags of `cloudinfra api` for the fields of an operation. If an option or another field has the name already, the
 * flag has a prefix, such as `--path.token` or `--body.compute-id`.
 */
export function flagNames({ path, query, body }: Operation): FlagNames {
  const used = new Set<string>(callOptions);
  const named = (part: keyof FlagNames, fields: readonly string[]): ReadonlyMap<string, string> =>
    new Map(
      fields.map((field) => {
        const short = kebab(field);
        const name = used.has(short) ? `${part}.${short}` : short;
        used.add(name);
        return [field, name];
      }),
    );
  return {
    path: named("path", pathNames(path)),
    query: named("query", query ? Object.keys(fieldsOf(query)) : []),
    body: named("body", body ? Object.keys(fieldsOf(body)) : []),
  };
}
