import type { World } from "../core/world";
import type { AccountName } from "../http/control/action";
import { type Account, within } from "./account";
import { plans } from "./plans";

/**
 * Fills a new account: `small` with a few objects of every kind, `large` with 10,000 objects. Waits until all jobs have
 * ended.
 */
export const fill = (world: World, name: AccountName): Promise<Account> =>
  within(world, async (account) => {
    if (name !== "empty") for (const plan of plans) await plan[name]?.(account);
  });
