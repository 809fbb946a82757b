import type { events } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { volume } from "./volumes";

async function event(stage: Stage): Promise<{ path: { eventId: number } }> {
  await volume(stage);
  const { data } = await stage.api.events.list();
  return { path: { eventId: data[0]?.id as number } };
}

export const plans = {
  list: () => ({}),
  view: event,
  markRead: event,
  markSeen: event,
} satisfies Plans<typeof events>;
