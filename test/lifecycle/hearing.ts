import { fieldsOf, innerOf, isObject, mapParts, type Operation, operations } from "../../api";
import { operationCalls } from "../../provider/client/operation-calls";
import { sharedReads } from "../../provider/client/shared-reads";
import { realTime } from "../../provider/client/time";
import type { Send } from "../../provider/client/transport";
import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import type { Cloud } from "../../testing/cloud";

/** Changes an object in a response. */
export type Bend = (schema: Schema, answer: Bag) => Bag;
export type Schema = Parameters<typeof innerOf>[0];

type Account = Pick<Cloud, "host" | "emulator">;
type Forward = (operation: Operation, send: () => Promise<Bag>) => Promise<Bag>;

/** A connection to the account whose requests go through `forward`. */
function through({ host, emulator }: Account, forward: Forward): Host {
  const api = host.api as unknown as Record<string, Record<string, (...given: unknown[]) => Promise<Bag>>>;
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

/** A connection to the account on which `bend` changes the response of every read. */
export const hearing = (account: Account, bend: Bend): Host =>
  through(account, async (operation, send) => {
    const answer = await send();
    return operation.method === "GET" && isObject(answer) ? inEach(operation.result, answer, bend) : answer;
  });

/** A connection to the account that calls a function just before its first request that changes something. */
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

/** Changes each entry of a list. The fields of the page, such as the number of pages, are not changed. */
function inEach(result: Schema, answer: Bag, bend: Bend): Bag {
  const { data } = fieldsOf(result);
  const list = data && innerOf(data);
  if (!Array.isArray(answer.data) || !list) return bend(result, answer);
  const bent = mapParts(list, answer.data, (schema, value) => (isObject(value) ? bend(schema, value) : value));
  return { ...answer, data: bent };
}
