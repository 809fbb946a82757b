import type { World } from "../core/world";
import type { AccountName } from "../http/control/action";
import { type Account, type Plan, within } from "./account";
import * as domains from "./domains";
import * as firewalls from "./firewalls";
import * as images from "./images";
import * as instances from "./instances";
import * as lkeClusters from "./lke-clusters";
import * as managed from "./managed";
import * as nodeBalancers from "./node-balancers";
import * as oauthClients from "./oauth-clients";
import * as objectStorage from "./object-storage";
import * as tags from "./tags";
import * as transfers from "./transfers";
import * as volumes from "./volumes";

/** In this order: what others are put onto comes first. */
const plans: readonly Plan[] = [
  instances,
  volumes,
  images,
  domains,
  firewalls,
  lkeClusters,
  managed,
  nodeBalancers,
  oauthClients,
  objectStorage,
  tags,
  transfers,
].map(({ plan }) => plan);

/** Fills a new account: `small` with a handful of everything, `large` with 10,000 objects; nothing of it is under way. */
export const fill = (world: World, name: AccountName): Promise<Account> =>
  within(world, async (account) => {
    if (name !== "empty") for (const plan of plans) await plan[name]?.(account);
  });
