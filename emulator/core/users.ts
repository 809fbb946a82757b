import { createHash } from "node:crypto";
import type { Granted, Level, TokenRow, UserRow } from "./core-tables";
import type { Key } from "./store";
import type { World } from "./world";

export const digest = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * Adds a token. Also adds its user if the user does not exist: unrestricted unless grants are given. Returns the
 * token's id.
 */
export function addToken(
  world: World,
  token: string,
  {
    username = "emulator",
    label = username,
    scopes = "*",
    client_id = null,
    expires = null,
  }: Partial<Omit<TokenRow, "id">> = {},
): string {
  if (!world.users.find(username)) addUser(world, username);
  const id = digest(token);
  if (world.tokens.find(id)) world.tokens.patch(id, { username, label, scopes, client_id, expires });
  else world.tokens.insert({ id, username, label, scopes, client_id, expires });
  return id;
}

export function addUser(world: World, username: string, fields: Partial<Omit<UserRow, "id">> = {}): void {
  const { restricted = false, grants = { global: {}, entities: {} } } = fields;
  if (world.users.find(username)) world.users.patch(username, { restricted, grants });
  else world.users.insert({ id: username, restricted, grants });
}

/** Grants a restricted user access to an object, as if the user had created it. */
export function grant(world: World, username: string, kind: Granted, id: Key, level: Level): void {
  const { grants } = world.users.get(username);
  const entities = { ...grants.entities, [kind]: { ...grants.entities[kind], [id]: level } };
  world.users.patch(username, { grants: { ...grants, entities } });
}
