import { camel } from "../../api";
import type { Bag } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import type { Cloud } from "../../testing/cloud";
import type { Inputs } from "../../testing/provider";
import type { Effects, EquivalentValues, Fixture, KindTests } from "./fixture";

type Shared<F extends KindName, S extends KindName> = keyof Inputs<F> & keyof Inputs<S>;

/**
 * The test data of a first kind that also applies to a second kind over the same objects: that of the inputs which both
 * have. The `base` of the second kind must fit the edits of the first kind, and where it omits an input, its source must have
 * the value in the `base` of the first kind.
 */
export function sharedTests<F extends KindName, S extends KindName>(first: KindTests<F>, second: S) {
  const names = new Set(Object.keys(kinds[second].fields).map(camel));
  const shared = (values: object): object =>
    Object.fromEntries(Object.entries(values).filter(([input]) => names.has(input)));
  return {
    // The keys of these types are the inputs that `shared` keeps.
    effects: shared(first.effects) as Pick<Effects<F>, Shared<F, S>>,
    changes: async (cloud: Cloud) =>
      shared((await first.fixture(cloud)).changes) as Pick<Fixture<S>["changes"], Shared<F, S>>,
    equivalentValues: ((base) =>
      first.equivalentValues(base).map(({ inputs, equivalent }) => ({
        inputs: shared(inputs) as Bag,
        equivalent: shared(equivalent) as typeof equivalent,
      }))) satisfies EquivalentValues,
  };
}
