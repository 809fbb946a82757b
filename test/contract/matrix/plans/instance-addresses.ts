import type { instanceAddresses } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

const one = async (stage: Stage) => ({ path: { computeId: await running(stage) } });

/** The instance's public address. */
async function address(stage: Stage): Promise<{ path: { computeId: number; address: string } }> {
  const { path } = await one(stage);
  const { ipv4 } = await stage.api.instances.view({ path });
  return { path: { ...path, address: ipv4[0] as string } };
}

const ofPrivate = { type: "ipv4" as const, public: false };

export const plans = {
  list: one,
  allocate: async (stage) => ({ ...(await one(stage)), body: ofPrivate }),
  view: address,
  update: async (stage) => ({ ...(await address(stage)), body: { rdns: null } }),
  delete: async (stage) => {
    const { path } = await one(stage);
    await stage.send("POST /_emulator/support", { body: { request: "extra_ips", compute_id: path.computeId } });
    const made = await stage.api.instanceAddresses.allocate({ path, body: { type: "ipv4", public: true } });
    return { path: { ...path, address: made.address } };
  },
} satisfies Plans<typeof instanceAddresses>;
