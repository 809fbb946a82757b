import type { ipv6, networkingIps, vlans } from "../../../../api";
import { outside } from "../../account/billing";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

/** Returns the public address of an existing instance. */
async function held({ api }: Account, computeId: number): Promise<string> {
  return (await api.instances.view({ path: { computeId } })).ipv4[0] as string;
}

const address = async (account: Account) => ({ path: { address: await held(account, await running(account)) } });

export const addressPlans = {
  list: () => ({}),
  allocate: async (account) => {
    const compute_id = await running(account);
    await outside(account, "support", { request: "extra_ips", compute_id });
    return { body: { compute_id, public: true, type: "ipv4" } };
  },
  view: address,
  update: async (account) => ({ ...(await address(account)), body: { rdns: null } }),
  // Two instances exchange their addresses, so that each still has a public address.
  assign: async (account) => {
    const [one, other] = [await running(account), await running(account)];
    const assignments = [
      { address: await held(account, one), compute_id: other },
      { address: await held(account, other), compute_id: one },
    ];
    return { body: { region: "us-east", assignments } };
  },
  share: async (account) => {
    const [one, other] = [await running(account), await running(account)];
    return { body: { compute_id: one, ips: [await held(account, other)] } };
  },
} satisfies Plans<typeof networkingIps>;

const list = () => ({});

export const blockPlans = { pools: list, ranges: list } satisfies Plans<typeof ipv6>;
export const vlanPlans = { list } satisfies Plans<typeof vlans>;
