import { camel, fieldsOf, metaOf } from "../../api";
import type { Kind } from "../engine/definition";
import { type Bag, pick } from "../engine/values";

/** Key of the resource's own time limits. */
export const TIMEOUTS = "__timeouts";
/** Key of the reference by which Pulumi loads this provider. */
export const PROVIDER = "__provider";
/** Key of the resource's name, which the SDK passes to `check`. It is not stored in state. */
export const NAME = "__resourceName";
/** Key that marks a generated label. A replacement with a new label can exist next to the old object. */
export const AUTONAMED = "__autonamed";
/**
 * Key of the paths of all inputs that the program declares. The paths are stored with the outputs, because Pulumi does
 * not pass the inputs to a refresh.
 */
export const DECLARED = "__stated";
/**
 * Key of the inputs that the last update did not apply. In the next diff, they differ from the object even if the
 * program is unchanged.
 */
export const UNMET = "__unmet";

/**
 * Key that marks the outputs of a failed create or update. The update that finishes it can change all values that the
 * API determines.
 */
export const UNFINISHED = "__unfinished";

/** Key of the version of the state's format. State of the first version does not contain it. */
export const VERSION = "__version";

/** The properties of this package (`__…`) that are copied from inputs to outputs. */
export const oursIn = (props: Bag): Bag =>
  Object.fromEntries([AUTONAMED, TIMEOUTS].flatMap((key) => (props[key] ? [[key, props[key]]] : [])));

/**
 * Outputs that the SDK has added to the inputs: their values contain an input that the program marks as secret, and
 * Pulumi encrypts an output only if the input of the same name is secret.
 */
export const marksIn = ({ outputs }: Kind, news: Bag): Bag => {
  const holding = Object.entries(fieldsOf(outputs)).filter(([, field]) => metaOf(field).contains);
  return pick(
    news,
    holding.map(([key]) => camel(key)).filter((name) => name in news),
  );
};

export const withoutMarks = (kind: Kind, news: Bag): Bag => {
  const marks = marksIn(kind, news);
  return Object.fromEntries(Object.entries(news).filter(([key]) => !(key in marks)));
};

/** Splits a list of paths such as `__stated`. Undefined if the value is not a text. */
export const pathsIn = (joined: unknown): string[] | undefined =>
  typeof joined === "string" ? joined.split(",").filter(Boolean) : undefined;

/** Removes the properties that only this package uses (`__…`). */
export const withoutOurs = (bag: Bag): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !key.startsWith("__")));

/** Removes `undefined` at any depth. In a response, it would make Pulumi lose the resource or hang. */
export const plain = (bag: Bag): Bag => JSON.parse(JSON.stringify(bag)) as Bag;
