import type { z } from "zod";
import type { AreaName, OperationName, Problem, Rule } from "../../api";
import type {
  Context,
  CreateContext,
  DeleteContext,
  Observed,
  PathOf,
  PreviewContext,
  ReadContext,
  RecordOf,
  StepContext,
} from "./contexts";
import type { Host, LimitedOperation } from "./host";
import type { AnyFacts, Inventory } from "./inventory";

/** The names of a kind in other providers, and its differences there, in one sentence each. */
export interface Elsewhere {
  /** The resource of Terraform's provider for Linode, such as `linode_volume`. */
  terraform?: string;
  /** The class of `@pulumi/linode`, such as `Volume`. */
  pulumi?: string;
  note?: string | { terraform: string; pulumi: string };
}

/**
 * Defines a resource class, such as `Volume`. If a property is omitted, the default in its comment applies. The types
 * verify that every input has an entry in `fields`, that all updates that the entries name are in `steps`, and that
 * `byStatus` contains every status.
 *
 * In all functions, `want` contains the inputs that the program declares, `observed` the object as last read from the
 * API, and `state` the values in the stack's state.
 */
export interface ResourceDefinition<
  A extends AreaName,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string,
  P = PathOf<A>,
  W = z.output<I>,
  Current = Observed<z.output<O>>,
  Row = RecordOf<A>,
> {
  /**
   * Name of the resource in programs, such as `Volume`: a singular noun. `sdk/types.ts` must not have a type of this
   * name, also not with `Args` at its end: `FirewallRules` is taken by an input, `FirewallRuleset` is free.
   */
  name: string;
  /**
   * Describes the managed object in one sentence, for hover texts and docs. If another kind has an input for the same
   * field, the text says that only one of the two may be set.
   */
  summary: string;
  /**
   * The release that adds the resource. Defaults to 0.1.0, which is not released yet. For an input that is added later,
   * the release is in the input's metadata.
   */
  since?: string;
  /** The same object in other providers, for the pages about moving from them. Omit it if they do not have it. */
  elsewhere?: Elsewhere;
  inputs: I;
  /**
   * Schema of the properties that programs can read. Properties that change all the time, such as a counter, are
   * `volatile`: they are read, but not stored in state.
   */
  outputs: O;
  /** Which object the resource manages, and how the object is found. */
  identity: Identity<A, P, W, Current, Row>;
  /** How drift checks and imports find the objects in an account, and what they know about them. */
  inventory: Inventory<P, W, Current, Row>;
  /** The effect of changing each input, and all other special behavior of the input. */
  fields: { [K in keyof W]-?: Field<NoInfer<S>, W, W[K], Current> };
  /** In-place updates, in the order in which they run. Each applies the inputs whose entry in `fields` names it. */
  steps?: { [N in S]: UpdateStep<P, W, Current> };
  /** Validation in addition to the schema of the inputs. */
  checks?: Checks<W>;
  /** When the object is ready after a create or an update. Defaults to immediately. */
  readiness?: Readiness<W, Current>;
  /**
   * The values in state after the create request that differ from the declared inputs, such as an ACL that the request
   * does not accept, or that the next update requires. Also used to continue an interrupted create.
   */
  initialState?(want: W): Observed<W> | Observed<Current>;
  /**
   * Creates the object and returns the parts of its id. Once the object is ready, the in-place updates in `steps` apply
   * all inputs that still differ, so `create` can omit inputs that the create request does not accept. For an object
   * that always exists, send the first change here, or only return its id: the updates then send all that differs. If the
   * service accepts only one object, as one certificate of a bucket, throw an error if there is one already, with the
   * command that adopts it (`host.adoptCommand`). If
   * another object must be in a certain state, first read that object, then wait for a state that will end by itself
   * (`poll`), or else throw an error that names the input to set.
   */
  create(context: CreateContext<W, Current>): Promise<P>;
  /**
   * How to delete the object. Defaults to calling the API's delete operation, such as `volumes.delete`, and then
   * waiting until the object does not exist.
   */
  delete?: Deletion<P, W, Current>;
  /** Default time limits in seconds. */
  timeouts?: Partial<Record<LimitedOperation, number>>;
  /** Upgrades state of an earlier version. Must be idempotent: it is also called with inputs, which have no version. */
  migrate?(state: Record<string, unknown>, fromVersion: number): Record<string, unknown>;
}

export interface Identity<A extends AreaName, P, W, Current, Row> {
  /**
   * The group of API operations for the object, by its name in `api`, such as `volumes` for `api.volumes.view`. Its `view`
   * operation reads the object, and the path parameters of that operation are the parts of the id. No part may be
   * secret, because ids are not encrypted. Of two groups with the same objects, this is the newer one.
   */
  area: A;
  /**
   * Inputs that are parts of the id: usually the parents of the object, as `{ nodebalancer_id: "nodeBalancerId", config_id: "configId" }`
   * of a node. Numeric ones, except the outermost, are a `PartId`.
   */
  parents?: { [K in keyof W]?: keyof P & string };
  /**
   * The objects that a resource manages, by API area and id: an object has only one owner, and `adopt`, `import` and the
   * drift check leave out objects that any resource manages. Defaults to the object with this id in `area`, or to this
   * kind's part of it if all parts of the id are inputs in `parents`: such a part has the name of its kind instead of an
   * area. `declared` contains the inputs in state.
   */
  manages?(
    path: P,
    state: Observed<W & Current>,
    declared: Observed<W>,
  ): { area: AreaName | Capitalize<string>; path: Record<string, unknown> }[];
  /** The input that gets a unique name if the program omits it. Set it if the service requires unique names. */
  autoname?: keyof W & string;
  /** Name of the object in messages if it has no label, such as `MX record of shop.example.com`. */
  displayName?(known: Observed<W & Current>): string | undefined;
  /**
   * Reads the object if the API has no `view` operation for it, or if its id has other parts than the path of that
   * operation. `path` is the schema of the id's parts. `get` returns the object, or undefined if it does not exist. The
   * id must suffice, because `state` is empty when an existing object is adopted. If a part of the id in the API is
   * secret, use a digest of it here, and search the area's list for the digest.
   */
  lookup?: { path: z.core.$ZodType<P>; get(context: ReadContext<P, W, Current>): Promise<Current | undefined> };
  /**
   * Converts the object that `view` returns to the outputs of the resource. A required output that is undefined keeps
   * its value in state. Returns undefined for an object that counts as deleted, such as a cancelled one, or a setting
   * that has no effect because what it requires was disabled: the next update calls `create`. A setting that can still
   * be changed exists, and so does a completed transfer. Nested fields may be absent: return `{ ...rules }`. `state` has
   * all outputs in state. An update that deletes the object and creates it again (see `run` in `steps`) is not a
   * deletion outside the program.
   */
  extend?(context: ReadContext<P, W, Current>, record: Row): Promise<Current | undefined>;
  /** The path parameters of an object in the area's list, if its record has other names for them. */
  listed?(record: Row): { [K in keyof P]?: P[K] | undefined };
  /**
   * How to find out whether a create request without a response, as after a broken connection, has created the object:
   * `repeat` sends it again, which must not create a second object; a `Search` looks for a new object with the same values.
   */
  lostCreate: "repeat" | Search<P, W>;
}

/** Finds the object that a create request with a lost response may have created. Older objects are excluded. */
export interface Search<P, W> {
  /**
   * Inputs by which the object is recognized, in their canonical form: all that the API returns, or only the one in which
   * the service allows no two objects the same value. Parents can be omitted. If the request has none that the object shows,
   * such as a copy whose label the service chooses, the parent, and `candidates` returns the objects that can be the new
   * one.
   */
  match: readonly (keyof W & string)[];
  /**
   * Path parameters of objects to compare, called before the create request and again after its response is lost: only
   * an object that was not there before is used. Defaults to all with the same parents. May throw a missing parent's
   * 404.
   */
  candidates?(context: Context<W>): Promise<P[]>;
  /**
   * How to use the object that was found. `adopt`, the default, manages it with this resource; `recreate` deletes it
   * and creates another one, for objects whose secret was in the lost response, or whose inputs the API does not return.
   */
  found?: "adopt" | "recreate" | ((want: W) => "adopt" | "recreate");
}

/** The effect of changing an input: `replace`, `local`, the name of an in-place update, or a `FieldRecord`. */
export type Field<S extends string, W, V, Current> = S | "replace" | "local" | FieldRecord<S, W, V, Current>;

export interface FieldRecord<S extends string, W, V, Current> {
  /**
   * The effect of a change: the name of an in-place update in `steps`, or `replace`, which creates a new object.
   * `local` inputs are not compared with the object, such as `allow_reboot`. `writeOnly` inputs are accepted at
   * creation and never returned: a change has no effect except that the preview prints the note. An input that an
   * update can change although it is never returned, such as a password, is not an output: it is compared with state.
   * `replace` requires that the new object has another id. An input that is a part of the id can always replace; if the id
   * consists of inputs, a change of any other one is an update that deletes and creates.
   */
  change: S | "replace" | "local" | "writeOnly";
  /**
   * Why a change replaces the object although the API never returns the input, for example because the input is the
   * source of the object's data. Required then: an input whose effect ends with the creation is `writeOnly`.
   */
  replaceReason?: string;
  /** The API operations that a change calls, for docs and tests. Defaults to `update` unless the object is replaced. */
  by?: readonly OperationName[];
  /** A note about the change for the docs. Required for write-only inputs. */
  note?: string;
  /** For a secret input: the output whose change shows that the value was changed outside the program. */
  revealedBy?: keyof Current & string;
  /**
   * Other outputs that the service changes together with this input, as moving a volume changes its `config_id`. In a
   * preview, their values are unknown unless the program declares them. If an update fails, the next one applies those
   * that the program declares again. Volatile outputs are not in state, so they are not listed.
   */
  touches?: readonly (keyof (W & Current) & string)[];
  /**
   * A change of this input replaces the object unless other inputs have these values. For example, a new region
   * replaces an instance unless `region_change` is `migrate`.
   */
  replaceUnless?: Partial<W>;
  /** The current value. Defaults to the output of the same name. Undefined if the API does not return it. */
  current?(observed: Current, want: Partial<W>): V | undefined;
  /**
   * Converts a value to a canonical form, so that equivalent values compare equal. Set only if the canonical form
   * depends on other fields, or on the object's value, `observed`, which the program may declare only in part. The
   * schemas of the API define all other canonical forms. `around` has the other inputs and outputs. A value of another
   * object, such as the name of a record's domain, must be an output, which `extend` reads. Searches for lost objects read
   * it too.
   */
  canonical?(value: NonNullable<V>, around: Observed<Current & W>, observed?: NonNullable<V>): unknown;
  /**
   * The reason why the service cannot change the current value to the declared one, for example because volumes cannot
   * shrink. Undefined if it can. The preview rejects such a change of the program. If the object was changed outside
   * the program instead, the preview warns, updates do not change the input, and drift reports it.
   */
  unsupported?(current: NonNullable<V>, declared: NonNullable<V>): UnsupportedChange<NonNullable<V>> | undefined;
  /** Rounds a value as the service does. The result is used instead of the declared value, with a warning. */
  round?(value: NonNullable<V>): NonNullable<V>;
  /**
   * The value if the program omits the input, from the stack's configuration, the declared inputs, and those of the last
   * update, which are empty for a new object.
   */
  default?(settings: Host["settings"], declared: Partial<W>, olds: Partial<W>): V | undefined;
}

/** A change that the service does not support. */
export interface UnsupportedChange<V> {
  /** The value that the object keeps. If the input is an object, its other fields have the declared values. */
  keeps: V;
  /** The path of the problem inside an input that is an object. */
  path?: Problem["path"];
  /** The allowed values and why, as in {@link Problem}. */
  reason: string;
}

/** An in-place update: applies changes of some inputs without replacing the object, for example resizes a volume. */
export interface UpdateStep<P, W, Current> {
  /**
   * Sends the update of `changed`, the inputs of this step that differ. Called again if the response is lost and the
   * inputs still differ, up to 3 times in total. If the API has no update operation and the id stays the same, a change deletes the object and creates it again:
   * 1. An output shows whether the object exists, such as `ssl` of a certificate. `touches` of each input names it.
   * 2. `run` stores that output as false and the inputs of the step as undefined with `setState`, deletes the object, which
   *    can be missing already, and creates it from `want`: an interrupted update is then completed by the next one.
   * 3. `identity.extend` returns undefined (deleted) if the output is false, unless it is false in `state` too.
   */
  run(context: StepContext<P, W, Current>): Promise<unknown>;
  /**
   * Whether this update also runs after every create, because the create request does not accept its inputs and the API
   * does not return them. Such an update of `triggers` makes the kind an action, such as a reboot: `create` sends no
   * request and returns the parts of the id, `run` sends it and then stores `triggers` with `setState`, and `preview` and
   * a check in `checks.onCreate` announce it.
   */
  afterCreate?: true;
  /**
   * Whether to run this update even if no input differs, for example to finish a failed update. `observed` is the object
   * as last read; in a preview, the object in state.
   */
  when?(observed: Current, want: Partial<W>): boolean;
  /** Whether to wait after this update until the API returns its inputs as declared. */
  awaitInputs?: true;
  /** The side effect that a preview shows as a warning, such as a reboot. */
  preview?(change: PreviewContext<P, W, Current>): string | undefined | Promise<string | undefined>;
}

export interface Checks<W> {
  /**
   * Rules for several inputs. A rule is skipped if an input that it reads is unknown, or is required and missing. A
   * condition that changes with time, such as an expiry date, is checked in `create` and in the step instead: an
   * unchanged program must not fail.
   */
  rules?: readonly Rule<W>[];
  /** Rules for an update in place (not a replacement), even without changes. `olds` has the inputs as last applied. */
  onChange?: readonly ((want: W, olds: Partial<W>, host: Host) => Iterable<Problem> | AsyncIterable<Problem>)[];
  /** Checks of a new resource, in a preview and before the create request. */
  onCreate?: readonly CreateCheck<W>[];
  /** Computes inputs from data on this machine, such as a file's hash. `declared` names the inputs in the program. */
  resolve?(
    known: Partial<W>,
    host: Host,
    declared: readonly string[],
  ): Promise<{ inputs?: Partial<W>; problems?: Problem[] }>;
}

/**
 * A check of a new resource. It either warns about a side effect or rejects the create, and says which, because the
 * page of the kind prints it: the text continues "The preview of a create warns" or "The preview rejects a create". In
 * `check`, `known` has the inputs whose values are known. A problem about another object does not belong here: the same
 * update may change that object first.
 */
export type CreateCheck<W> =
  | { warns: string; check(known: Partial<W>, host: Host): Promise<string | undefined> }
  | { rejects: string; check(known: Partial<W>, host: Host): Promise<Problem | undefined> };

export type ReadinessRule = "ready" | "wait" | "failed";
export type Purpose = "create" | "update";

type StatusOf<Current> = "status" extends keyof Current ? NonNullable<Current["status"]> & string : never;

export interface Readiness<W, Current> {
  /** Readiness by status: whether an object with the status is ready, must be waited for, or has failed. */
  byStatus?: { [N in StatusOf<Current>]: ReadinessRule | ((want: W, purpose: Purpose) => ReadinessRule) };
  /** The reason to wait even if the status means ready, such as `2 of 3 nodes ready`. Undefined if there is none. */
  pending?(observed: Current, want: W): string | undefined;
}

export interface Deletion<P, W, Current> {
  /**
   * Set if an input of another kind can create the same object, as `devices` of a firewall can create a `FirewallDevice`.
   * Returns a function that is called with the other resources of the program: true if one of them declares the object.
   * It is then not deleted, because this update has moved its declaration there. Mention in the hover texts of both inputs
   * that the other resource exists, and add a test to `moved-declarations.test.ts`.
   */
  declaredBy?(context: Omit<DeleteContext<P, W, Current>, "observe">): Declares;
  /** The reason to wait before the delete request, such as `it is being captured`. Undefined if there is none. */
  blockedBy?(observed: Current): string | undefined;
  /**
   * Deletes the object, or with `none` leaves it unchanged. Defaults to calling the API's delete operation. Must not
   * fail if the object has been deleted meanwhile. Returns `missing` if another object has the id now, as a bucket that
   * was created again under the same name has, and leaves that one unchanged; `retained` if the object stays.
   */
  run?: "none" | ((context: DeleteContext<P, W, Current>) => Promise<unknown>);
  /**
   * Set if the object still exists after `run`, always or if `when` returns true. The engine then does not wait until
   * the object is deleted. `note` is a sentence for the docs.
   */
  retained?: { note: string; when?(observed: Current): boolean };
  /**
   * The effect of the deletion on other objects, a sentence without a period, such as `a running instance shuts down`.
   * Previews of a replacement show it. Pulumi calls no provider for the preview of a deletion.
   */
  effect?: string;
  /** The reason to wait after the object is deleted, such as `2 nodes still exist`. Undefined if there is none. */
  pending?(context: Omit<DeleteContext<P, W, Current>, "observe"> & { observed: Current }): Promise<string | undefined>;
  /**
   * When a change replaces the object: `deleteFirst` deletes the old one before it creates the new one, `createFirst` after
   * that. Set `deleteFirst` if the service rejects two objects with the same value, such as the name of a domain. If
   * the create request then fails, the old object does not exist any more, so say that in `summary`. Defaults to
   * `deleteFirst` if the program declares the input of `identity.autoname`, and otherwise to `createFirst`.
   */
  replaceOrder?: "deleteFirst" | "createFirst";
}

/** Whether a resource of the program declares an object as its part. */
export type Declares = (resource: {
  kind: string;
  area: string;
  path: Values;
  want: Values;
}) => boolean | Promise<boolean>;

/** The definition of any resource class. The engine handles all classes with this type. */
export type Kind = ResourceDefinition<
  AreaName,
  z.core.$ZodObject,
  z.core.$ZodObject,
  string,
  Values,
  Values,
  Values,
  Values
>;

/** The inputs, outputs or id of an object of any kind. */
type Values = Record<string, unknown>;

/** A definition with the types of inputs, outputs and area only: the compiler needs seconds to compare complete types. */
export interface KindOf<I extends z.core.$ZodObject, O extends z.core.$ZodObject, A extends AreaName = AreaName>
  extends Kind {
  inputs: I;
  outputs: O;
  identity: Kind["identity"] & { area: A };
}

/**
 * Checks a definition and returns it as one of any kind. The cast forgets the types of the inputs, outputs and id in its
 * functions: the engine calls them only with values of this kind, which the compiler cannot know.
 */
export const resource = <
  A extends AreaName,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  S extends string = never,
  P = PathOf<A>,
>(
  definition: ResourceDefinition<A, I, O, S, P>,
) => checkedDefinition(definition as unknown as KindOf<I, O, A>);

/**
 * Throws if an input that the API never returns replaces the object and the definition does not say why, or if a search
 * after a lost response could take any new object for the one of the request.
 */
function checkedDefinition<K extends Kind>(kind: K): K {
  const returned = new Set([...Object.keys(kind.outputs._zod.def.shape), ...Object.keys(kind.identity.parents ?? {})]);
  for (const key of Object.keys(kind.fields)) {
    const { change, replaceUnless, replaceReason, current } = fieldOf(kind, key);
    const isReplaced = change === "replace" || replaceUnless !== undefined;
    if (isReplaced && replaceReason === undefined && !current && !returned.has(key)) {
      const decision = "docs/decisions/0007-create-only-inputs-never-replace.md";
      throw new Error(
        `${kind.name}: the input ${key} replaces the object, but the API never returns it: no output has this name. ` +
          `Write { change: "writeOnly", note: "…" }, or say in replaceReason why a change must replace the object (${decision})`,
      );
    }
  }
  const { autoname, parents = {}, lostCreate } = kind.identity;
  const search = lostCreate === "repeat" ? undefined : lostCreate;
  const recognizedBy = [...Object.keys(parents), ...(autoname ? [autoname] : []), ...(search?.match ?? [])];
  const missing = recognizedBy.find((key) => !Object.hasOwn(kind.fields, key));
  if (missing !== undefined)
    throw new Error(
      `${kind.name}: inputs must contain ${missing}, by which its objects are recognized; set lostCreate if they have other inputs for that`,
    );
  const isReturned = (key: string): boolean =>
    !Object.hasOwn(parents, key) && (returned.has(key) || fieldOf(kind, key).current !== undefined);
  if (search && !search.candidates && !search.match.some(isReturned))
    throw new Error(
      `${kind.name}: lostCreate.match must contain an input that the API returns (given ${search.match.join(", ")}), or set candidates`,
    );
  return kind;
}

/** The definition of an input as a record: the short form `"replace"` becomes `{ change: "replace" }`. */
export function fieldOf({ fields }: Kind, key: string): FieldRecord<string, Values, unknown, Values> {
  const field = fields[key] ?? "local";
  return typeof field === "string" ? { change: field } : field;
}

/** The schema of an input, by its name. */
export function inputSchema({ name, inputs }: Kind, key: string): z.core.$ZodType {
  const schema = inputs._zod.def.shape[key];
  if (!schema) throw new Error(`${name} has no input ${key}`);
  return schema;
}

/** The facts in `inventory`. None for actions. */
export const factsOf = ({ inventory }: Kind): AnyFacts => (inventory === "none" ? {} : inventory);

/** The output with the name that a user has given the object, such as `label`. Undefined for kinds without one. */
export function nameField(kind: Kind): string | undefined {
  const { title } = factsOf(kind);
  return typeof title === "string" && title !== "id" ? title : undefined;
}
