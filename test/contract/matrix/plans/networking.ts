import type { ipv6, networkingIps, vlans } from "../../../../api";
import { outside } from "../../billing";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

/** An instance's public address. */
async function held({ api }: Stage, computeId: number): Promise<string> {
  return (await api.instances.view({ path: { computeId } })).ipv4[0] as string;
}

const address = async (stage: Stage) => ({ path: { address: await held(stage, await running(stage)) } });

export const addressPlans = {
  list: () => ({}),
  allocate: async (stage) => {
    const compute_id = await running(stage);
    await outside(stage, "support", { request: "extra_ips", compute_id });
    return { body: { compute_id, public: true, type: "ipv4" } };
  },
  view: address,
  update: async (stage) => ({ ...(await address(stage)), body: { rdns: null } }),
  // Two that change places: both keep a public address.
  assign: async (stage) => {
    const [one, other] = [await running(stage), await running(stage)];
    const assignments = [
      { address: await held(stage, one), compute_id: other },
      { address: await held(stage, other), compute_id: one },
    ];
    return { body: { region: "us-east", assignments } };
  },
  share: async (stage) => {
    const [one, other] = [await running(stage), await running(stage)];
    return { body: { compute_id: one, ips: [await held(stage, other)] } };
  },
} satisfies Plans<typeof networkingIps>;

const list = () => ({});

export const blockPlans = { pools: list, ranges: list } satisfies Plans<typeof ipv6>;
export const vlanPlans = { list } satisfies Plans<typeof vlans>;
