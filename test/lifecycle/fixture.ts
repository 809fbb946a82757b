import type { Arbitrary } from "fast-check";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import type { Cloud } from "../../testing/cloud";
import type { Inputs } from "../../testing/provider";

/**
 * What a change of an input comes to, written by hand from the documents: a new object, nothing (used at creation only,
 * or of no concern to the service), or calls of these operations, in alphabetical order.
 */
export type Meaning = "replace" | "write-only" | "local" | readonly `${string}.${string}`[];

/** The meaning of each input. A new input does not compile before it has one. */
export type Meanings<K extends KindName> = { [I in keyof Required<Inputs<K>>]: Meaning };

/** A change of one input, seen from a program. */
export interface Edit<K extends KindName, I extends keyof Inputs<K>> {
  to: Inputs<K>[I];
  /** Inputs that are stated otherwise than in `base`, before the change and after. */
  given?: Partial<Inputs<K>>;
  /** Inputs that have to change along with it. */
  along?: Partial<Inputs<K>>;
  /**
   * Calls that change something, each with the fields that it sends. If absent, the one operation that the input's meaning
   * names, with what changes; an edit of an input that replaces can be one in place, by these.
   */
  calls?: readonly string[];
  /** What the API says that the input is now, where the view of the object does not say it under the input's name. */
  shown?: (id: number) => unknown;
}

/** A kind with everything that its tests need to know. A new input does not compile before it has an edit. */
export interface Fixture<K extends KindName> {
  base: Inputs<K>;
  /** The edits of each input, or why there is none. */
  changes: { [I in keyof Required<Inputs<K>>]: Edit<K, I> | readonly Edit<K, I>[] | string };
  /** The emulator's table that its row lies in; `null` where it has none of its own. The kind's area if absent. */
  table?: string | null;
  /** What its row is called, given its id, where that is not the last part of it. */
  row?: (id: string) => string;
  /** Rows that only tell what was, by table: a deletion leaves them there. */
  past?: { [table: string]: (row: Bag) => boolean };
  /** The operation that makes it; `create` of the kind's area if absent. */
  creation?: string;
  /** Undoes it behind the provider's back, where nothing deletes it; `null` where nobody can. */
  remove?: ((id: string) => unknown) | null;
  /** Tables in which what it does stays, after its end as well. */
  lasting?: readonly string[];
  /** Inputs that no observation shows completely, since it depends on the program which part of them is managed. */
  notRead?: readonly (keyof Inputs<K> & string)[];
  /** Fields that every response must have, under the names of the API: without them the object cannot be identified. */
  mustReturn?: readonly string[];
  /** Moves, behind the provider's back, what moves by itself. */
  disturb(id: number): unknown;
}

/** Makes through the API what a kind needs to exist, and says what to do with it. */
export type CreateFixture<K extends KindName> = (cloud: Cloud) => Promise<Fixture<K>>;

/** What the tests know of a kind: its file in `kinds/`. */
export interface KindTests<K extends KindName> {
  meanings: Meanings<K>;
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
