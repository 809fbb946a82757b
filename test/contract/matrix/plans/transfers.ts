import type { entityTransfers, serviceTransfers } from "../../../../api";
import { outside } from "../../account/billing";
import type { Account, Plans } from "../plan";
import { offline } from "./instances";

const entities = async (account: Account) => ({ entities: { computes: [await offline(account)] } });

async function transfer(account: Account): Promise<{ path: { token: string } }> {
  const { token } = await account.api.entityTransfers.create({ body: await entities(account) });
  return { path: { token } };
}

export const entityPlans = {
  list: () => ({}),
  create: async (account) => ({ body: await entities(account) }),
  view: transfer,
  cancel: transfer,
  accept: async (account) => ({ path: { token: (await outside(account, "transfers", { computes: [{}] })).token } }),
} satisfies Plans<typeof entityTransfers>;

export const servicePlans = {
  list: () => ({}),
  create: async (account) => ({ body: await entities(account) }),
} satisfies Plans<typeof serviceTransfers>;
