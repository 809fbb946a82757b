import type { EntityOf, EventAction, EventEntity, Operation } from "../../api";
import type { JobEnding } from "../core/core-tables";
import { EmulatorBug } from "../core/emulator-bug";
import { ErrorResponse } from "../core/error-response";
import type { EventExtra } from "../core/events";
import { rejectBusy } from "../core/jobs";
import type { World } from "../core/world";
import { type Caller, grantAccess } from "./auth";
import type { Route } from "./routes";

/**
 * Rejects asynchronous handlers that change state, because another request could run in between and see part of the
 * change.
 */
function requireSynchronous(name: string, { method }: Operation, result: Promise<unknown>): Promise<unknown> {
  if (method === "GET") return result;
  result.catch(() => {});
  throw new EmulatorBug(`${name} changes state and returns a promise; only GET handlers may be asynchronous`);
}

export type AnyHandler = (call: object) => unknown;

/**
 * Runs a handler. Throws an `EmulatorBug` if the handler changes state and then rejects the request, or if it changes
 * the account without writing the event that the operation declares. A request that changes nothing, such as a shutdown
 * of an instance that is off, writes no event.
 */
export function call(
  world: World,
  { name, operation }: Route,
  handler: AnyHandler,
  input: { path: Readonly<Record<string, unknown>>; [field: string]: unknown },
  caller: Caller,
  ending: JobEnding,
): unknown {
  const { events, jobs } = world;
  if (operation.idle) rejectBusy(world, Number(input.path.computeId));
  const changes = world.changes();
  const written = events.written;
  const emit = (entity: EventEntity<EntityOf<EventAction>>, extra?: EventExtra<EventAction>): void => {
    if (!operation.event) throw new EmulatorBug(`${name} writes an event, but the operation does not declare one`);
    if (world.changes() === changes) return;
    events.add(operation.event, entity, { username: caller.username, ...extra });
  };
  events.actor = caller.username;
  jobs.ending = ending;
  let result: unknown;
  try {
    result = handler({ ...input, world, caller, emit });
  } catch (error) {
    if (error instanceof ErrorResponse && world.changes() !== changes)
      throw new EmulatorBug(`${name} changed the account before it rejected the request: ${error.message}`);
    throw error;
  } finally {
    jobs.ending = "finish";
  }
  if (result instanceof Promise) return requireSynchronous(name, operation, result);
  if (operation.event && events.written === written && world.changes() !== changes)
    throw new EmulatorBug(`${name} did not write the event ${operation.event}, which the operation declares`);
  if (typeof result === "object" && result !== null) grantAccess(world, caller, operation, result, input.path);
  return result;
}
