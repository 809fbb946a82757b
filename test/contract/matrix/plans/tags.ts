import type { tags } from "../../../../api";
import type { Account, Plans } from "../plan";
import { domain } from "./domains";
import { empty } from "./instances";
import { volume } from "./volumes";

async function tag(account: Account): Promise<{ path: { label: string } }> {
  await account.api.tags.create({ body: { label: "prod", volumes: [await volume(account)] } });
  return { path: { label: "prod" } };
}

export const plans = {
  list: () => ({}),
  create: async (account) => ({
    body: {
      label: "prod",
      computes: [await empty(account)],
      domains: [await domain(account)],
      volumes: [await volume(account)],
      nodebalancers: [],
    },
  }),
  objects: tag,
  delete: tag,
} satisfies Plans<typeof tags>;
