import type { oauthClients } from "../../../../api";
import { png } from "../../png";
import type { Plans, Stage } from "../plan";

const app = { label: "Dashboard", redirect_uri: "https://example.org/login", public: false };

async function client({ api }: Stage): Promise<{ path: { clientId: string } }> {
  const { id } = await api.oauthClients.create({ body: app });
  return { path: { clientId: id } };
}

async function withPicture(stage: Stage): Promise<{ path: { clientId: string } }> {
  const { path } = await client(stage);
  await stage.api.oauthClients.updateThumbnail({ path, body: png() });
  return { path };
}

export const plans = {
  list: () => ({}),
  create: () => ({ body: app }),
  view: client,
  update: async (stage) => ({ ...(await client(stage)), body: { ...app, label: "Console" } }),
  delete: client,
  resetSecret: client,
  viewThumbnail: withPicture,
  updateThumbnail: async (stage) => ({ ...(await client(stage)), body: png() }),
} satisfies Plans<typeof oauthClients>;
