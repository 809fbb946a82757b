import type { oauthClients } from "../../../../api";
import { png } from "../../png";
import type { Account, Plans } from "../plan";

const app = { label: "Dashboard", redirect_uri: "https://example.org/login", public: false };

async function client({ api }: Account): Promise<{ path: { clientId: string } }> {
  const { id } = await api.oauthClients.create({ body: app });
  return { path: { clientId: id } };
}

async function withPicture(account: Account): Promise<{ path: { clientId: string } }> {
  const { path } = await client(account);
  await account.api.oauthClients.updateThumbnail({ path, body: png() });
  return { path };
}

export const plans = {
  list: () => ({}),
  create: () => ({ body: app }),
  view: client,
  update: async (account) => ({ ...(await client(account)), body: { ...app, label: "Console" } }),
  delete: client,
  resetSecret: client,
  viewThumbnail: withPicture,
  updateThumbnail: async (account) => ({ ...(await client(account)), body: png() }),
} satisfies Plans<typeof oauthClients>;
