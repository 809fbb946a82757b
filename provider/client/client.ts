import type { Translation } from "../../api";
import { addressOf, unencrypted } from "./address";
import { DataTransport, type SendData } from "./data";
import type { SettingNames } from "./environment";
import type { ServerTime } from "./interceptors/clock";
import { type Contract, type OperationCalls, operationCalls } from "./operation-calls";
import { type NextPoll, pollSchedule } from "./poll-schedule";
import { type ConnectOptions, settingsOf } from "./settings";
import { type Reads, sharedReads } from "./shared-reads";
import { type Send, Transport } from "./transport";

/** A client of the service with a function for each operation that the contract declares. */
export interface ClientOf<C extends Contract<C>, A = OperationCalls<C>> {
  api: A;
  reads: Reads<C>;
  /** Transfers data to and from URLs outside the API, such as the upload URL of an image. */
  data: SendData;
  /**
   * Returns a function that sleeps until the next poll, for an operation that polls an object until it is ready. Polls
   * of several objects in the same collection, such as volumes, are combined into one request. `expected` returns the
   * milliseconds after which the object is expected to be ready.
   */
  pollSchedule(collection: string, expected?: () => number | undefined): NextPoll;
  /** Address of the API, in the notation of {@link addressOf}. */
  address: string;
  /** The settings that contain the address and the token, for messages. */
  settingNames: SettingNames;
  /** The conversion of names, if the service has other names than the contract. */
  names: Translation | undefined;
  /** Whether the token has a scope such as `account:read_only`. Undefined until a response lists its scopes. */
  tokenHas(scope: string): boolean | undefined;
  /** The time of the service's clock; this machine's before the first response. */
  serverTime(): ServerTime;
  /** Sleeps for the given milliseconds, by the clock of the client's timeouts. */
  sleep(ms: number): Promise<void>;
  /** Waits for the calls in progress. Later calls fail. */
  close(): Promise<void>;
}

export function clientOf<C extends Contract<C>>(contract: C, options: ConnectOptions): ClientOf<C> {
  const settings = settingsOf(options);
  const warning = unencrypted(settings.url);
  if (warning) settings.log.warn?.(warning);
  const transport = new Transport(settings);
  const data = new DataTransport(settings);
  const { names, settingNames } = settings;
  const pageSize = names?.dialect.pageSize;
  const reads = sharedReads(contract, transport.send, settings.time, pageSize);

  const send: Send = (named, input, options) => {
    const call = () => transport.send(named, input, options);
    return named.operation.method === "GET" ? call() : reads.change(named, input, call);
  };

  return {
    api: operationCalls(contract, send, pageSize),
    reads,
    data: data.send,
    pollSchedule: pollSchedule(settings.time),
    address: addressOf(settings.url.href),
    settingNames,
    names,
    tokenHas: transport.scopes.has,
    serverTime: () => transport.clock.time(settings.time.now()),
    sleep: (ms) => settings.time.sleep(ms),
    close: async () => void (await Promise.all([transport.close(), data.close()])),
  };
}
