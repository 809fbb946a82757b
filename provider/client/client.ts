import { unencrypted } from "./address";
import { DataTransport, type SendData } from "./data";
import { type Contract, type OperationCalls, operationCalls } from "./operation-calls";
import { type NextPoll, pollSchedule } from "./poll-schedule";
import { type ConnectOptions, settingsOf } from "./settings";
import { type Reads, sharedReads } from "./shared-reads";
import { type Send, Transport } from "./transport";

/** A connection to the service, over any contract. */
export interface ClientOf<C extends Contract<C>, A = OperationCalls<C>> {
  api: A;
  reads: Reads<C>;
  /** Data go to and from addresses of their own. */
  data: SendData;
  /** When a new waiter polls, who looks at this collection and expects to wait so long. */
  pollSchedule(collection: string, expectedMs?: number): NextPoll;
  /** Maximum milliseconds that the service's clock is ahead of ours; 0 before the first response. */
  serverOffset(): number;
  /** Lets the calls under way finish; later ones fail. */
  close(): Promise<void>;
}

export function clientOf<C extends Contract<C>>(contract: C, options: ConnectOptions): ClientOf<C> {
  const settings = settingsOf(options);
  const warning = unencrypted(settings.url);
  if (warning) settings.log.warn?.(warning);
  const transport = new Transport(settings);
  const data = new DataTransport(settings);
  const reads = sharedReads(contract, transport.send, settings.time);

  const send: Send = (named, input, options) => {
    const call = () => transport.send(named, input, options);
    return named.operation.method === "GET" ? call() : reads.change(named, input, call);
  };

  return {
    api: operationCalls(contract, send),
    reads,
    data: data.send,
    pollSchedule: pollSchedule(settings.time),
    serverOffset: transport.clock.offset,
    close: async () => void (await Promise.all([transport.close(), data.close()])),
  };
}
