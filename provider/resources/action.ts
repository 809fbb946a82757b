import type { Event, EventAction } from "../../api";
import { isInDoubt, isUnauthorized } from "../client/errors";
import type { Host } from "../engine/host";

interface Action {
  host: Host;
  /** The object that the action affects, with the type and id that events use. */
  entity: { type: Event["entity"]["type"]; id: number };
  /** The events by which the service reports the action, such as `compute_reboot`. */
  events: readonly EventAction[];
  call(): Promise<unknown>;
  /** Called after the service has accepted the action, so that a retry does not start it again. */
  onStarted(): void;
  /** Called when the action has failed, so that the next update starts the action again. */
  onFailed(): void;
  /** Waits until the action has ended. */
  settle(): Promise<unknown>;
}

/**
 * Runs an action, such as a reboot, that does not change the fields of an object. The events of the account show
 * whether a request with a lost response was carried out, and whether the action failed. `settle` waits for its end.
 */
export async function runAction({ host, entity, events, call, onStarted, onFailed, settle }: Action): Promise<void> {
  const before = (await latestEvent(host, entity, events))?.id;
  host.abandoned?.throwIfAborted();
  try {
    await call();
  } catch (error) {
    const isLost = isInDoubt(error);
    if (!isLost || (await latestEvent(host, entity, events))?.id === before) throw error;
  }
  onStarted();
  await settle();
  const event = await latestEvent(host, entity, events);
  if (!event || event.id === before || event.status !== "failed") return;
  onFailed();
  throw new Error(`${entity.type} ${entity.id}: ${failureIn(event)}`);
}

const failureIn = ({ action, message }: Event): string => `${action} failed${message ? `: ${message}` : ""}`;

/** Throws an error if the instance has not changed because its last job of the given type has failed. */
export async function rejectFailed(host: Host, id: number, done: string, action: EventAction): Promise<void> {
  const event = await latestEvent(host, { type: "compute", id }, [action]).catch(noneIfUnauthorized);
  if (event?.status === "failed")
    throw new Error(`Instance ${id} was not ${done}: ${failureIn(event)}. Run the update again`);
}

/** A token without access to events can still change instances. The update then waits for the new value. */
function noneIfUnauthorized(error: unknown): undefined {
  if (!isUnauthorized(error)) throw error;
}

/** The newest event about an object, among the given types of events. */
async function latestEvent(
  { api }: Host,
  { type, id }: Action["entity"],
  actions: readonly EventAction[],
): Promise<Event | undefined> {
  const filter = { "+or": actions.map((action) => ({ action })), "+order_by": "id", "+order": "desc" };
  const { data } = await api.events.list({ query: { page_size: 100 } }, { filter });
  return data.find(({ entity }) => entity.type === type && entity.id === id);
}
