import type { instanceAddresses } from "../../../../api";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

const one = async (account: Account) => ({ path: { computeId: await running(account) } });

/** Creates a running instance, and returns its id and public address as path parameters. */
async function address(account: Account): Promise<{ path: { computeId: number; address: string } }> {
  const { path } = await one(account);
  const { ipv4 } = await account.api.instances.view({ path });
  return { path: { ...path, address: ipv4[0] as string } };
}

const ofPrivate = { type: "ipv4" as const, public: false };

export const plans = {
  list: one,
  allocate: async (account) => ({ ...(await one(account)), body: ofPrivate }),
  view: address,
  update: async (account) => ({ ...(await address(account)), body: { rdns: null } }),
  delete: async (account) => {
    const { path } = await one(account);
    await account.send("POST /_emulator/support", { body: { request: "extra_ips", compute_id: path.computeId } });
    const created = await account.api.instanceAddresses.allocate({ path, body: { type: "ipv4", public: true } });
    return { path: { ...path, address: created.address } };
  },
} satisfies Plans<typeof instanceAddresses>;
