import { camel, fieldsOf, metaOf } from "../../api";
import type { Kind } from "../engine/definition";
import { type Bag, pick } from "../engine/values";

/** The resource's own time limits. */
export const TIMEOUTS = "__timeouts";
/** The reference with which the launcher finds this code. */
export const PROVIDER = "__provider";
/** The resource's own name, which the SDK passes to check. It is never stored in state. */
export const NAME = "__resourceName";
/** Whether the label was generated: then a replacement can exist next to the old object. */
export const AUTONAMED = "__autonamed";
/** The paths that the program declares, because a refresh receives only outputs. */
export const DECLARED = "__stated";
/** The inputs that the outputs do not match: they still differ although the program has not changed. */
export const UNMET = "__unmet";

/** Marks the outputs of a failed create or update: the one that completes it can change all that the API determines. */
export const UNFINISHED = "__unfinished";

/** Version of the state format. State of the first version does not have it. */
export const VERSION = "__version";

/** The provider's own properties that are copied from inputs to outputs. */
export const oursIn = (props: Bag): Bag =>
  Object.fromEntries([AUTONAMED, TIMEOUTS].flatMap((key) => (props[key] ? [[key, props[key]]] : [])));

/** Outputs that the SDK has marked as secret because they contain a secret input. They stay among the inputs. */
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

/** The paths in a list such as `__stated`; undefined if it is not a list. */
export const pathsIn = (joined: unknown): string[] | undefined =>
  typeof joined === "string" ? joined.split(",").filter(Boolean) : undefined;

/** A bag without the provider's own properties (`__…`). */
export const withoutOurs = (bag: Bag): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !key.startsWith("__")));

/** Removes `undefined`, because it would lose the resource or hang the engine, wherever it is in a response. */
export const plain = (bag: Bag): Bag => JSON.parse(JSON.stringify(bag)) as Bag;
