import type { EventEntity, OAuthClient } from "../../../api";
import { notFound } from "../../core/error-response";
import { table } from "../../core/store";
import { digest } from "../../core/users";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";

export interface OAuthClientRow extends Omit<OAuthClient, "secret" | "thumbnail_url"> {
  /** Digest of the client's secret. The secret itself is not stored. */
  secret_digest: string;
  /** The application's picture in Base64. */
  thumbnail: string | null;
}

const REDACTED = "<REDACTED>";

export const oauthClients: AreaModule<"oauthClients", { oauthClients: OAuthClientRow }> = {
  tables: { oauthClients: table<OAuthClientRow>() },
  handlers: {
    list: ({ world, origin }) => listed(world.oauthClients.all(), (row) => clientRecord(row, origin)),

    create({ world, body, origin, emit }) {
      const client = world.oauthClients.insert({
        ...body,
        id: world.random.hex(20),
        status: "active",
        secret_digest: digest(newSecret(world)),
        thumbnail: null,
      });
      emit(clientEntity(client));
      return clientRecord(client, origin);
    },

    view: ({ world, path, origin }) => clientRecord(world.oauthClients.get(path.clientId), origin),

    update({ world, path, body, origin, emit }) {
      const client = world.oauthClients.patch(world.oauthClients.get(path.clientId).id, body);
      emit(clientEntity(client));
      return clientRecord(client, origin);
    },

    delete({ world, path, emit }) {
      const client = world.oauthClients.remove(path.clientId);
      for (const token of world.tokens.by("client_id", client.id)) world.tokens.remove(token.id);
      emit(clientEntity(client));
      return {};
    },

    resetSecret({ world, path, origin, emit }) {
      const { id } = world.oauthClients.get(path.clientId);
      const secret = newSecret(world);
      const client = world.oauthClients.patch(id, { secret_digest: digest(secret) });
      emit(clientEntity(client));
      return { ...clientRecord(client, origin), secret };
    },

    viewThumbnail({ world, path }) {
      const { thumbnail } = world.oauthClients.get(path.clientId);
      if (thumbnail === null) throw notFound();
      return new Uint8Array(Buffer.from(thumbnail, "base64"));
    },

    updateThumbnail({ world, path, body, emit }) {
      const { id } = world.oauthClients.get(path.clientId);
      const client = world.oauthClients.patch(id, { thumbnail: Buffer.from(body).toString("base64") });
      emit(clientEntity(client));
      return {};
    },
  },
};

const newSecret = (world: World): string => world.random.hex(64);

function clientRecord(row: Readonly<OAuthClientRow>, origin: string): OAuthClient {
  const { id, thumbnail } = row;
  const thumbnail_url = thumbnail === null ? null : `${origin}/v4/account/oauth-clients/${id}/thumbnail`;
  return { ...row, secret: REDACTED, thumbnail_url };
}

/**
 * The reference to an OAuth client in events. Events require a numeric id, so `id` is the first eight hex digits of the
 * client's id as a number.
 */
const clientEntity = ({ id, label }: Readonly<OAuthClientRow>): EventEntity<"oauth_client"> => ({
  id: Number.parseInt(id.slice(0, 8), 16),
  label,
  type: "oauth_client",
  url: `/v4/account/oauth-clients/${id}`,
});
