import type { Client } from "../client";
import type { Settings } from "../settings";
import type { Catalogues } from "./catalogues";

/** What the engine needs of the world: calls, time and somebody to talk to. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  catalogues: Catalogues;
  /** What the stack configures beside the connection. */
  settings: Settings;
  /** The time limits that the program states for the resource, e.g. `{ create: "20m" }`. */
  limits?: Partial<Record<"create" | "update" | "delete", string>>;
  /** The address of the last update, where this is another one: what is not found here may exist there. */
  lastUpdateAt?: string;
  /** Milliseconds by this machine's clock. */
  now(): number;
  /** How far the service's clock is ahead of this machine's, in milliseconds; 0 while no answer has told. */
  serverOffset(): number;
  /** A waiter's rhythm: each call sleeps until the collection is worth looking at again. */
  ticks(): (collection: string) => Promise<void>;
  /** Says something that the user should know, with the resource's name. */
  warn(message: string): void;
  /** Says how a long wait goes. */
  progress(message: string): void;
}
