import type { Arbitrary } from "fast-check";
import type { z } from "zod";
import type { Bag } from "../../provider/engine/values";
import type { KindName, kinds } from "../../provider/resources";
import type { Cloud } from "../../testing/cloud";
import type { Inputs } from "../../testing/provider";
import type { Templates } from "./template";

/**
 * The expected effect of changing an input, written by hand from the API documentation: the object is replaced, no
 * request is sent (write-only inputs are used only at creation, and local inputs such as `allowReboot` only control the
 * provider), or these operations are called, in alphabetical order.
 */
export type Effect = "replace" | "write-only" | "local" | readonly `${string}.${string}`[];

/**
 * The expected effect of changing each input of a resource class. TypeScript reports an error if an input is missing.
 */
export type Effects<K extends KindName> = { [I in keyof Required<Inputs<K>>]: Effect };

/**
 * The type of the last part of a resource's id, such as 34 in "12/34": the type of the output `id`, or number or string
 * for resource classes without this output.
 */
export type IdOf<K extends KindName> =
  z.output<(typeof kinds)[K]["outputs"]> extends { id: infer Id } ? Id : number | string;

/** A change of one input in a program, and the requests that it is expected to cause. */
export interface Edit<K extends KindName, I extends keyof Inputs<K>> {
  /** The new value. To restore a default, it is the default itself. */
  to: Exclude<Inputs<K>[I], undefined>;
  /**
   * Inputs that the program has before the change in addition to those in `base`, or instead of them. A test that
   * removes tags needs some first, for example. Inputs that the edit does not change keep these values. Inputs that
   * replace the object must have the values of `base`.
   */
  before?: Partial<Inputs<K>>;
  /** Other inputs that must change in the same update, for example the private key together with the certificate. */
  along?: Partial<Inputs<K>>;
  /**
   * The expected write requests, each as its operation followed by the fields of its body, such as
   * `instances.update backups label`. Defaults to one request with the changed field and those in `along`, sorted, for
   * each operation in {@link Effects} whose name ends in `.update`. Required if a change in place calls any other
   * operation, such as `firewalls.updateRules`, or if this change is made in place although, according to `Effects`, the
   * input replaces the resource. Omit it for a change that replaces.
   */
  calls?: readonly string[];
  /**
   * Returns the current value of the input from the API or the emulator. Required if neither the id nor the response of
   * the API's `view` operation contains the input by its name, except for write-only inputs. The value, or a promise of
   * it, has the names of the API.
   * `id` is the last part of the resource's id.
   */
  read?(id: IdOf<K>): unknown;
}

/** The test data of a resource class. TypeScript reports an error if an input has no entry in `changes`. */
export interface Fixture<K extends KindName> {
  /**
   * The inputs of the object before each edit. Its creation must end within 65 s of the emulator's time, and the inputs should not
   * hide that the create job failed, as `booted: true` does for an instance.
   */
  base: Inputs<K>;
  /** The edits to test for each input. A string is the reason why the input cannot be edited. */
  changes: { [I in keyof Required<Inputs<K>>]: Edit<K, I> | readonly Edit<K, I>[] | string };
  /**
   * The emulator's table with the object's row. `null` if the object has no row (it is part of another object), or if
   * the row cannot be found by the id. Defaults to the table that is named after the group of API operations, such as
   * `volumes`.
   */
  table?: string | null;
  /**
   * Converts the id of the resource to the key of the object in the emulator's table. Defaults to the last part of the
   * id.
   */
  row?: (id: string) => string;
  /**
   * Rows that still exist after the resource is deleted, by table of the emulator. `true` stands for all rows of the
   * table.
   */
  remains?: { [table: string]: true | ((row: Bag) => boolean) };
  /**
   * The API operation that creates the object, or the first one that sets its values, if a step sends it. Defaults to
   * `create` in the same group of operations, such as `volumes.create`.
   */
  creation?: string;
  /**
   * Deletes or reverts the object outside Pulumi, so that it can be created again. Required if the API has no delete
   * operation for it. `null` if it cannot be deleted or reverted, or cannot be created again afterwards.
   */
  remove?: ((id: string) => unknown) | null;
  /**
   * Ends the object outside Pulumi in a way other than `remove`, for example by accepting a transfer. `pulumi destroy`
   * must succeed even if this happens just before its delete request.
   */
  finish?: (id: string) => unknown;
  /**
   * List inputs whose other entries belong to other resources or users, such as the devices of a firewall: a refresh
   * reads only the entries that the program declares.
   */
  notRead?: readonly (keyof Inputs<K> & string)[];
  /**
   * Inputs that `base` omits, but for which the API then returns a value that is neither empty nor the default of the
   * API's create operation, such as `ssh.ip`. The program that an import writes for the object declares them. Of a copy,
   * these are the values of its source. In the order of the inputs.
   */
  adopted?: readonly string[];
  /**
   * Names of response fields without which the object cannot be identified. Tests of incomplete responses never remove
   * them.
   */
  mustReturn?: readonly string[];
  /**
   * Changes data that the resource does not manage, for example the label of the instance to which a volume is
   * attached, or of a parent, or if there is none with `patch(id, {})` only the time of the last update. A refresh must
   * not report the change as drift. Called several times, so it must be possible to repeat it.
   */
  changeUnmanaged(id: IdOf<K>): unknown;
}

/**
 * Creates the objects that the resource requires in the test account, such as the instance of a disk, and returns the
 * test data.
 */
export type CreateFixture<K extends KindName> = (cloud: Cloud) => Promise<Fixture<K>>;

/** How the objects of a kind are found, and the kind of the objects that contain them, from the API's documents. */
export interface Found {
  /**
   * `operation`: the API lists them, so that a drift check reports unmanaged ones. `search`: an import finds them with
   * other requests. `byId`: only on request. `none`: the kind is an action.
   */
  by: "operation" | "search" | "byId" | "none";
  /**
   * For objects whose ids begin with that of another object, such as the records of a domain: the innermost one. Omit it
   * for a setting or another part of an object, which has the id of that object.
   */
  within?: KindName;
}

/** The test data that each file in `test/lifecycle/kinds/` exports, for one resource class. */
export interface KindTests<K extends KindName> {
  effects: Effects<K>;
  found: Found;
  fixture: CreateFixture<K>;
  equivalentValues: EquivalentValues;
  exampleEdit: ExampleEdit<K>;
  /**
   * How a test that writes random programs (`make chaos`) declares resources of the kind. A string is the reason why it
   * cannot, for example because creating one sends an email.
   */
  templates: Templates | string;
}

/**
 * New values of inputs that can be changed in place. Tests apply them to the example programs with the real Pulumi CLI,
 * whose secrets, and the objects that a program cannot create, such as a payment card, come from
 * `test/engine/example-needs.ts`.
 * A string is the reason why no input can be changed.
 */
export type ExampleEdit<K extends KindName> = Partial<Inputs<K>> | string;

/**
 * Different values of an input with the same meaning, such as `20` and `"20"`, between which a preview must not show a
 * difference. `base` is the inputs in the test data; `inputs` overrides some of them. `equivalent-values.ts` has the usual
 * notations of numbers, addresses, ports and lists. The id of an object inside another one, a `PartId`, can also be the whole
 * id of its resource: `fc.oneof(number(configId as number), fc.constant(`${nodebalancerId}/${configId}`))`.
 */
export type EquivalentValues = (base: Bag) => {
  inputs: Bag;
  equivalent: { [input: string]: Arbitrary<unknown> };
}[];
