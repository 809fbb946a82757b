import { camel, fieldsOf, metaOf } from "../../api";
import type { Kind } from "../engine/definition";
import type { Uncertain } from "../engine/errors";
import { type Bag, pick } from "../engine/values";

/** Name of the property that contains a resource's `customTimeouts` option. */
export const TIMEOUTS = "__timeouts";
/** Name of the property in which Pulumi stores the code that loads this provider. */
export const PROVIDER = "__provider";
/** Name of the property with the resource's name, which the SDK passes to `check`. It is not stored in state. */
export const NAME = "__resourceName";
/**
 * Name of the property that marks a generated label. With a generated label, a replacement can be created before the
 * old object is deleted.
 */
export const AUTONAMED = "__autonamed";
/**
 * Name of the property with the paths of all inputs that the program declares. The paths are stored with the outputs,
 * because Pulumi does not pass the inputs to a refresh.
 */
export const DECLARED = "__stated";
/**
 * Name of the property with the inputs that the last update did not apply. In the next diff, they differ from the
 * object even if the program is unchanged.
 */
export const UNMET = "__unmet";

/**
 * Name of the property with the inputs that the service cannot change to their declared values, such as a volume size
 * below the current one. A refresh needs the declared values, and Pulumi does not pass the inputs to it.
 */
export const UNSUPPORTED = "__unsupported";

/**
 * Name of the property that marks the outputs of a failed create or update, until an update has finished the object. Its
 * value is `true` after a create, and after an update a list of what it and earlier failed ones may have changed
 * (`Uncertain`). A refresh keeps it, because Pulumi then forgets the failure. In the next preview, values that the update
 * which finishes the object can change are unknown.
 */
export const UNFINISHED = "__unfinished";

/** Name of the property with the version of the state's format. State of the first version does not contain it. */
export const VERSION = "__version";

/**
 * Name of the property with the account that the object belongs to, as `accountText` writes it. The native plugin
 * stores it with the provider instead of with each resource.
 */
export const ACCOUNT = "__account";

/** The properties of this package, such as `__timeouts`, that are copied from inputs to outputs. */
export const ownPropertiesIn = (props: Bag): Bag =>
  Object.fromEntries([AUTONAMED, TIMEOUTS, ACCOUNT].flatMap((key) => (props[key] ? [[key, props[key]]] : [])));

/**
 * Placeholder inputs with the names of outputs that contain a secret input. The SDK adds them, because Pulumi encrypts
 * an output only if the input of the same name is secret.
 */
export const placeholdersIn = ({ outputs }: Kind, news: Bag): Bag => {
  const containers = Object.entries(fieldsOf(outputs)).filter(([, field]) => metaOf(field).contains);
  return pick(
    news,
    containers.map(([key]) => camel(key)).filter((name) => name in news),
  );
};

export const withoutPlaceholders = (kind: Kind, news: Bag): Bag => {
  const placeholders = placeholdersIn(kind, news);
  return Object.fromEntries(Object.entries(news).filter(([key]) => !Object.hasOwn(placeholders, key)));
};

/** Splits a comma-separated list of paths, such as the value of `__stated`. Undefined if the value is not a text. */
export const pathsIn = (text: unknown): string[] | undefined =>
  typeof text === "string" ? text.split(",").filter(Boolean) : undefined;

/** The value of `__unfinished` for an object whose create or update has failed. */
export const unfinishedMark = (uncertain: Uncertain): true | readonly string[] => uncertain === "all" || uncertain;

/** The parts of inputs that a failed create or update may have changed. Undefined if the last one has finished the object. */
export function uncertainIn({ [UNFINISHED]: mark }: Bag): Uncertain | undefined {
  if (mark === undefined || mark === false || mark === null) return undefined;
  return Array.isArray(mark) ? mark.map(String) : "all";
}

/** Removes the properties that only this package uses, such as `__timeouts`. */
export const withoutOwnProperties = (bag: Bag): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !key.startsWith("__")));

/** Removes `undefined` at any depth. In a response, it would make Pulumi lose the resource or hang. */
export const withoutUndefined = (bag: Bag): Bag => JSON.parse(JSON.stringify(bag)) as Bag;
