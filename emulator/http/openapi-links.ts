import { fieldsOf, type NamedOperation, type Operation, pathNames } from "../../api";

type Json = Record<string, unknown>;

/** Where the object that a creation answers can be used next: every operation under the path that the object gets. */
export function linksOf({ method, path, result }: Operation, all: readonly NamedOperation[]): Json {
  if (method !== "POST") return {};
  const under = new RegExp(`^${escaped(path)}/\\{(\\w+)\\}`);
  const links: Json = {};
  for (const { name: id, operation } of all) {
    const own = under.exec(operation.path)?.[1];
    const field = own && ["id", own].find((name) => name in fieldsOf(result));
    // What else the path names has to be known by then: the parents, which stand in the creation's own path.
    if (!field || pathNames(operation.path).length > pathNames(path).length + 1) continue;
    const parents = pathNames(path).map((name) => [`path.${name}`, `$request.path.${name}`]);
    links[id] = {
      operationId: id,
      parameters: Object.fromEntries([...parents, [`path.${own}`, `$response.body#/${field}`]]),
    };
  }
  return links;
}

const escaped = (text: string): string => text.replace(/[{}]/g, "\\$&");
