import { type Operations, operations } from "../../api";
import { type ClientOf, clientOf } from "./client";
import type { OperationCalls } from "./operation-calls";
import type { ConnectOptions } from "./settings";

/**
 * Every operation of the service as a function, by area. It is an interface, so that the compiler refers to it by name
 * instead of expanding it.
 */
export interface Api extends OperationCalls<Operations> {}

export interface Client extends ClientOf<Operations, Api> {}

/** A client of the whole service. */
export const connect = (options: ConnectOptions): Client => clientOf(operations, options);

export * from "./errors";
export type { ConnectOptions } from "./settings";
