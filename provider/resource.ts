import type { z } from "zod";
import type { Operations } from "../api";
import type { Received, Result } from "../api/operation";
import type { Problem } from "../api/problems";
import type { Rule } from "../api/rule";
import type { Host } from "./engine/host";

/** Areas whose objects can be read one by one: what a resource kind manages. */
export type Collection = { [A in keyof Operations]: "view" extends keyof Operations[A] ? A : never }[keyof Operations];

export type RecordOf<A extends Collection> = Result<Operations[A]["view" & keyof Operations[A]]>;

/** Where an object is: the path parameters of its view operation. */
export type PathOf<A extends Collection> = Received<Operations[A]["view" & keyof Operations[A]]>["path"];

/** What an observed state means for somebody who waits. */
export type Fate = "ready" | "wait" | "failed";
export type Purpose = "create" | "update";

/**
 * What a change of an input means: a new object, a named step in place, nothing for the API (`local`), or `kept`:
 * it only ever mattered at creation, so the object stays as it is and the preview says what to do about it.
 */
export type Change<S extends string> = S | "replace" | "local" | { kept: string };

/** What every call of a definition is given. */
export interface Context<A extends Collection, W> {
  host: Host;
  api: Host["api"];
  path: PathOf<A>;
  /** The inputs that the program states. */
  want: W;
}

export interface Running<W, O> {
  seen: O;
  /** What state holds, and what was learned since. */
  was: Partial<W & O>;
  changed: Partial<W>;
  /** Keeps what the API will not tell again, such as which part was made for which key: later reads see it as `was`. */
  learn(known: Partial<W> | Partial<O>): void;
  /** Waits until the object is ready, between two parts of the step. */
  settle(): Promise<O>;
}

/** One change in place. */
export interface Step<A extends Collection, W, O> {
  /** `changed` holds those inputs of this step that differ from what is there. */
  run(context: Context<A, W> & Running<W, O>): Promise<unknown>;
  /** The step takes time: wait until what is observed equals what was asked for. */
  settles?: true;
  /** What the preview says will happen beside the change itself, e.g. a reboot. */
  announce?(want: W, was: Partial<W & O>): string | undefined;
}

/** A rule about a change: sees what was stated before, and is not asked when the object is replaced anyway. */
export type Guard<W> = (want: W, was: Partial<W>) => Iterable<Problem>;

/**
 * A resource kind. `changes`, `steps` and `states` are complete by their types: an input that nobody decided about,
 * a step that nothing defines, a status without a fate does not compile.
 */
export interface Definition<
  A extends Collection,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string,
  W = z.output<I>,
  Seen = z.output<O>,
> {
  kind: string;
  /** What it is, for hover texts and docs. */
  summary: string;
  /** Where the documents describe it. */
  source: string;
  /** The version of this package that the kind came with, the first one when absent; an input that came later has it in its meta. */
  since?: string;
  area: A;
  inputs: I;
  outputs: O;
  /** Inputs that name the parents in the object's path, e.g. `{ domain_id: "domainId" }`. */
  parent?: { [K in keyof W]?: keyof PathOf<A> & string };
  changes: { [K in keyof W]-?: Change<S> };
  /**
   * Why a change means something else than the area's `update` operation suggests, for docs: what changes in place
   * without being in its body names the operations that do it (`volumes.resize`), what is in it but does not says why.
   */
  exceptions?: { [K in keyof W]?: string };
  steps: { [K in S]: Step<A, W, Seen> };
  /** What an input's value is now, where no output of the same name says it. */
  observe?: { [K in keyof W]?: (seen: Seen, want: Partial<W>) => W[K] | undefined };
  /** Canonical forms that need the other inputs; the rest stands beside the field in the contract. */
  compare?: { [K in keyof W]?: (value: NonNullable<W[K]>, around: Partial<Seen & W>) => unknown };
  /** Inputs that the service rounds: check rounds them the same way and warns. */
  rounds?: { [K in keyof W]?: (value: NonNullable<W[K]>) => NonNullable<W[K]> };
  rules?: readonly Rule<W>[];
  guards?: readonly Guard<W>[];
  /** The input that the resource is named by when the program gives none; unique in the account. */
  autoname?: keyof W & string;
  /** Inputs that tell one object from its like, to find it again when the answer to its creation was lost. */
  key: readonly (keyof W & string)[];
  /** The old object must go before the new one can come, whatever its name. */
  deleteFirst?: true;
  states?: Seen extends { status: infer T extends string }
    ? { [K in T]: Fate | ((want: W, purpose: Purpose) => Fate) }
    : never;
  /** What is still missing although the status is settled, e.g. `2 of 3 nodes`; undefined when nothing is. */
  pending?(seen: Seen, want: W): string | undefined;
  /** Default time limits in seconds. */
  timeouts?: Partial<Record<"create" | "update" | "delete", number>>;
  create(context: Omit<Context<A, W>, "path">): Promise<PathOf<A>>;
  /** Adds to the API's record what `outputs` shows beyond it. */
  read?(context: Context<A, Partial<W>> & { was: Partial<Seen> }, record: RecordOf<A>): Promise<Seen>;
  /** Deletes the object and detaches what would block that; the area's delete operation when absent. */
  delete?(context: Context<A, Partial<W>> & { seen: Seen }): Promise<unknown>;
  /** What is still there after the object itself is gone; undefined when nothing is. */
  remains?(context: Context<A, Partial<W>> & { seen: Seen }): Promise<string | undefined>;
}

/** What the engine sees: definitions are typed where they are written, property bags where they are run. */
// biome-ignore lint/suspicious/noExplicitAny: the one seam where differently typed definitions become one type
export type Kind = Definition<any, any, any, any>;

/** A kind that still tells its fields. Nothing else of its type is kept: comparing all of it takes the compiler seconds. */
export interface KindOf<I extends z.core.$ZodObject, O extends z.core.$ZodObject> extends Kind {
  inputs: I;
  outputs: O;
}

export const resource = <
  A extends Collection,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string,
>(
  definition: Definition<A, I, O, S>,
) => definition as unknown as KindOf<I, O>;

/** Inputs or outputs as they travel: keyed by the wire's names. */
export type Bag = Record<string, unknown>;
