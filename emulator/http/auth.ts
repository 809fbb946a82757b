import { type Operation, pathNames, type Scope } from "../../api";
import type { Granted, Level, TokenRow } from "../core/core-tables";
import { ErrorResponse, notFound } from "../core/error-response";
import type { Key } from "../core/store";
import { TextCache } from "../core/text-cache";
import { digest, grant } from "../core/users";
import type { World } from "../core/world";

/** The authenticated user and token of a request. */
export interface Caller {
  /** Name of the user. Null for requests without a token, which only public operations allow. */
  username: string | null;
  /** Label of the token. Null for requests without a token. */
  token: string | null;
  restricted: boolean;
  scopes: "*" | readonly Scope[];
  has(scope: Scope): boolean;
  /**
   * Whether the user may access the object at this level, for example `read_only`. Always true for unrestricted users.
   */
  may(kind: Granted, id: Key, level: Level): boolean;
  /** Throws a 404 if the object is hidden from the user, and a 403 if the user may only read it. */
  need(kind: Granted, id: Key, level: Level): void;
}

/**
 * The type of object that each path parameter identifies, for checks of a user's grants. Images are omitted: some are
 * public, so their handlers check access.
 */
const kinds: Readonly<Record<string, Granted>> = {
  computeId: "compute",
  volumeId: "volume",
  domainId: "domain",
  nodeBalancerId: "nodebalancer",
  firewallId: "firewall",
};

export const kindOf = (parameter: string, path: string): Granted | undefined =>
  parameter === "clusterId" && path.startsWith("/lke/") ? "cluster" : kinds[parameter];

const added: Readonly<Record<string, Granted>> = {
  add_computes: "compute",
  add_volumes: "volume",
  add_domains: "domain",
  add_nodebalancers: "nodebalancer",
  add_firewalls: "firewall",
  add_images: "image",
  add_clusters: "cluster",
};

/**
 * The key for rate limits: the token if it is known, otherwise the client's address, so that a client cannot avoid the
 * limits by sending random tokens.
 */
export const holderOf = (world: World, header: string | undefined, address: string): string =>
  tokenOf(world, header)?.id ?? `from ${address}`;

/** The token in the header, also if it has expired. Undefined if it is unknown. */
export const tokenOf = ({ tokens }: World, header: string | undefined): Readonly<TokenRow> | undefined =>
  header === undefined ? undefined : tokens.find(idOf(header));

/**
 * Returns the caller that the token identifies. Throws a 401 if the token is unknown or has expired, or if the
 * operation requires a token and the request has none.
 */
export function authenticate(world: World, header: string | undefined, operation: Operation): Caller {
  if (header === undefined) {
    if (operation.scopes.length > 0 && !operation.public) throw new ErrorResponse(401, "Invalid Token");
    return caller(world, null, [], null);
  }
  const token = tokenOf(world, header);
  if (!token || (token.expires !== null && token.expires <= world.clock.now()))
    throw new ErrorResponse(401, "Invalid Token");
  rejectCancelled(world);
  return caller(world, token.username, token.scopes, token.label);
}

/**
 * Rejects every request to a cancelled account, as the API documentation requires (part 3 · Endpoints · Account and
 * billing · rule 1).
 */
function rejectCancelled({ account }: World): void {
  const cancelled = account.all()[0]?.cancelled;
  if (cancelled) throw new ErrorResponse(403, `The account was cancelled at ${cancelled}`);
}

/**
 * Rejects a token that lacks one of the operation's scopes. Requests without a token are not checked, because they
 * reach only public operations.
 */
export function requireScopes(caller: Caller, { scopes }: Operation): void {
  const missing = caller.username === null ? [] : scopes.filter((scope) => !caller.has(scope));
  if (missing.length > 0)
    throw new ErrorResponse(
      403,
      `Your OAuth token is not authorized to use this endpoint: it needs ${missing.join(", ")}`,
    );
}

/**
 * Rejects a restricted user who lacks the grant for the operation, such as `add_volumes`, or for an object in its path.
 */
export function requireGrants(
  world: World,
  caller: Caller,
  operation: Operation,
  path: Readonly<Record<string, unknown>>,
): void {
  const { grant: needed, scopes } = operation;
  if (!caller.restricted || scopes.length === 0) return;
  if (needed === "unrestricted") throw new ErrorResponse(403, "Unauthorized: only unrestricted users may do this");
  const { global } = world.users.get(caller.username as string).grants;
  if (needed?.startsWith("add_") && !global[needed as "add_volumes"])
    throw new ErrorResponse(403, `Unauthorized: your user needs the grant ${needed}`);
  const ofAccount = scopes.some((scope) => scope.startsWith("account:"));
  if (ofAccount && (needed === "read_only" || needed === "read_write") && rank(global.account_access) < rank(needed))
    throw new ErrorResponse(403, `Unauthorized: your user needs account_access ${needed}`);
  for (const name of pathNames(operation.path)) {
    const kind = kindOf(name, operation.path);
    if (kind) caller.need(kind, path[name] as Key, levelOf(operation));
  }
}

/** Access required for the object in the path: by default, write access for all methods except GET. */
const levelOf = ({ grant, method }: Operation): Level =>
  grant === "read_only" || grant === "read_write" ? grant : method === "GET" || grant ? "read_only" : "read_write";

/**
 * Grants a restricted user access to the object that the operation has created. If the path already identifies the
 * object, it existed before, so no grant is added.
 */
export function grantAccess(world: World, caller: Caller, operation: Operation, created: object, path: object): void {
  const kind = operation.grant && added[operation.grant];
  if (kind && caller.restricted && "id" in created && !Object.values(path).includes(created.id))
    grant(world, caller.username as string, kind, created.id as Key, "read_write");
}

function caller(world: World, username: string | null, scopes: Caller["scopes"], token: Caller["token"]): Caller {
  const user = world.users.find(username);
  const levelOn = (kind: Granted, id: Key): number => (user?.restricted ? rank(user.grants.entities[kind]?.[id]) : 2);
  return {
    username,
    token,
    scopes,
    restricted: user?.restricted ?? false,
    has: (scope) =>
      scopes === "*" || scopes.includes(scope) || scopes.includes(scope.replace("read_only", "read_write") as Scope),
    may: (kind, id, level) => levelOn(kind, id) >= rank(level),
    need(kind, id, level) {
      if (levelOn(kind, id) === 0) throw notFound();
      if (levelOn(kind, id) < rank(level))
        throw new ErrorResponse(403, `Unauthorized: your user has read-only access to this ${kind}`);
    },
  };
}

const rank = (level: Level | null | undefined): number => (level === "read_write" ? 2 : level === "read_only" ? 1 : 0);

/**
 * The digest of the token in the header, by which tokens are stored. Empty if the header is not a bearer token, so that
 * it matches no token.
 */
const idOf = (header: string): string =>
  ids.get(header, () => {
    const [, secret] = /^Bearer (\S+)$/i.exec(header) ?? [];
    return secret === undefined ? "" : digest(secret);
  });
const ids = new TextCache<string>();
