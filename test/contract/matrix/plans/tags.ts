import type { tags } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { domain } from "./domains";
import { empty } from "./instances";
import { volume } from "./volumes";

async function tag(stage: Stage): Promise<{ path: { label: string } }> {
  await stage.api.tags.create({ body: { label: "prod", volumes: [await volume(stage)] } });
  return { path: { label: "prod" } };
}

export const plans = {
  list: () => ({}),
  create: async (stage) => ({
    body: {
      label: "prod",
      computes: [await empty(stage)],
      domains: [await domain(stage)],
      volumes: [await volume(stage)],
      nodebalancers: [],
    },
  }),
  objects: tag,
  delete: tag,
} satisfies Plans<typeof tags>;
