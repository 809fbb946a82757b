import { type Operations, operations } from "../../api";
import { type ClientOf, clientOf } from "./client";
import type { OperationCalls } from "./operation-calls";
import type { ConnectOptions } from "./settings";

/**
 * Every operation of the service as a function, by API area, such as `volumes`. It is an interface, because compiled
 * declarations contain only an interface's name, but the whole expanded type of a type alias.
 */
export interface Api extends OperationCalls<Operations> {}

export interface Client extends ClientOf<Operations, Api> {}

/** Creates a client for all operations of the service. */
export const connect = (options: ConnectOptions): Client => clientOf(operations, options);

export * from "./errors";
export type { ConnectOptions } from "./settings";
