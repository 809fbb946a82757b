import type { z } from "zod";
import type { Operation, Operations, Problem, Received, Result, Rule } from "../../api";
import type { Settings } from "../heads/settings";
import type { Host, Limited } from "./host";

/** The areas of the contract; a kind manages what is in one of them. */
export type Collection = keyof Operations;

/** The operation that reads one object of an area; absent where objects are only listed. */
type ViewOf<A extends Collection> = Operations[A] extends { view: infer V extends Operation } ? V : never;

export type RecordOf<A extends Collection> = Result<ViewOf<A>>;

/** Where an object is: the path parameters of its view operation. */
export type PathOf<A extends Collection> = Received<ViewOf<A>>["path"];

/** What an observed state means for somebody who waits. */
export type Fate = "ready" | "wait" | "failed";
export type Purpose = "create" | "update";

/**
 * What a change of an input means: a new object, a named step in place, nothing for the API (`local`), or `kept`:
 * it only ever mattered at creation, so the object stays as it is and the preview says what to do about it.
 */
export type Change<S extends string> = S | "replace" | "local" | { kept: string };

/** What every call of a definition is given. */
export interface Context<P, W> {
  host: Host;
  api: Host["api"];
  path: P;
  /** The inputs that the program states. */
  want: W;
}

/** What is known; undefined takes back what was. */
type Known<T> = { [K in keyof T]?: T[K] | undefined };

export interface Learning<W, O> {
  /**
   * Keeps what the API will not tell again, such as which part was made for which key: later reads see it as `was`. An
   * input that a creation could not take is due for its step when what it has instead is told here.
   */
  learn(known: Known<W> | Known<O>): void;
}

export interface Running<W, O> extends Learning<W, O> {
  seen: O;
  /** What state holds, and what was learned since. */
  was: Partial<W & O>;
  changed: Partial<W>;
  /** Waits until the object is ready, between two parts of the step. */
  settle(): Promise<O>;
}

/** One change in place. */
export interface Step<P, W, O> {
  /** `changed` holds those inputs of this step that differ from what is there. */
  run(context: Context<P, W> & Running<W, O>): Promise<unknown>;
  /** Creation can't take its inputs and the API doesn't show them: a new object has it done too. */
  beyondCreation?: true;
  /** The step takes time: wait until what is observed equals what was asked for. */
  settles?: true;
  /** Whether the step is to run although no input of its differs: what an interrupted creation left undone. */
  due?(seen: Partial<O>, want: Partial<W>): boolean;
  /** What the preview says will happen beside the change itself, e.g. a reboot; `about` is what the kind's `about` answers. */
  announce?(want: W, was: Partial<W & O>, about: string, host: Host): string | undefined | Promise<string | undefined>;
}

export interface Looking<O> {
  /** The outputs in state. */
  was: Partial<O>;
  /** What is read must not be older than now. */
  fresh: boolean;
}

/** A rule about a change: sees what was stated before, and is not asked when the object is replaced anyway. */
export type Guard<W> = (want: W, was: Partial<W>, host: Host) => Iterable<Problem> | AsyncIterable<Problem>;

/**
 * A resource kind. `changes`, `steps` and `states` are complete by their types: an input that nobody decided about,
 * a step that nothing defines, a status without a fate does not compile.
 */
export interface Definition<
  A extends Collection,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string,
  P = PathOf<A>,
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
  /** The parts of its id in their order, where the area's view operation does not say them; with `look`. */
  place?: z.core.$ZodType<P>;
  inputs: I;
  outputs: O;
  /** Inputs that name the parents in the object's path, e.g. `{ domain_id: "domainId" }`. */
  parent?: { [K in keyof W]?: keyof P & string };
  changes: { [K in keyof W]-?: Change<S> };
  /**
   * Why a change means something else than the area's `update` operation suggests, for docs: what changes in place
   * without being in its body names the operations that do it (`volumes.resize`), what is in it but does not says why;
   * what is local may say what comes of it, and what `update` takes by which operations it comes into effect.
   */
  exceptions?: { [K in keyof W]?: string };
  /** Inputs that the service changes in place, at a price: their change replaces while `when` holds. */
  replaces?: { [K in keyof W]?: { when(want: W): boolean; unless: string } };
  steps: { [K in S]: Step<P, W, Seen> };
  /** What an input's value is now, where no output of the same name says it. */
  observe?: { [K in keyof W]?: (seen: Seen, want: Partial<W>) => W[K] | undefined };
  /** Canonical forms that need the other inputs; the rest stands beside the field in the contract. */
  compare?: { [K in keyof W]?: (value: NonNullable<W[K]>, around: Partial<Seen & W>) => unknown };
  /** Inputs that the service rounds: check rounds them the same way and warns. */
  rounds?: { [K in keyof W]?: (value: NonNullable<W[K]>) => NonNullable<W[K]> };
  /** Inputs that the stack's configuration, or what is stated besides, sets where the program does not. */
  defaults?(settings: Settings, given: Partial<W>): Partial<W>;
  /**
   * Inputs that only this machine can tell, such as the hash of a file, from the inputs that are known, once all are
   * well-formed; `stated` names those that the program states, known or not.
   */
  complete?(
    known: Partial<W>,
    host: Host,
    stated: readonly string[],
  ): Promise<{ inputs?: Partial<W>; problems?: Problem[] }>;
  /** Whom announcements are about, by name, where that is another object: the instance that a disk is of. */
  about?(want: Partial<W>, host: Host): Promise<string>;
  /** What the preview says that the creation does beside making it, e.g. a reboot, or why not; told from the inputs that are known. */
  starts?(known: Partial<W>, host: Host): Promise<string | Problem | undefined>;
  /** What messages call it, from what is known, where it has no label: `MX record of shop.example.com`. */
  called?(known: Partial<W & Seen>): string | undefined;
  rules?: readonly Rule<W>[];
  guards?: readonly Guard<W>[];
  /** The input that the resource is named by when the program gives none; unique in the account. */
  autoname?: keyof W & string;
  /**
   * Inputs that tell one object from its like, to find it again when the answer to its creation was lost; `repeatable`
   * where making it again does the same.
   */
  key: readonly (keyof W & string)[] | "repeatable";
  /** Where those lie that could be the wanted one; what the area lists under the parents when absent. */
  find?(context: Omit<Context<P, W>, "path">): Promise<P[]>;
  /**
   * The object was there before and stays, such as an address whose name is set: a deletion takes back what was set, if
   * `delete` says how, and nobody waits for its end. A function decides by the observed object.
   */
  outlives?: true | ((seen: Seen) => boolean);
  /**
   * Whether the old object must go before the new one can come; absent, where its name is stated and so in the way. False:
   * the name is not in the way.
   */
  deleteFirst?: boolean;
  /**
   * Only the answer to its creation tells its secret: what was made when that answer was lost is of no use, so it is
   * deleted and made again. A function says it of what is wanted.
   */
  secretive?: true | ((want: W) => boolean);
  states?: Seen extends { status: infer T extends string }
    ? { [K in T]: Fate | ((want: W, purpose: Purpose) => Fate) }
    : never;
  /** What is still missing although the status is settled, e.g. `2 of 3 nodes`; undefined when nothing is. */
  pending?(seen: Seen, want: W): string | undefined;
  /** Default time limits in seconds. */
  timeouts?: Partial<Record<Limited, number>>;
  create(context: Omit<Context<P, W>, "path"> & Learning<W, Seen>): Promise<P>;
  /** How the object is seen where the area can't show it by its path; undefined when it is gone. */
  look?(context: Context<P, Partial<W>> & Looking<Seen>): Promise<Seen | undefined>;
  /** Adds to the API's record what `outputs` shows beyond it; undefined when what it stands for is gone. */
  read?(context: Context<P, Partial<W>> & Looking<Seen>, record: RecordOf<A>): Promise<Seen | undefined>;
  /** Why it can't be deleted yet, e.g. `it is being captured`: the deletion waits until nothing keeps it. */
  keeps?(seen: Seen): string | undefined;
  /** Deletes the object and detaches what would block that; the area's delete operation when absent. */
  delete?(context: Context<P, Partial<W>> & { seen: Seen }): Promise<unknown>;
  /** What is still there after the object itself is gone; undefined when nothing is. */
  remains?(context: Context<P, Partial<W>> & { seen: Seen }): Promise<string | undefined>;
}

/** What the engine sees: definitions are typed where they are written, property bags where they are run. */
// biome-ignore lint/suspicious/noExplicitAny: the one seam where differently typed definitions become one type
export type Kind = Definition<any, any, any, any, any>;

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
  P = PathOf<A>,
>(
  definition: Definition<A, I, O, S, P>,
) => definition as unknown as KindOf<I, O>;

/** Inputs or outputs as they travel: keyed by the wire's names. */
export type Bag = Record<string, unknown>;
