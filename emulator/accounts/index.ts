import type { World } from "../core/world";
import type { AccountName } from "../http/control/action";
import { type Account, within } from "./account";
import { plans } from "./plans";

/**
 * Fills a new account: `small` with a few objects of every kind, `large` with 10,000 objects. Waits until all jobs have
 * ended.
 */
export const fill = (world: World, name: AccountName): Promise<Account> =>
  inThePast(world, () =>
    within(world, async (account) => {
      if (name !== "empty") for (const plan of plans) await plan[name]?.(account);
    }),
  );

/** Milliseconds before the current time at which the jobs of a new account begin. */
const EARLIER = 3_600_000;

/** Runs jobs in the past, so that a clock that follows the machine's clock is not ahead of it afterwards. */
async function inThePast<T>({ clock, schedule }: World, work: () => Promise<T>): Promise<T> {
  const putForward = clock.putBack(EARLIER);
  const result = await work();
  putForward();
  schedule.runDue();
  return result;
}
