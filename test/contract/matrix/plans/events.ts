import type { events } from "../../../../api";
import type { Account, Plans } from "../plan";
import { volume } from "./volumes";

async function event(account: Account): Promise<{ path: { eventId: number } }> {
  await volume(account);
  const { data } = await account.api.events.list();
  return { path: { eventId: data[0]?.id as number } };
}

export const plans = {
  list: () => ({}),
  view: event,
  markRead: event,
  markSeen: event,
} satisfies Plans<typeof events>;
