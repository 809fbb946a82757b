import type { World } from "../world";
import { type Account, type Plan, within } from "./account";
import * as domains from "./domains";
import * as firewalls from "./firewalls";
import * as instances from "./instances";
import * as lkeClusters from "./lke-clusters";
import * as volumes from "./volumes";

export type AccountName = (typeof accountNames)[number];
export const accountNames = ["empty", "small", "large"] as const;

/** In this order: what others are put onto comes first. */
const plans: readonly Plan[] = [instances, volumes, domains, firewalls, lkeClusters].map(({ plan }) => plan);

/** Fills a new account: `small` with a handful of everything, `large` with 10,000 objects; nothing of it is under way. */
export const fill = (world: World, name: AccountName): Promise<Account> =>
  within(world, async (account) => {
    if (name !== "empty") for (const plan of plans) await plan[name](account);
  });
