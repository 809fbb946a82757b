import { z } from "zod";
import type { Scope } from "../../api";
import { checked } from "../checked";
import { Refusal } from "../refusal";
import { addToken, digest } from "../users";
import type { World } from "../world";

const ScopeName = z.string().regex(/^[a-z_]+:read_(only|write)$/, "must be a scope like volumes:read_only");
const Token = z.strictObject({
  token: z.string().min(1).regex(/^\S+$/, "must have no spaces").optional(),
  username: z.string().min(1).default("emulator"),
  scopes: z.union([z.literal("*"), z.array(ScopeName)]).default("*"),
  expires_in: z.number().min(0).optional().describe("Seconds."),
  client_id: z.string().optional().describe("OAuth client that the token is issued to."),
  client_secret: z.string().optional().describe("Its secret, as the exchange of a code wants it."),
});

/** Makes a token, as a person does in the console or, with a client, a login by OAuth. */
export function issued(world: World, body: unknown): object {
  const { token: wanted, username, scopes, expires_in, client_id = null, client_secret } = checked(Token, body);
  if (client_id !== null) refuseStranger(world, client_id, client_secret);
  const token = wanted ?? world.random.hex(64);
  const expires = expires_in === undefined ? null : world.clock.now() + expires_in * 1000;
  addToken(world, token, { username, scopes: scopes as "*" | Scope[], client_id, expires });
  return { token, username, scopes, ...(client_id !== null && { client_id }) };
}

function refuseStranger(world: World, id: string, secret: string | undefined): void {
  const client = world.oauthClients.find(id);
  if (!client) throw new Refusal(400, `There is no OAuth client ${JSON.stringify(id)}`, "client_id");
  if (secret !== undefined && digest(secret) !== client.secret_digest)
    throw new Refusal(400, "Is not the client's secret", "client_secret");
}
