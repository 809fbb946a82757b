import { z } from "zod";
import { type Scope, scopes } from "../../../api";
import { grantedKinds } from "../../core/core-tables";
import { ErrorResponse } from "../../core/error-response";
import { addToken, addUser, digest } from "../../core/users";
import type { World } from "../../core/world";
import { type Actions, action } from "./action";
import { within } from "./time";

const Level = z.enum(["read_only", "read_write"]);
const Global = z
  .strictObject({
    account_access: Level.nullable(),
    add_computes: z.boolean(),
    add_volumes: z.boolean(),
    add_domains: z.boolean(),
    add_images: z.boolean(),
    add_nodebalancers: z.boolean(),
    add_firewalls: z.boolean(),
    add_clusters: z.boolean(),
  })
  .partial();
const User = z.strictObject({
  username: z
    .string()
    .min(1)
    .describe(
      "Name of the user. The permissions of an existing user are replaced, unless `is_new` is set: omitted ones become unrestricted or empty.",
    ),
  is_new: z.boolean().default(false).describe("Whether to reject the name of an existing user."),
  restricted: z.boolean().default(false).describe("Whether the user can do only what the grants allow."),
  global: Global.default({}).describe("Grants for the account as a whole."),
  entities: z
    .partialRecord(z.enum(grantedKinds), z.record(z.string(), Level))
    .default({})
    .describe('Grants for single objects, by kind and id: `{ "volume": { "123": "read_only" } }`.'),
});

const areScopes = (value: string | readonly string[]): value is "*" | Scope[] =>
  typeof value === "string" ? value === "*" : value.every((name) => (scopes as readonly string[]).includes(name));

const Token = z.strictObject({
  token: z
    .string()
    .min(1)
    .regex(/^\S+$/, "must not contain spaces")
    .optional()
    .describe("Token. If omitted, a token is generated."),
  username: z.string().min(1).default("emulator").describe("Name of the user who gets the token."),
  label: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Label of the token in the console. Defaults to the name of the user."),
  scopes: z
    .union([z.string(), z.array(z.string())])
    .refine(areScopes, 'must be "*" or a list of scopes such as ["volumes:read_only"]')
    .default("*")
    .describe('`"*"` for all scopes, or a list of them.'),
  expires_in: z.number().min(0).optional().describe("Seconds until the token expires. If omitted, it never expires."),
  client_id: z.string().optional().describe("Id of the OAuth client that the token is issued to."),
  client_secret: z.string().optional().describe("Secret of the OAuth client. If set, it must be correct."),
});

/**
 * Creates a token. On the real service, users create tokens in the web console, and OAuth clients receive one when a
 * user logs in.
 */
function issueToken(
  world: World,
  { token: requestedToken, client_secret, ...tokenOptions }: z.output<typeof Token>,
): object {
  const { username, label = username, scopes, expires_in, client_id = null } = tokenOptions;
  if (!world.users.find(username))
    throw new ErrorResponse(
      400,
      `There is no user ${JSON.stringify(username)}: POST /_emulator/users creates one`,
      "username",
    );
  if (client_id !== null) rejectUnknownClient(world, client_id, client_secret);
  if (expires_in !== undefined) within(world.clock, expires_in * 1000, "expires_in");
  const token = requestedToken ?? world.random.hex(64);
  const expires = expires_in === undefined ? null : world.clock.now() + expires_in * 1000;
  addToken(world, token, { username, label, scopes, client_id, expires });
  return { token, username, scopes, ...(client_id !== null && { client_id }) };
}

function rejectUnknownClient(world: World, id: string, secret: string | undefined): void {
  const client = world.oauthClients.find(id);
  if (!client) throw new ErrorResponse(400, `There is no OAuth client ${JSON.stringify(id)}`, "client_id");
  if (secret !== undefined && digest(secret) !== client.secret_digest)
    throw new ErrorResponse(400, "Must be the secret of the OAuth client", "client_secret");
}

export const userActions: Actions = {
  tokens: { POST: action(Token, ({ world }, token) => issueToken(world, token)) },
  users: {
    POST: action(User, ({ world }, { username, is_new, restricted, global, entities }) => {
      if (is_new && world.users.find(username))
        throw new ErrorResponse(400, `Already exists (given ${username})`, "username");
      addUser(world, username, { restricted, grants: { global, entities } as never });
      return { username, restricted, grants: { global, entities } };
    }),
  },
};
