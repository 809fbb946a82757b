import type { entityTransfers, serviceTransfers } from "../../../../api";
import { outside } from "../../billing";
import type { Plans, Stage } from "../plan";
import { offline } from "./instances";

const entities = async (stage: Stage) => ({ entities: { computes: [await offline(stage)] } });

async function transfer(stage: Stage): Promise<{ path: { token: string } }> {
  const { token } = await stage.api.entityTransfers.create({ body: await entities(stage) });
  return { path: { token } };
}

export const entityPlans = {
  list: () => ({}),
  create: async (stage) => ({ body: await entities(stage) }),
  view: transfer,
  cancel: transfer,
  accept: async (stage) => ({ path: { token: (await outside(stage, "transfers", { computes: [{}] })).token } }),
} satisfies Plans<typeof entityTransfers>;

export const servicePlans = {
  list: () => ({}),
  create: async (stage) => ({ body: await entities(stage) }),
} satisfies Plans<typeof serviceTransfers>;
