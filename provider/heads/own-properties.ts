import { camel, fieldsOf, metaOf } from "../../api";
import type { Kind } from "../engine/definition";
import { type Bag, pick } from "../engine/values";

/** The resource's own time limits. */
export const TIMEOUTS = "__timeouts";
/** The line that leads the launcher to this code. */
export const PROVIDER = "__provider";
/** The resource's own name, which the SDK hands to check; it never gets into state. */
export const NAME = "__resourceName";
/** Whether the label was generated: then a replacement can exist next to the old object. */
export const AUTONAMED = "__autonamed";
/** Where the program declares something: a refresh gets to see only outputs. */
export const DECLARED = "__stated";
/** Which inputs the outputs do not agree with: they still differ although the program has not changed. */
export const UNMET = "__unmet";

/** The version of the form of state. State of the first version has none. */
export const VERSION = "__version";

/** The properties of the head's own that go from inputs to outputs. */
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

/** The paths in a list such as `__stated`; undefined where there is no list. */
export const pathsIn = (joined: unknown): string[] | undefined =>
  typeof joined === "string" ? joined.split(",").filter(Boolean) : undefined;

/** A bag of the program's own properties. */
export const withoutOurs = (bag: Bag): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !key.startsWith("__")));

/** An `undefined` anywhere in a response loses the resource or hangs the engine. */
export const plain = (bag: Bag): Bag => JSON.parse(JSON.stringify(bag)) as Bag;
