import type { Event, EventAction } from "../../api";
import { isInDoubt } from "../client/errors";
import type { Host } from "../engine/host";

interface Action {
  host: Host;
  /** The object that it concerns, as events name it. */
  entity: { type: Event["entity"]["type"]; id: number };
  /** The events that report it. */
  events: readonly EventAction[];
  call(): Promise<unknown>;
  /** It is under way and must not be started again. */
  begun(): void;
  /** It failed and is due again. */
  failed(): void;
  /** Waits until it is over. */
  settle(): Promise<unknown>;
}

/**
 * Does what leaves no trace in an object. Only the history shows whether a request whose response was lost was carried
 * out, and whether the action has failed; the object itself shows when it is over.
 */
export async function carryOut({ host, entity, events, call, begun, failed, settle }: Action): Promise<void> {
  const before = (await latest(host, entity, events))?.id;
  try {
    await call();
  } catch (error) {
    const isLost = isInDoubt(error);
    if (!isLost || (await latest(host, entity, events))?.id === before) throw error;
  }
  begun();
  await settle();
  const event = await latest(host, entity, events);
  if (!event || event.id === before || event.status !== "failed") return;
  failed();
  throw new Error(`${entity.type} ${entity.id}: ${event.action} failed${event.message ? `: ${event.message}` : ""}`);
}

/** The newest of these events about an object. */
async function latest(
  { api }: Host,
  { type, id }: Action["entity"],
  actions: readonly EventAction[],
): Promise<Event | undefined> {
  const filter = { "+or": actions.map((action) => ({ action })), "+order_by": "id", "+order": "desc" };
  const { data } = await api.events.list({ query: { page_size: 100 } }, { filter });
  return data.find(({ entity }) => entity.type === type && entity.id === id);
}
