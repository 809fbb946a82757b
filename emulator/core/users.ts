import { createHash } from "node:crypto";
import type { Grant, Scope } from "../../api";
import type { Key } from "./store";
import type { World } from "./world";

export type Level = "read_only" | "read_write";

/** Kinds of things that a restricted user is granted one by one. */
export type Granted = (typeof grantedKinds)[number];
export const grantedKinds = ["compute", "volume", "domain", "nodebalancer", "firewall", "image", "cluster"] as const;

/** The permissions of a restricted user: for the account as a whole, and for each object by kind and id. */
export interface Grants {
  global: Partial<Record<Extract<Grant, `add_${string}`>, boolean>> & { account_access?: Level | null };
  entities: Partial<Record<Granted, Record<string, Level>>>;
}

export interface UserRow {
  /** The user's name. */
  id: string;
  restricted: boolean;
  grants: Grants;
}

export interface TokenRow {
  /** Digest of the token: the token itself is stored nowhere. */
  id: string;
  username: string;
  scopes: "*" | readonly Scope[];
  /** The OAuth client that it was issued to; null for a token that a person made. */
  client_id: string | null;
  /** Milliseconds since 1970. */
  expires: number | null;
}

export const digest = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Makes a token known, and its user if need be: unrestricted until something else is said. Gives its id. */
export function addToken(
  world: World,
  token: string,
  { username = "emulator", scopes = "*", client_id = null, expires = null }: Partial<Omit<TokenRow, "id">> = {},
): string {
  if (!world.users.find(username)) addUser(world, username);
  const id = digest(token);
  if (world.tokens.find(id)) world.tokens.patch(id, { username, scopes, client_id, expires });
  else world.tokens.insert({ id, username, scopes, client_id, expires });
  return id;
}

export function addUser(world: World, username: string, given: Partial<Omit<UserRow, "id">> = {}): void {
  const { restricted = false, grants = { global: {}, entities: {} } } = given;
  if (world.users.find(username)) world.users.patch(username, { restricted, grants });
  else world.users.insert({ id: username, restricted, grants });
}

/** Gives a restricted user a thing, as creating it does. */
export function grant(world: World, username: string, kind: Granted, id: Key, level: Level): void {
  const { grants } = world.users.get(username);
  const entities = { ...grants.entities, [kind]: { ...grants.entities[kind], [id]: level } };
  world.users.patch(username, { grants: { ...grants, entities } });
}
