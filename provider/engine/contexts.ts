import type { AreaName, Operation, Operations, Received, Result } from "../../api";
import type { Age } from "../client/observations";
import type { Host } from "./host";

/** The operation that reads one object, such as `volumes.view`. `never` if the API area does not have one. */
type ViewOf<A extends AreaName> = Operations[A] extends { view: infer V extends Operation } ? V : never;

/** The parts of an object's id: the path parameters of the operation that reads it, such as `domainId`. */
export type PathOf<A extends AreaName> = Received<ViewOf<A>>["path"];

/** An object as the API returns it. Responses may omit fields, so all fields are optional. */
export type Observed<T> = { [K in keyof T]?: T[K] | undefined };

export type RecordOf<A extends AreaName> = Observed<Result<ViewOf<A>>>;

/**
 * Arguments of every function in a resource definition, such as `create`. `want` contains the declared inputs. In an update,
 * those that its preview has not shown have the value of the object.
 */
export interface Context<W> {
  host: Host;
  /** Sends requests. After a lost response, it repeats the request unless it is a POST (see `isInDoubt`). */
  api: Host["api"];
  want: W;
}

export interface ReadContext<P, W, Current> extends Context<Partial<W>> {
  path: P;
  /**
   * The outputs in state. Empty if the object is not in state yet, as during an import. In a drift check, secret
   * outputs are "[secret]" and secret inputs are missing.
   */
  state: Current;
  /** How old a cached object may be. Resource definitions pass this on to `host.reads.view`. */
  age: Age;
}

export interface CreateContext<W, Current> extends Context<W> {
  /**
   * Stores values in state that the API does not return again, such as a secret, or that the first read requires;
   * `undefined` removes a value. The engine stores the inputs once the whole operation has succeeded. An in-place
   * update that must not run again if a later request fails stores its own inputs with this function.
   */
  setState(values: Observed<W> | Observed<Current>): void;
}

export interface StepContext<P, W, Current> extends CreateContext<W, Current> {
  path: P;
  /** The inputs as the program declares them. */
  declared: W;
  observed: Current;
  /** The values in state, including those that this update step has already stored with `setState`. */
  state: Observed<W & Current>;
  /**
   * The inputs of this update step that differ from the object, as the body of a request. Parents, which replace the
   * object, are never among them, although the type has them: `update({ path, body: changed })`.
   */
  changed: Partial<W>;
  /** Waits until the object is ready, for steps that send several requests. */
  waitUntilReady(): Promise<Current>;
}

export interface PreviewContext<P, W, Current> {
  host: Host;
  path: P;
  want: W;
  state: Observed<W & Current>;
}

export interface DeleteContext<P, W, Current> extends Context<Partial<W>> {
  path: P;
  state: Observed<W & Current>;
  /**
   * Returns the object, or undefined if it does not exist. If the engine has already read the object for `blockedBy`,
   * `pending` or `retained.when`, returns that result instead of sending a request.
   */
  observe(): Promise<Current | undefined>;
}
