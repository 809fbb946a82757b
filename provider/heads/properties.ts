import { camel, fieldsOf, fromWire, toWire } from "../../api";
import type { Kind } from "../engine/definition";
import { withoutName } from "../engine/identity";
import { migrated } from "../engine/observe";
import type { Bag } from "../engine/values";
import { AUTONAMED, VERSION, withoutOurs } from "./own-properties";
import { stateSchema } from "./state";

/** Properties of a resource with the API's names, as the engine uses them. */
export const toEngine = (kind: Kind, props: Bag): Bag => toWire(stateSchema(kind), withoutOurs(props)) as Bag;

/** Properties from the engine with the names in programs. */
export const fromEngine = (kind: Kind, bag: Bag): Bag => fromWire(stateSchema(kind), bag) as Bag;

/** The name of an input or output in programs. */
export const propertyName = (kind: Kind, key: string): string =>
  key in fieldsOf(stateSchema(kind)) ? camel(key) : key;

/** The outputs in a stack's state, converted to the current format. */
export const stateIn = (kind: Kind, props: Bag): Bag =>
  migrated(kind, toEngine(kind, props), Number(props[VERSION] ?? 0));

/** The kind for these inputs: the current value of an automatic name does not count as a difference. */
export const kindFor = (kind: Kind, inputs: Bag): Kind => (inputs[AUTONAMED] ? withoutName(kind) : kind);
