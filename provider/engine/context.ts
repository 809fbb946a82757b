import type { Age } from "../client/observations";
import type { Observed } from "./definition";
import type { Host } from "./host";

/** The argument of all functions in a definition. */
export interface Context<W> {
  host: Host;
  api: Host["api"];
  want: W;
}

interface Stateful<W, Seen> {
  /**
   * Stores values in state that the API does not return again, such as a secret; `undefined` removes a value. If a step
   * has `afterCreate`, its inputs count as applied once they are stored by this function.
   */
  setState(values: Observed<W> | Observed<Seen>): void;
}

export interface CreateContext<W, Seen> extends Context<W>, Stateful<W, Seen> {}

export interface ReadContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  state: Seen;
  /** Maximum age of cached data, to be passed to `host.reads.view`. */
  age: Age;
}

export interface StepContext<P, W, Seen> extends Context<W>, Stateful<W, Seen> {
  path: P;
  seen: Seen;
  /** The values in state, including those that this step has stored. */
  state: Observed<W & Seen>;
  /** The inputs of this step that differ from the object. */
  changed: Partial<W>;
  /** Waits until the object is ready. For steps with several requests. */
  waitUntilReady(): Promise<Seen>;
}

export interface PreviewContext<W, Seen> {
  host: Host;
  want: W;
  state: Observed<W & Seen>;
}

export interface DeleteContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  /** Reads the object; undefined if it does not exist. Sends a request. */
  observe(): Promise<Seen | undefined>;
}
