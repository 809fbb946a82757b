import type { z } from "zod";
import type { AreaName, Operation, OperationName, Operations, Problem, Received, Result, Rule } from "../../api";
import type { CreateContext } from "./create";
import type { DeleteContext } from "./delete";
import type { Context, Host, Limited } from "./host";
import type { ReadContext } from "./identity";
import type { PreviewContext } from "./plan";
import type { StepContext } from "./update";

/**
 * The operation that reads one object of an area, such as `volumes.view`. `never` for areas without such an operation.
 */
type ViewOf<A extends AreaName> = Operations[A] extends { view: infer V extends Operation } ? V : never;

/** The parts of an object's id: the path parameters of the operation that reads one object of the area. */
export type PathOf<A extends AreaName> = Received<ViewOf<A>>["path"];

/** A record as the API returns it. Responses may omit fields, so all fields are optional. */
export type Observed<T> = { [K in keyof T]?: T[K] | undefined };

export type RecordOf<A extends AreaName> = Observed<Result<ViewOf<A>>>;

/**
 * Defines a resource class, such as `Volume`. If a property is omitted, the default in its comment applies. The types
 * verify that every input has a field, that fields name existing steps, and that `byStatus` contains every status.
 *
 * In all functions, `want` contains the inputs that the program declares, `seen` the object as last read from the API,
 * and `state` the values in the stack's state.
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
  /** Name of the resource in programs, such as `Volume`. */
  name: string;
  /** Describes the managed object in one sentence, for hover texts and docs. */
  summary: string;
  /** Section of the API documentation that describes the object. */
  source: string;
  /**
   * The release that adds the resource. Defaults to 0.1.0, which is not released yet. For an input that is added later,
   * the release is in the input's metadata.
   */
  since?: string;
  inputs: I;
  /**
   * Schema of the properties that programs can read. Properties that change all the time, such as a counter, are
   * `volatile`: they are read, but not stored in state.
   */
  outputs: O;
  /** Which object the resource manages, and how the object is found. */
  identity: Identity<A, P, W, Seen>;
  /** The effect of changing each input, and all other special behavior of the input. */
  fields: { [K in keyof W]-?: Field<NoInfer<S>, W, W[K], Seen> };
  /** Updates in place, in the order in which they run. */
  steps?: { [N in S]: UpdateStep<P, W, Seen> };
  /** Validation in addition to the schema of the inputs. */
  checks?: Checks<W>;
  /** When the object is ready after a create or an update. Defaults to immediately. */
  readiness?: Readiness<W, Seen>;
  /**
   * Creates the object and returns the parts of its id. Afterwards, once the object is ready, the engine runs the steps
   * of all inputs that differ from the object. `create` can therefore omit inputs that only an update can set.
   */
  create(context: CreateContext<W, Seen>): Promise<P>;
  /** How to delete the object. Defaults to the area's `delete`, then a wait until the object does not exist. */
  delete?: Deletion<P, W, Seen>;
  /** Default time limits in seconds. */
  timeouts?: Partial<Record<Limited, number>>;
  /** Upgrades state of an earlier version. Must be idempotent: it is also called with inputs, which have no version. */
  migrate?(state: Record<string, unknown>, fromVersion: number): Record<string, unknown>;
}

export interface Identity<A extends AreaName, P, W, Seen> {
  /**
   * The area whose `view` operation reads the object. The parameters of the operation's path are the parts of the id.
   * No part may be secret, because ids are not encrypted.
   */
  area: A;
  /** Inputs that are parts of the id, such as `{ domain_id: "domainId" }`: usually the parents of the object. */
  parents?: { [K in keyof W]?: keyof P & string };
  /** The input that gets a unique name if the program omits it. */
  autoname?: keyof W & string;
  /** Name of the object in messages if it has no label, such as `MX record of shop.example.com`. */
  displayName?(known: Observed<W & Seen>): string | undefined;
  /**
   * Reads the object if the area has no `view` operation, or if the id has other parts than the path of that operation.
   * `path` is the schema of the parts, and `get` returns the object, or undefined if it does not exist.
   */
  lookup?: { path: z.core.$ZodType<P>; get(context: ReadContext<P, W, Seen>): Promise<Seen | undefined> };
  /**
   * Converts the record that `view` returns to the outputs. A required output that is undefined keeps its value in
   * state. Returns undefined for an object that counts as deleted although `view` returns it, for example because its
   * status is `cancelled`.
   */
  extend?(context: ReadContext<P, W, Seen>, record: RecordOf<A>): Promise<Seen | undefined>;
  /** The reaction to a lost response of a create request: send it again (`repeat`), or search for the object. */
  lostCreate: "repeat" | Search<P, W>;
}

/** How to find the object that a create request may have created, if the response was lost. */
export interface Search<P, W> {
  /** Inputs by which the object is recognized. */
  match: readonly (keyof W & string)[];
  /** The objects to search. Defaults to all objects of the area with the same parents. */
  candidates?(context: Context<W>): Promise<P[]>;
  /**
   * How the engine uses the object that was found. `recreate` deletes it and creates another object, for objects whose
   * secret was in the lost response. Defaults to `adopt`.
   */
  found?: "adopt" | "recreate" | ((want: W) => "adopt" | "recreate");
}

/** The effect of changing an input: the name of a step, `replace`, `local`, or a record with more properties. */
export type Field<S extends string, W, V, Seen> = S | "replace" | "local" | FieldRecord<S, W, V, Seen>;

// biome-ignore lint/suspicious/noExplicitAny: the engine handles fields of every type
export interface FieldRecord<S extends string = any, W = any, V = any, Seen = any> {
  /**
   * The effect of a change. The name of a step runs that step, and `replace` creates a new object. `local` inputs
   * concern only this program. `writeOnly` inputs are accepted at creation and never returned: a change has no effect
   * except that the preview prints the note.
   */
  change: S | "replace" | "local" | "writeOnly";
  /** The operations that apply a change, for docs and tests. A change in place defaults to the area's `update`. */
  by?: readonly OperationName[];
  /** A note about the change for the docs. Required for write-only inputs. */
  note?: string;
  /** Other outputs that the step can change. In a preview, their values are unknown. */
  touches?: readonly (keyof (W & Seen) & string)[];
  /** The change replaces the object unless the declared inputs have these values. */
  replaceUnless?: Partial<W>;
  /** The current value. Defaults to the output of the same name. Undefined if the API does not return it. */
  current?(seen: Seen, want: Partial<W>): V | undefined;
  /**
   * Converts a value to a canonical form, so that equivalent values compare equal. Set only if the canonical form
   * depends on other fields. The contract's schema defines all other canonical forms.
   */
  canonical?(value: NonNullable<V>, around: Observed<Seen & W>): unknown;
  /** Rounds a value as the service does. The result is used instead of the declared value, with a warning. */
  round?(value: NonNullable<V>): NonNullable<V>;
  /** The value if the program omits the input, from the stack's configuration and the declared inputs. */
  default?(settings: Host["settings"], declared: Partial<W>): V | undefined;
}

/** An update in place. */
export interface UpdateStep<P, W, Seen> {
  run(context: StepContext<P, W, Seen>): Promise<unknown>;
  /**
   * Whether the step runs after every create, because the create request does not accept these inputs and the API does
   * not return them.
   */
  afterCreate?: true;
  /**
   * Whether to run the step even if no input differs, for example to finish a failed update. `seen` is the object as
   * last read; in a preview, the object in state.
   */
  when?(seen: Seen, want: Partial<W>): boolean;
  /** Whether to wait after the step until the API returns the inputs as declared. */
  awaitInputs?: true;
  /** The side effect that a preview shows as a warning, such as a reboot. */
  preview?(change: PreviewContext<W, Seen>): string | undefined | Promise<string | undefined>;
}

export interface Checks<W> {
  /** Rules for several inputs. A rule is skipped if an input that it reads is unknown, or is required and missing. */
  rules?: readonly Rule<W>[];
  /** Rules for an update in place, not for a replacement. `was` contains the inputs as last applied. */
  onChange?: readonly ((want: W, was: Partial<W>, host: Host) => Iterable<Problem> | AsyncIterable<Problem>)[];
  /** A warning for the preview of a create, or why it would fail. `known` has the inputs whose values are known. */
  onCreate?(known: Partial<W>, host: Host): Promise<string | Problem | undefined>;
  /** Computes inputs from data on this machine, such as a file's hash. `declared` names the inputs in the program. */
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
  /** Readiness by status: whether an object with the status is ready, must be waited for, or has failed. */
  byStatus?: { [N in StatusOf<Seen>]: Readying | ((want: W, purpose: Purpose) => Readying) };
  /** The reason to wait even if the status means ready, such as `2 of 3 nodes ready`. Undefined if there is none. */
  pending?(seen: Seen, want: W): string | undefined;
}

export interface Deletion<P, W, Seen> {
  /** The reason to wait before the object can be deleted, such as `it is being captured`. Undefined if there is none. */
  blockedBy?(seen: Seen): string | undefined;
  /**
   * Deletes the object, or with `none` leaves it unchanged. Defaults to the area's delete operation. Must succeed if
   * the object has been deleted meanwhile.
   */
  run?: "none" | ((context: DeleteContext<P, W, Seen>) => Promise<unknown>);
  /**
   * Set if the object still exists after `run`, always or if `when` returns true. The engine then does not wait until
   * the object is deleted. `note` is a sentence for the docs.
   */
  kept?: { note: string; when?(seen: Seen): boolean };
  /** The reason to wait after the object is deleted, such as `2 nodes still exist`. Undefined if there is none. */
  pending?(context: Omit<DeleteContext<P, W, Seen>, "observe"> & { seen: Seen }): Promise<string | undefined>;
  /**
   * The order of a replacement. By default, the old object is deleted first if the program declares its unique name.
   * Otherwise, the new object is created first.
   */
  replaceOrder?: "deleteFirst" | "createFirst";
}

/** The definition of any resource class. The engine handles all classes with this type. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where definitions of different types become one type
export type Kind = ResourceDefinition<any, any, any, any, any, any, any>;

/** A definition with the types of inputs and outputs only: the compiler needs seconds to compare complete types. */
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

/** The definition of an input as a record: the short form `"replace"` becomes `{ change: "replace" }`. */
export function fieldOf({ fields }: Kind, key: string): FieldRecord {
  const field = (fields as Record<string, string | FieldRecord>)[key] ?? "local";
  return typeof field === "string" ? { change: field } : field;
}
