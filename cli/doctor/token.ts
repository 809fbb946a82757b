import { isTokenRejected } from "../../provider/client/errors";
import { isCovered, scopesIn } from "../../provider/client/interceptors/scopes";
import type { ReceivedResponse } from "../../provider/client/options";
import type { Kind } from "../../provider/engine/definition";
import { scopesOf } from "../../provider/engine/operations";
import { kinds } from "../../provider/resources";
import type { StateResource } from "../../stack/state";
import { type Check, notChecked, ok, problem } from "./check";
import { reasonsOf } from "./service";

/** The token as the service sees it. `present` is the check before the first request. */
export function validCheck(present: Check, failure: Error | undefined): Check {
  if (present.result !== "ok" || !failure) return present;
  if (isTokenRejected(failure))
    return problem(
      present.name,
      `${present.message}: the API rejects it (401 ${reasonsOf(failure)})`,
      'Create a new token and set it there; a token of another service does not work, and the emulator accepts "emulator"',
    );
  return notChecked(present.name, `${present.message}; the API did not check it`);
}

export const grantedScopes = (
  { headers }: ReceivedResponse,
  ownNames: (list: string) => string,
): string[] | undefined => {
  const list = headers?.["x-oauth-scopes"];
  return list === undefined ? undefined : scopesIn(ownNames(list));
};

/** The kinds that a project uses, each with the inputs that the program declares. */
export type UsedKinds = ReadonlyMap<Kind, readonly string[]>;

/** The kinds of the stack's resources and those that the program creates. */
export function usedKinds(resources: readonly StateResource[], inProgram: readonly string[]): UsedKinds {
  const used = new Map<Kind, string[]>();
  for (const { kind, declared } of resources) {
    const inputs = declared.map((path) => path.split(".")[0] ?? "");
    const own = kinds[kind.name as keyof typeof kinds] as Kind;
    used.set(own, [...new Set([...(used.get(own) ?? []), ...inputs])]);
  }
  for (const name of inProgram) {
    const kind = kinds[name as keyof typeof kinds] as Kind;
    if (!used.has(kind)) used.set(kind, []);
  }
  return used;
}

/** Compares the scopes of the token with those that the kinds need. Without a stack or a program, lists what it lacks. */
export function scopesCheck(granted: readonly string[] | undefined, used: UsedKinds): Check {
  const name = "scopes";
  if (!granted) return notChecked(name, "the API does not list the scopes of the token");
  const isKnown = used.size > 0;
  const all: UsedKinds = isKnown ? used : new Map(Object.values<Kind>(kinds).map((kind) => [kind, []]));
  const missing = new Map<string, string[]>();
  for (const [kind, inputs] of all)
    for (const scope of scopesOf(kind, inputs))
      if (!isCovered(scope, granted)) missing.set(scope, [...(missing.get(scope) ?? []), kind.name]);
  // Write access includes read access.
  for (const scope of missing.keys())
    if (missing.has(scope.replace("read_only", "read_write")) && scope.endsWith("read_only")) missing.delete(scope);
  const has = granted.includes("*") ? "all scopes" : granted.join(" ") || "none";
  if (!missing.size)
    return ok(name, isKnown ? `${has}, enough for ${[...used.keys()].map((kind) => kind.name).join(", ")}` : has);
  const list = [...missing.keys()].join(" ");
  if (!isKnown) return notChecked(name, `the project uses no kind yet; the token has ${has}, and not ${list}`);
  const lacking = [...missing].map(([scope, names]) => `${scope} (for ${names.join(", ")})`).join(", ");
  return problem(
    name,
    `the token lacks ${lacking}`,
    `Create a token that also has ${list}; with read access, only previews, drift checks and imports work`,
  );
}
