import type { Arbitrary } from "fast-check";
import type { z } from "zod";
import type { Bag } from "../../provider/engine/values";
import type { KindName, kinds } from "../../provider/resources";
import type { Cloud } from "../../testing/cloud";
import type { Inputs } from "../../testing/provider";

/**
 * The effect of changing an input, written by hand according to the documents: a replacement, no request (write-only
 * and local inputs), or requests of these operations in alphabetical order.
 */
export type Effect = "replace" | "write-only" | "local" | readonly `${string}.${string}`[];

/** The effect of changing each input of a kind. A missing input is a type error. */
export type Effects<K extends KindName> = { [I in keyof Required<Inputs<K>>]: Effect };

/**
 * The type of the last part of an object's id: the type of the output `id` or, for kinds without this output, a
 * declared type.
 */
export type IdOf<K extends KindName> =
  z.output<(typeof kinds)[K]["outputs"]> extends { id: infer Id } ? Id : number | string;

/** A change of one input in a program. */
export interface Edit<K extends KindName, I extends keyof Inputs<K>> {
  to: Inputs<K>[I];
  /** Inputs before and after the change that differ from `base`. */
  given?: Partial<Inputs<K>>;
  /** Inputs that must change together with the input. */
  along?: Partial<Inputs<K>>;
  /**
   * The expected requests that change something, each as the operation and the fields of its body: `instances.update
   * backups label`. Defaults to the operation in the input's effect,
   * with the changed field. If requests are given for an input that usually replaces, this edit is applied in place.
   */
  calls?: readonly string[];
  /**
   * Returns the current value of the input, or a promise of it. Required if the record that `view` returns has no field
   * of the input's name. `id` is the last part of the object's id. Its type is `number | string` if the outputs have no
   * `id`: a client needs `Number(id)`.
   */
  read?(id: IdOf<K>): unknown;
}

/** The test data of a kind. An input without an edit is a type error. */
export interface Fixture<K extends KindName> {
  base: Inputs<K>;
  /** The edits of each input, or the reason why there is none. */
  changes: { [I in keyof Required<Inputs<K>>]: Edit<K, I> | readonly Edit<K, I>[] | string };
  /**
   * The emulator's table that contains the object. `null` if the object has no row of its own, because it is part of
   * another object, or if its id does not lead to the row. Defaults to the table of the kind's area.
   */
  table?: string | null;
  /**
   * Converts the id of the resource to the key of the object in the emulator's table. Defaults to the last part of the
   * id.
   */
  row?: (id: string) => string;
  /**
   * By table of the emulator, the rows that a deletion leaves: all rows, or the rows for which the function returns
   * true.
   */
  remains?: { [table: string]: true | ((row: Bag) => boolean) };
  /** The operation that creates the object. Defaults to `create` of the kind's area. */
  creation?: string;
  /**
   * Deletes or reverts the object outside the provider. Afterwards, it must not exist, and a create must succeed.
   * Required if the area has no `delete`; `null` if nothing can delete or revert it, or if no create can succeed
   * afterwards, because another object has to change first.
   */
  remove?: ((id: string) => unknown) | null;
  /**
   * Ends the object outside the provider in another way than `remove`, for example by accepting a transfer. Deleting
   * the resource must succeed even if this happens between reading the object and the delete request.
   */
  finish?: (id: string) => unknown;
  /** Inputs of which a read returns only some values, because the program decides which values are managed. */
  notRead?: readonly (keyof Inputs<K> & string)[];
  /** Fields that every response must contain, with the API's names. Without them, the object cannot be identified. */
  mustReturn?: readonly string[];
  /**
   * Changes something related to the object by a request of its own. The change must not be reported as drift. `id` is
   * the last part of the object's id.
   */
  disturb(id: IdOf<K>): unknown;
}

/** Creates the objects that a kind requires, and returns the kind's test data. */
export type CreateFixture<K extends KindName> = (cloud: Cloud) => Promise<Fixture<K>>;

/** The tests of a kind, from its file in `kinds/`. */
export interface KindTests<K extends KindName> {
  effects: Effects<K>;
  fixture: CreateFixture<K>;
  equivalentValues: EquivalentValues;
  exampleEdit: ExampleEdit<K>;
}

/**
 * New values of inputs that are changed in place in every resource of the kind in the examples, tested with the real
 * Pulumi engine. A string is the reason why there are none.
 */
export type ExampleEdit<K extends KindName> = Partial<Inputs<K>> | string;

/** Equivalent values of inputs that can be written in several ways, given the inputs that the test data declares. */
export type EquivalentValues = (base: Bag) => {
  given: Bag;
  equivalent: { [input: string]: Arbitrary<unknown> };
}[];
