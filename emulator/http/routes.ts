import findMyWay from "find-my-way";
import { metaOf, type NamedOperation, type Operation, pathNames } from "../../api";

export type Route = NamedOperation;

export type Match =
  | { route: Route; values: Readonly<Record<string, string>> }
  | { allow: readonly string[]; others: readonly [Route, ...Route[]]; values: Readonly<Record<string, string>> }
  | undefined;

/**
 * Finds operations by path and then by method, so that a known path with another method returns a 405. A fixed segment
 * takes precedence over a parameter, and a trailing slash is ignored.
 */
export class Routes {
  readonly #stable: Paths;
  /** Built when it is first needed, because few clients use it, and building it takes a tenth of the emulator's start. */
  readonly #beta: () => Paths;

  constructor(routes: readonly Route[], pathOf: (operation: Operation) => string = ({ path }) => path) {
    const stable = routes.filter(({ operation }) => !operation.beta);
    this.#stable = pathsOf("v4", stable, pathOf);
    let beta: Paths | undefined;
    this.#beta = () => (beta ??= pathsOf("v4beta", routes, pathOf));
  }

  /**
   * Looks up a path as received, including the version (`/v4`) but not the query. A path that is not valid UTF-8
   * matches nothing.
   */
  find(method: string, path: string): Match {
    const paths = path.startsWith("/v4beta/") ? this.#beta() : this.#stable;
    const found = paths.find("GET", path);
    if (!found) return undefined;
    const routes = found.store as readonly [Route, ...Route[]];
    const values = found.params as Record<string, string>;
    const rest = values[REST];
    if (rest !== undefined) {
      delete values[REST];
      values[pathNames(routes[0].operation.path).at(-1) as string] = rest;
    }
    if (Object.values(values).includes("")) return undefined;
    const route = routes.find(({ operation }) => operation.method === method);
    return route
      ? { route, values }
      : { allow: routes.map(({ operation }) => operation.method), others: routes, values };
  }
}

type Paths = ReturnType<typeof findMyWay>;

/**
 * find-my-way has a separate tree for each method. All paths are in the tree for GET, so that a lookup finds a path for
 * any method.
 */
function pathsOf(version: string, routes: readonly Route[], pathOf: (operation: Operation) => string): Paths {
  const paths = findMyWay({ ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER });
  for (const all of Map.groupBy(routes, ({ operation }) => operation.path).values()) {
    const [{ operation }] = all as [Route];
    paths.on("GET", `/${version}${patternOf(operation, pathOf(operation))}`, () => undefined, all);
  }
  return paths;
}

/** The parameter name that find-my-way uses for a wildcard. */
const REST = "*";

/**
 * Converts a path to find-my-way's syntax: `/volumes/:volumeId`. A last parameter that may contain slashes becomes a
 * wildcard.
 */
const patternOf = ({ params = {} }: Operation, path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => (params[name] && metaOf(params[name]).slashes ? REST : `:${name}`));
