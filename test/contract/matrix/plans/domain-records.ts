import type { domainRecords } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { domain } from "./domains";

async function record(stage: Stage): Promise<{ path: { domainId: number; recordId: number } }> {
  const domainId = await domain(stage);
  const body = { type: "A" as const, name: "www", target: "192.0.2.1" };
  const { id } = await stage.api.domainRecords.create({ path: { domainId }, body });
  return { path: { domainId, recordId: id } };
}

export const plans = {
  list: async (stage) => ({ path: { domainId: await domain(stage) } }),
  create: async (stage) => ({
    path: { domainId: await domain(stage) },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  }),
  view: record,
  update: async (stage) => ({ ...(await record(stage)), body: { target: "192.0.2.2" } }),
  delete: record,
} satisfies Plans<typeof domainRecords>;
