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

/** The properties that a second kind has for itself: it creates the objects of the first kind in another way. */
interface SecondKind<
  A extends AreaName,
  F extends z.core.$ZodObject,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
  W = z.output<I>,
> extends Pick<
    ResourceDefinition<A, I, O, never>,
    "name" | "summary" | "since" | "checks" | "timeouts" | "create" | "delete"
  > {
  /**
   * The inputs of the API's update operation, `volumes.update.body`, and what the create request needs. Omit relations with
   * a kind of their own, such as `VolumeAttachment`. An input without a value keeps what the create request has given to
   * the object: write another hover text for each input whose text says what an omitted value means, or when it is required:
   * `shape.soa_email.describe("…")` changes nothing else.
   */
  inputs: I;
  /**
   * The effect of changing each input that the first kind does not have. The source of a copy is `replace` with a
   * `replaceReason`. The effects of all other inputs are those of the first kind, without their defaults unless they are
   * `local`. A step of the first kind must accept that an input is omitted, if it is optional only here.
   */
  fields: { [K in Exclude<keyof W, keyof z.output<F>>]-?: Field<never, W, W[K], Observed<z.output<O>>> };
  /** Inputs with ids of other objects, by API area: `{ source_volume_id: "volumes" }`. */
  refersTo?: { readonly [K in keyof W]?: AreaName };
  /** How a lost create request is found, if the new object does not have the inputs by which the first kind finds its own. */
  lostCreate?: Search<PathOf<A>, W>;
}

/**
 * Defines a second kind over the objects of another one, such as `VolumeClone` over those of `Volume`: its identity,
 * outputs, steps, readiness, time limits, deletion and inventory are those of the first kind, so that both manage the
 * objects in the same way. Found objects are reported and imported as the first kind.
 */
export function secondKind<
  A extends AreaName,
  F extends z.core.$ZodObject,
  I extends z.core.$ZodObject,
  O extends z.core.$ZodObject,
>(first: KindOf<F, O, A>, definition: SecondKind<A, F, I, O>): KindOf<I, O, A> {
  // As in `resource`, the functions are called only with values of this kind.
  const { refersTo, lostCreate, ...own } = definition as unknown as Kind &
    Pick<Kind["identity"], "lostCreate"> & { refersTo?: Record<string, AreaName> };
  const facts = factsOf(first) as Exclude<Kind["inventory"], "none">;
  const { shape } = own.inputs._zod.def;
  const effects = Object.keys(shape)
    .filter((key) => Object.hasOwn(first.fields, key))
    .map((key) => [key, withoutDefault(fieldOf(first, key))] as const);
  const used = new Set<string>(effects.map(([, { change }]) => change));
  const kind: Kind = {
    ...own,
    outputs: first.outputs,
    identity: lostCreate ? { ...first.identity, lostCreate } : first.identity,
    inventory: {
      ...facts,
      list: "byId",
      omissionReason: `the API does not return how an object was created; it is imported as a ${first.name}`,
      refersTo: {
        ...Object.fromEntries(Object.entries(facts.refersTo ?? {}).filter(([input]) => Object.hasOwn(shape, input))),
        ...refersTo,
      },
    },
    fields: { ...own.fields, ...Object.fromEntries(effects) },
    steps: Object.fromEntries(Object.entries(first.steps ?? {}).filter(([name]) => used.has(name))),
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
