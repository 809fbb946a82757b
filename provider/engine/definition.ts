import type { z } from "zod";
import type { AreaName, Operation, OperationName, Operations, Problem, Received, Result, Rule } from "../../api";
import type { Age } from "../client/observations";
import type { Host, Limited } from "./host";

/** The operation that reads one object of an area; absent where objects are only listed. */
type ViewOf<A extends AreaName> = Operations[A] extends { view: infer V extends Operation } ? V : never;

/** The parts of an object's id by name: the path parameters of its view operation. */
export type PathOf<A extends AreaName> = Received<ViewOf<A>>["path"];

/** A record as the API returns it. Responses leave fields out, so each of them may be absent. */
export type Observed<T> = { [K in keyof T]?: T[K] | undefined };

export type RecordOf<A extends AreaName> = Observed<Result<ViewOf<A>>>;

/**
 * A resource kind. An absent group or property has the default that its comment names. The records are complete by their
 * types: an input without a field, a field that names an unknown step and a status without a meaning do not compile.
 *
 * Everywhere, `want` holds the inputs that the program declares, `seen` an observation of the object, and `state` what the
 * stack's state holds of it.
 */
export interface ResourceDefinition<
  A extends AreaName,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string,
  P = PathOf<A>,
  W = z.output<I>,
  Seen = Observed<z.output<O>>,
> {
  /** The name that programs use: `Volume`. */
  name: string;
  /** The object that it manages, for hover texts and docs. */
  summary: string;
  /** Where the documents describe it. */
  source: string;
  /** The release that adds the kind; omitted until 0.1.0 is released. An input that is added later has it in its meta. */
  since?: string;
  inputs: I;
  /** The properties that a program can read. Properties that change all the time, such as a counter, are `volatile`: observed, but not in state. */
  outputs: O;
  /** Which object it is, and how it is found. */
  identity: Identity<A, P, W, Seen>;
  /** The effect of changing each input, and everything else that is special about the input. */
  fields: { [K in keyof W]-?: Field<NoInfer<S>, W, W[K], Seen> };
  /** Updates in place, in the order in which they run. */
  steps?: { [N in S]: UpdateStep<P, W, Seen> };
  /** Conditions beyond the schema of the inputs. */
  checks?: Checks<W>;
  /** When the object is ready after a create or an update; by default at once. */
  readiness?: Readiness<W, Seen>;
  /**
   * Creates the object and returns the parts of its id. Steps run after it: once the object is ready, an input that differs
   * from what is observed is changed by its step, so `create` may leave out what only an update can set.
   */
  create(context: CreateContext<W, Seen>): Promise<P>;
  /** By default the area's delete operation, after which the engine waits until the object does not exist. */
  delete?: Deletion<P, W, Seen>;
  /** Time limits in seconds. */
  timeouts?: Partial<Record<Limited, number>>;
  /** Upgrades state of an earlier version before anything else reads it; inputs carry no version, so it must be idempotent. */
  migrate?(state: Record<string, unknown>, fromVersion: number): Record<string, unknown>;
}

export interface Identity<A extends AreaName, P, W, Seen> {
  /** Its `view` operation reads the object; the parameters of that path are the parts of the id. Ids are not encrypted, so no part is secret. */
  area: A;
  /** Inputs that are parts of the id, e.g. `{ domain_id: "domainId" }`: mostly the parents in the object's path. */
  parents?: { [K in keyof W]?: keyof P & string };
  /** The input that gets a unique name when the program omits it. */
  autoname?: keyof W & string;
  /** The name of an object without a label in messages, from its known properties: `MX record of shop.example.com`. */
  displayName?(known: Observed<W & Seen>): string | undefined;
  /** Instead of `view`, where the area has none or the id has other parts: their schema, and how to read the object, if it exists. */
  lookup?: { path: z.core.$ZodType<P>; get(context: ReadContext<P, W, Seen>): Promise<Seen | undefined> };
  /** Adds what `view` does not return. Undefined: the object does not exist, although `view` returns it, e.g. as `cancelled`. */
  extend?(context: ReadContext<P, W, Seen>, record: RecordOf<A>): Promise<Seen | undefined>;
  /** The procedure when the response to a create request was lost. */
  lostCreate: "repeat" | Search<P, W>;
}

/** Looks for the object that a lost create request may have created. `lostCreate: "repeat"` suits what has the same effect twice. */
export interface Search<P, W> {
  /** Inputs that distinguish the object from others of its kind. */
  match: readonly (keyof W & string)[];
  /** The objects that could be it; by default what the area lists under the parents. */
  candidates?(context: Context<W>): Promise<P[]>;
  /** An object that is unusable without the lost response, which held its secret, is deleted and created again. Default: adopt. */
  found?: "adopt" | "recreate" | ((want: W) => "adopt" | "recreate");
}

/** The effect of changing an input; the record form has everything else that is special about the input. */
export type Field<S extends string, W, V, Seen> = S | "replace" | "local" | FieldRecord<S, W, V, Seen>;

// biome-ignore lint/suspicious/noExplicitAny: a field of any kind, as the engine sees it
export interface FieldRecord<S extends string = any, W = any, V = any, Seen = any> {
  /**
   * The step that the change runs; `replace` for a new object; `local` for what concerns only this program; `writeOnly` for
   * what is accepted at creation and never returned: a change has no effect, which the preview reports with the note.
   */
  change: S | "replace" | "local" | "writeOnly";
  /** The operations that make the change; by default the area's `update`, if its body has the input. */
  by?: readonly OperationName[];
  /** A note about the change for the docs; required for a write-only input. */
  note?: string;
  /** Outputs that a change in place can change as well: a preview does not know them. */
  touches?: readonly (keyof (W & Seen) & string)[];
  /** The change replaces the object unless the declared inputs have these values. */
  replaceUnless?: Partial<W>;
  /** The present value; by default the output of the same name. Undefined means that it is not observed. */
  current?(seen: Seen, want: Partial<W>): V | undefined;
  /** Equal values have the same form. For a form that other kinds need too and that depends only on the value: the contract's meta. */
  canonical?(value: NonNullable<V>, around: Observed<Seen & W>): unknown;
  /** Rounds as the service does: a check rounds the same way, and warns. */
  round?(value: NonNullable<V>): NonNullable<V>;
  /** The value where the program omits the input, from the stack's configuration and the inputs that the program declares. */
  default?(settings: Host["settings"], declared: Partial<W>): V | undefined;
}

/** One update in place. */
export interface UpdateStep<P, W, Seen> {
  run(context: StepContext<P, W, Seen>): Promise<unknown>;
  /** The create request cannot take these inputs and the API does not return them: the step runs after every create. */
  afterCreate?: true;
  /** Whether to run although no input differs, e.g. to finish what failed halfway. `seen` is the latest observation; in a preview, the one in state. */
  when?(seen: Seen, want: Partial<W>): boolean;
  /** The change takes time: wait until the inputs are observed as declared. */
  awaitInputs?: true;
  /** The side effects that a preview announces, e.g. a reboot. */
  preview?(change: PreviewContext<W, Seen>): string | undefined | Promise<string | undefined>;
}

export interface Checks<W> {
  /** Rules over several inputs. A rule is skipped while an input that it reads is unknown, or required and missing. */
  rules?: readonly Rule<W>[];
  /** Rules over a change of an object that stays; a replacement is not asked. `was` holds the inputs as last applied. */
  onChange?: readonly ((want: W, was: Partial<W>, host: Host) => Iterable<Problem> | AsyncIterable<Problem>)[];
  /** The notes of a preview about the creation, or why it would fail, from the inputs that are known. */
  onCreate?(known: Partial<W>, host: Host): Promise<string | Problem | undefined>;
  /** Inputs that only this machine can compute, such as the hash of a file. `declared` names those that the program sets. */
  resolve?(
    known: Partial<W>,
    host: Host,
    declared: readonly string[],
  ): Promise<{ inputs?: Partial<W>; problems?: Problem[] }>;
}

export type Readying = "ready" | "wait" | "failed";
export type Purpose = "create" | "update";

type StatusOf<Seen> = "status" extends keyof Seen ? NonNullable<Seen["status"]> & string : never;

export interface Readiness<W, Seen> {
  /** The meaning of each status. */
  byStatus?: { [N in StatusOf<Seen>]: Readying | ((want: W, purpose: Purpose) => Readying) };
  /** A condition that is not met although the status says ready, e.g. `2 of 3 nodes`. */
  pending?(seen: Seen, want: W): string | undefined;
}

export interface Deletion<P, W, Seen> {
  /** Why it cannot be deleted yet, e.g. `it is being captured`: the engine waits until nothing blocks it. */
  blockedBy?(seen: Seen): string | undefined;
  /** `none` leaves the object unchanged. By default the area's delete operation. It must succeed if the object ended meanwhile. */
  run?: "none" | ((context: DeleteContext<P, W, Seen>) => Promise<unknown>);
  /**
   * The object still exists after `run`, always or `when` it looks like this: the engine does not wait until it disappears.
   * `note` is the sentence of its page about the deletion.
   */
  kept?: { note: string; when?(seen: Seen): boolean };
  /** Objects that still exist after the object itself is deleted, such as its instances: the engine waits for them too. */
  pending?(context: Omit<DeleteContext<P, W, Seen>, "observe"> & { seen: Seen }): Promise<string | undefined>;
  /** Of a replacement. By default the new object is created first, unless the declared name of the old one is in its way. */
  replaceOrder?: "deleteFirst" | "createFirst";
}

/** The context of every function of a definition. */
export interface Context<W> {
  host: Host;
  api: Host["api"];
  want: W;
}

interface Stateful<W, Seen> {
  /**
   * Keeps in state what the API will not return again, such as a secret; `undefined` removes it. An input of a step with
   * `afterCreate` counts as applied once it is set here.
   */
  setState(values: Observed<W> | Observed<Seen>): void;
}

export interface CreateContext<W, Seen> extends Context<W>, Stateful<W, Seen> {}

export interface ReadContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  state: Seen;
  /** How old the observation may be: pass it on to `host.reads.view`. */
  age: Age;
}

export interface StepContext<P, W, Seen> extends Context<W>, Stateful<W, Seen> {
  path: P;
  seen: Seen;
  /** The values in state, including those set since. */
  state: Observed<W & Seen>;
  /** The inputs of this step that differ from what is observed. */
  changed: Partial<W>;
  /** Waits until the object is ready, between two parts of the step. */
  waitUntilReady(): Promise<Seen>;
}

export interface PreviewContext<W, Seen> {
  host: Host;
  want: W;
  state: Observed<W & Seen>;
}

export interface DeleteContext<P, W, Seen> extends Context<Partial<W>> {
  path: P;
  /** The current object, for a deletion that depends on it; undefined when it does not exist. Costs a request. */
  observe(): Promise<Seen | undefined>;
}

/** A definition as the engine runs it: typed where it is written, with property bags where it is run. */
// biome-ignore lint/suspicious/noExplicitAny: the one seam where differently typed definitions become one type
export type Kind = ResourceDefinition<any, any, any, any, any, any, any>;

/** A kind that keeps the types of its fields and drops the rest: comparing all of it takes the compiler seconds. */
export interface KindOf<I extends z.core.$ZodObject, O extends z.core.$ZodObject> extends Kind {
  inputs: I;
  outputs: O;
}

export const resource = <
  A extends AreaName,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string = never,
  P = PathOf<A>,
>(
  definition: ResourceDefinition<A, I, O, S, P>,
) => definition as unknown as KindOf<I, O>;

/** The field of an input in its record form. */
export function fieldOf({ fields }: Kind, key: string): FieldRecord {
  const field = (fields as Record<string, string | FieldRecord>)[key] ?? "local";
  return typeof field === "string" ? { change: field } : field;
}
