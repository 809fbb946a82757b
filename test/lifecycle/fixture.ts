import type { Arbitrary } from "fast-check";
import type { z } from "zod";
import type { Bag } from "../../provider/engine/values";
import type { KindName, kinds } from "../../provider/resources";
import type { Cloud } from "../../testing/cloud";
import type { Inputs } from "../../testing/provider";

/**
 * The effect of changing an input, written by hand from the documents: a replacement, no call (write-only or local inputs),
 * or calls of these operations, in alphabetical order.
 */
export type Effect = "replace" | "write-only" | "local" | readonly `${string}.${string}`[];

/** The effect of changing each input. A new input does not compile without one. */
export type Effects<K extends KindName> = { [I in keyof Required<Inputs<K>>]: Effect };

/** The last part of an object's id: the type of its output `id`, or what the fixture declares for a kind without that output. */
export type IdOf<K extends KindName> =
  z.output<(typeof kinds)[K]["outputs"]> extends { id: infer Id } ? Id : number | string;

/** A change of one input in a program. */
export interface Edit<K extends KindName, I extends keyof Inputs<K>> {
  to: Inputs<K>[I];
  /** Inputs that differ from `base`, both before and after the change. */
  given?: Partial<Inputs<K>>;
  /** Inputs that must change together with it. */
  along?: Partial<Inputs<K>>;
  /**
   * The expected calls that change something, each with its fields. Defaults to the operation in the input's effect with
   * the changed field. Calls of an input that replaces mean that this edit is in place.
   */
  calls?: readonly string[];
  /** Reads the current value, where the object does not have it under the input's name. `id` is the last part of the id. */
  read?(id: IdOf<K>): unknown;
}

/** The test data of a kind. A new input does not compile without an edit. */
export interface Fixture<K extends KindName> {
  base: Inputs<K>;
  /** The edits of each input, or why there is none. */
  changes: { [I in keyof Required<Inputs<K>>]: Edit<K, I> | readonly Edit<K, I>[] | string };
  /** The emulator's table with the object's row; `null` if it has no row of its own. Defaults to the kind's area. */
  table?: string | null;
  /** The key of that row by the resource's id, e.g. of a text id. Defaults to the last part of the id. */
  row?: (id: string) => string;
  /** Rows that remain after the object is deleted, by table: all of them, or those for which the function returns true. */
  remains?: { [table: string]: true | ((row: Bag) => boolean) };
  /** The operation that creates it. Defaults to `create` of the kind's area. */
  creation?: string;
  /** Deletes or reverts it outside the provider, if the area has no `delete`; `null` if it cannot be reverted. */
  remove?: ((id: string) => unknown) | null;
  /**
   * Ends it outside the provider in another way, as when another account accepts a transfer: deleting the resource must
   * succeed even if this happens between reading the object and the delete request.
   */
  finish?: (id: string) => unknown;
  /** Inputs that a read cannot return completely, because the program decides which part of them is managed. */
  notRead?: readonly (keyof Inputs<K> & string)[];
  /** Fields that every response must have, under the names of the API: without them the object cannot be identified. */
  mustReturn?: readonly string[];
  /** Changes something next to the object outside the provider, which must not show as drift. `id` is the last part of the id. */
  disturb(id: IdOf<K>): unknown;
}

/** Creates the objects that a kind depends on, and returns its test data. */
export type CreateFixture<K extends KindName> = (cloud: Cloud) => Promise<Fixture<K>>;

/** The tests of a kind: its file in `kinds/`. */
export interface KindTests<K extends KindName> {
  effects: Effects<K>;
  fixture: CreateFixture<K>;
  equivalentValues: EquivalentValues;
  exampleEdit: ExampleEdit<K>;
}

/**
 * Inputs that change in place in every resource of the kind that the examples create, with their new values: the real
 * engine updates them. A string says why there are none.
 */
export type ExampleEdit<K extends KindName> = Partial<Inputs<K>> | string;

/** Inputs that can be written in several ways, and all those ways, given what the fixture's base declares. */
export type EquivalentValues = (base: Bag) => {
  given: Bag;
  equivalent: { [input: string]: Arbitrary<unknown> };
}[];
