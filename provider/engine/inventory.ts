import type { AreaName } from "../../api";
import type { Context, Observed } from "./contexts";

/**
 * The files of an imported project, in the order in which they import each other. A file refers only to itself and to
 * earlier files, so there are no import cycles.
 */
export const programFiles = [
  "compute",
  "networking",
  "load-balancers",
  "dns",
  "kubernetes",
  "object-storage",
  "managed",
  "account",
] as const;

export type ProgramFile = (typeof programFiles)[number];

/**
 * How the objects of a kind are found in an account, named, and related to other objects. `none` for actions, which do
 * not manage objects. All other facts follow from the definition: an object belongs to the kind whose id its own id
 * begins with, and an input such as `volume_id` refers to a `Volume`.
 *
 * `row` is an object as its list returns it.
 */
export type Inventory<P, W, Current, Row> = "none" | (Facts<W, Current, Row> & (Listed | Searched<P> | ById));

interface Listed {
  /** The API's list operation returns all objects. The drift check reports those that no stack manages. */
  list: "operation";
}

interface Searched<P> {
  /** An import of a whole account searches for the objects with other requests. */
  list: "search";
  search(context: SearchContext): Promise<{ path: P; row: Bag }[]>;
}

interface ById {
  /**
   * An import of a whole account omits the objects, and imports them only by their ids: `payment-method/123`. For objects that
   * no request finds, or whose required inputs the API does not return.
   */
  list: "byId";
  /** The reason, for the report of the import. */
  omissionReason: string;
}

export interface Facts<W, Current, Row> {
  /** The file of an imported project that declares the objects: `dns` for `dns.ts`. */
  file: ProgramFile;
  /**
   * The name of an imported resource, after that of the object that contains it: the output with the name that a user
   * has given the object, a function, or `id` for objects without a name and for parts of an object. Without a value, its id is used.
   */
  title: (keyof Current & ("label" | "domain" | "name")) | "id" | ((row: Row) => string | number | null | undefined);
  /** The complete name of an imported resource, if it does not begin with that of the object that contains it. */
  titleWithin?(row: Row, whole: string): string;
  /** Outputs for `displayName` that the list does not return. */
  known?(row: Row): Observed<Current>;
  /** Inputs with ids of other objects, by API area, if their names differ from those of the ids: `{ image: "images" }`. */
  refersTo?: Readonly<Record<string, AreaName>>;
  /** Objects that the object is attached to, in addition to those whose ids its fields contain: `compute_id`. */
  attachedTo?(observed: Observed<Current>): readonly { area: AreaName; id: unknown }[];
  /** IP addresses by which other objects refer to the object, such as `ipv4` of an instance, which nodes of load balancers have. */
  addresses?(observed: Observed<Current>): readonly string[];
  /** Inputs that declare nested objects, by the API areas of these objects, so that they are not unmanaged. */
  declares?: { readonly [K in keyof W]?: readonly AreaName[] };
  /** Whether the nested objects were created together with the object. They are then not listed. */
  createsNested?(row: Row): boolean;
  /** Whether the service provides the object in every account, so that it is not listed. */
  isProvided?(row: Row): boolean;
  /** Other listed objects that the object creates and deletes, such as the instances of a node pool. */
  creates?: { area: AreaName; ids(row: Row): readonly unknown[] };
}

type Bag = Record<string, unknown>;

/** The facts of any kind. All are absent for actions. */
export type AnyFacts = Partial<Facts<Bag, Bag, Bag>> & {
  list?: "operation" | "search" | "byId";
  search?(context: SearchContext): Promise<{ path: Bag; row: Bag }[]>;
  omissionReason?: string;
};

/** Arguments of a search for the objects of a kind, after all list operations of the account have been read. */
export interface SearchContext extends Pick<Context<never>, "host" | "api"> {
  /** All objects that the list operations returned. */
  rows: readonly Bag[];
  /** The ids of the listed objects of an API area, without objects that other objects create. */
  ids(area: AreaName): ReadonlySet<unknown>;
  /** The names of the kinds with a field, such as `tags`, of which some objects could not be read. */
  unread(field: string): readonly string[];
}
