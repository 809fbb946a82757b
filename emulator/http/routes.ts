import { metaOf, type NamedOperation, pathNames } from "../../api";

/** Where a request can lead. */
export type Route = NamedOperation;

export type Match =
  | { route: Route; values: Readonly<Record<string, string>> }
  | { allow: readonly string[] }
  | undefined;

interface Node {
  fixed: Map<string, Node>;
  any?: Node;
  /** Where the last parameter takes the rest of the path, slashes and all. */
  rest?: Node;
  routes: (Route & { names: readonly string[] })[];
}

const node = (): Node => ({ fixed: new Map(), routes: [] });

/** Finds operations by method and path: a tree over the segments, a fixed segment before a parameter. */
export class Matcher {
  readonly #root = node();

  constructor(routes: Iterable<Route>) {
    for (const route of routes) this.#add(route);
  }

  /** The path comes as it was sent, with the version and without the query. A slash at its end is ignored; a path that is not UTF-8 matches nothing. */
  find(method: string, path: string): Match {
    const [version, ...segments] = decoded(path.replace(/\/$/, ""));
    if (version !== "v4" && version !== "v4beta") return undefined;
    for (const { at, taken } of walk(this.#root, segments, 0, [])) {
      const routes = at.routes.filter(({ operation }) => version === "v4beta" || !operation.beta);
      if (routes.length === 0) continue;
      const route = routes.find(({ operation }) => operation.method === method);
      if (!route) return { allow: routes.map(({ operation }) => operation.method) };
      const values: Record<string, string> = {};
      for (const [place, name] of route.names.entries()) values[name] = taken[place] as string;
      return { route, values };
    }
    return undefined;
  }

  #add(route: Route): void {
    const { operation } = route;
    let at = this.#root;
    for (const segment of operation.path.slice(1).split("/")) {
      const [name] = pathNames(segment);
      const schema = name && operation.params?.[name];
      if (!name) at = getOr(at.fixed, segment);
      else if (schema && metaOf(schema).slashes) at = at.rest ??= node();
      else at = at.any ??= node();
    }
    at.routes.push({ ...route, names: pathNames(operation.path) });
  }
}

function* walk(
  at: Node,
  segments: readonly string[],
  next: number,
  taken: readonly string[],
): Iterable<{ at: Node; taken: readonly string[] }> {
  const segment = segments[next];
  if (segment === undefined) yield { at, taken };
  else {
    const fixed = at.fixed.get(segment);
    if (fixed) yield* walk(fixed, segments, next + 1, taken);
    if (at.any && segment) yield* walk(at.any, segments, next + 1, [...taken, segment]);
    if (at.rest && segment) yield { at: at.rest, taken: [...taken, segments.slice(next).join("/")] };
  }
}

function getOr(nodes: Map<string, Node>, segment: string): Node {
  const known = nodes.get(segment);
  if (known) return known;
  const fresh = node();
  nodes.set(segment, fresh);
  return fresh;
}

function decoded(path: string): string[] {
  try {
    return path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}
