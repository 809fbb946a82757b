import type { z } from "zod";
import type { AreaName } from "../../api";
import type { Observed, PathOf } from "./contexts";
import {
  type Field,
  factsOf,
  fieldOf,
  type Kind,
  type KindOf,
  type ResourceDefinition,
  resource,
  type Search,
} from "./definition";

/** Not `unknown` if an input of both kinds has another type in the second one. */
type SharedTypes<First, Second> = Second extends { [K in keyof First & keyof Second]?: First[K] | undefined }
  ? unknown
  : "inputs of both kinds have the same types";

/** The properties that a second kind has for itself: it creates the objects of the first kind in another way. */
interface SecondKind<
  A extends AreaName,
  F extends z.core.$ZodObject,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  W = z.output<I>,
> extends Pick<
    ResourceDefinition<A, I, O, never>,
    | "name"
    | "summary"
    | "elsewhere"
    | "since"
    | "checks"
    | "timeouts"
    | "initialState"
    | "migrate"
    | "create"
    | "delete"
  > {
  /**
   * The inputs of the API's update operation, `volumes.update.body`, and what the create request needs. Omit relations with
   * a kind of their own, such as `VolumeAttachment`. An input without a value keeps what the create request has given to
   * the object: write another hover text for each input whose text says what an omitted value means, or when it is required:
   * `shape.soa_email.describe("…")` changes nothing else.
   */
  inputs: I & SharedTypes<z.output<F>, W>;
  /**
   * The effect of changing each input that the first kind does not have. The source of a copy is `replace` with a
   * `replaceReason`. The effects of all other inputs are those of the first kind, without their defaults unless they are
   * `local`. A step of the first kind must accept that an input is omitted, if it is optional only here.
   */
  fields: { [K in Exclude<keyof W, keyof z.output<F>>]-?: Field<never, W, W[K], Observed<z.output<O>>> };
  /** Inputs with ids of other objects, by API area: `{ source_volume_id: "volumes" }`. */
  refersTo?: { readonly [K in keyof W]?: AreaName };
  /**
   * How to find the object of a create request whose response was lost, if this kind lacks the inputs by which the first kind
   * finds its objects.
   */
  lostCreate?: Search<PathOf<A>, W>;
}

/**
 * Defines a second kind over the objects of another one, such as `VolumeClone` over those of `Volume`: its identity,
 * outputs, steps, readiness, time limits, migrations, deletion and inventory are those of the first kind, so that both
 * manage the objects in the same way. Found objects are reported and imported as the first kind.
 */
export function secondKind<
  A extends AreaName,
  F extends z.core.$ZodObject,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
>(first: KindOf<F, O, A>, definition: SecondKind<A, F, I, O>): KindOf<I, O, A> {
  // The functions of the first kind get the values of this one: shared inputs have the same types, but can be absent.
  const { refersTo, lostCreate, ...own } = definition as unknown as Kind &
    Pick<Kind["identity"], "lostCreate"> & { refersTo?: Record<string, AreaName> };
  const facts = factsOf(first) as Exclude<Kind["inventory"], "none">;
  const { shape } = own.inputs._zod.def;
  const effects = Object.keys(shape)
    .filter((key) => Object.hasOwn(first.fields, key))
    .map((key) => [key, withoutDefault(fieldOf(first, key))] as const);
  const used = new Set<string>(effects.map(([, { change }]) => change));
  const ofInputs = new Set<string>(Object.keys(first.fields).map((key) => fieldOf(first, key).change));
  const kind: Kind = {
    ...(first.migrate && { migrate: first.migrate }),
    ...own,
    outputs: first.outputs,
    identity: lostCreate ? { ...first.identity, lostCreate } : first.identity,
    inventory: {
      ...facts,
      list: "byId",
      omissionReason: `the API does not return how an object was created, so an import declares it with the kind ${first.name}`,
      refersTo: {
        ...Object.fromEntries(Object.entries(facts.refersTo ?? {}).filter(([input]) => Object.hasOwn(shape, input))),
        ...refersTo,
      },
    },
    fields: { ...own.fields, ...Object.fromEntries(effects) },
    steps: Object.fromEntries(
      Object.entries(first.steps ?? {}).filter(([name]) => used.has(name) || !ofInputs.has(name)),
    ),
    ...(first.readiness && { readiness: first.readiness }),
    timeouts: { ...first.timeouts, ...own.timeouts },
    delete: { ...first.delete, ...own.delete },
  };
  return resource(kind) as KindOf<I, O, A>;
}

/** The object already has a value for an input that the program omits, except for one that only this provider reads. */
function withoutDefault(field: ReturnType<typeof fieldOf>): typeof field {
  const { default: _, ...rest } = field;
  return field.change === "local" ? field : rest;
}
