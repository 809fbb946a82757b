import type { Client } from "../client";
import type { Time } from "../client/time";
import type { Settings } from "../heads/settings";
import type { Catalogues } from "./catalogues";

/** What the engine needs of the world: calls, time and somebody to talk to. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  data: Client["data"];
  catalogues: Catalogues;
  /** Which connection it is: what a process knows of the account is kept by it. */
  connection: object;
  /** What the stack configures beside the connection. */
  settings: Settings;
  /** The timeouts that the program declares for the resource, e.g. `{ create: "20m" }`. */
  limits?: Partial<Record<Limited, string>>;
  /** The address of the last update, where this is another one: what is not found here may exist there. */
  lastUpdateAt?: string;
  /** When the current operation ends, by this machine's clock. Every call, read and wait of this host ends then. */
  deadline: number;
  /** The same host with the time that is left, once the deadline has passed, to find out how things are. */
  grace(): Host;
  /** What the promise brings, unless the deadline passes first; `what` completes "while waiting for". */
  inTime<T>(work: Promise<T>, what: string): Promise<T>;
  /** Milliseconds by this machine's clock. */
  now(): number;
  timer: Time["timer"];
  /** How far the service's clock is ahead of this machine's, in milliseconds; 0 while no answer has told. */
  serverOffset(): number;
  /** When a new waiter polls: each call of the result sleeps until the next time. */
  pollSchedule: Client["pollSchedule"];
  /** Says something that the user should know, with the resource's name. */
  warn(message: string): void;
  /** Says how a long wait goes. */
  progress(message: string): void;
}

/** The operations whose time limits can be set; checks, previews and refreshes only read. */
export type Limited = "create" | "update" | "delete" | "read";
