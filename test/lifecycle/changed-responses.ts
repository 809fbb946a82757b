import { fieldsOf, innerOf, isObject, mapParts, type Operation, operations } from "../../api";
import { operationCalls } from "../../provider/client/operation-calls";
import { sharedReads } from "../../provider/client/shared-reads";
import { realTime } from "../../provider/client/time";
import type { Send } from "../../provider/client/transport";
import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import type { Cloud } from "../../testing/cloud";

/** Changes one object in an API response, given its schema; used to simulate a service that omits or adds fields. */
export type ChangeResponse = (schema: Schema, response: Bag) => Bag;
export type Schema = Parameters<typeof innerOf>[0];

type Account = Pick<Cloud, "host" | "emulator">;
type Forward = (operation: Operation, send: () => Promise<Bag>) => Promise<Bag>;

/** A connection that passes each API call to `forward`, which can change the response or delay the call. */
function through({ host, emulator }: Account, forward: Forward): Host {
  const api = host.api as unknown as Record<string, Record<string, (...value: unknown[]) => Promise<Bag>>>;
  const send: Send = ({ name, operation }, input, options) => {
    const [area = "", key = ""] = name.split(".");
    return forward(operation, async () => (await api[area]?.[key]?.(input, options)) as Bag);
  };
  const time = { now: host.now, sleep: async (ms: number) => emulator.advance(ms), timer: realTime.timer };
  return {
    ...host,
    api: operationCalls(operations, send),
    reads: sharedReads(operations, send, time),
  } as unknown as Host;
}

/** A connection to the emulator on which `change` changes the response to every GET request. */
export const withChangedResponses = (account: Account, change: ChangeResponse): Host =>
  through(account, async (operation, send) => {
    const response = await send();
    return operation.method === "GET" && isObject(response) ? inEach(operation.result, response, change) : response;
  });

/**
 * A connection to the emulator that runs `work` just before its first write request, to simulate a simultaneous change
 * by another client.
 */
export function interrupted(account: Account, work: () => Promise<unknown>): Host {
  let once: Promise<unknown> | undefined;
  return through(account, async (operation, send) => {
    if (operation.method !== "GET") {
      once ??= work();
      await once;
    }
    return send();
  });
}

/**
 * Changes the object in a response. In a page of a list, changes each entry, but not the fields of the page such as
 * `pages`.
 */
function inEach(result: Schema, response: Bag, change: ChangeResponse): Bag {
  const { data } = fieldsOf(result);
  const list = data && innerOf(data);
  if (!Array.isArray(response.data) || !list) return change(result, response);
  const changed = mapParts(list, response.data, (schema, value) => (isObject(value) ? change(schema, value) : value));
  return { ...response, data: changed };
}
