import { camel, fieldsOf, holdsSecret, wireNameProblems } from "../../api";
import { printable } from "../client/printable";
import type { Kind } from "../engine/definition";
import type { Failure } from "../engine/problems";
import type { Bag } from "../engine/values";
import { propertyPath, quoted } from "./property-path";

/** A problem of a program's inputs, as Pulumi's protocol describes it. */
export interface ShownFailure {
  /** Path of the property as Pulumi writes it, such as `rules.inbound[1].action`. */
  property: string;
  reason: string;
}

/** The problems of a program's inputs, written so that Pulumi does not show secrets. */
export const shownFailures = (kind: Kind, inputs: Bag, failures: readonly Failure[]): ShownFailure[] =>
  [...wireNameProblems(kind.inputs, inputs), ...failures].map(({ path, reason }) => ({
    property: shownPath(kind, inputs, path),
    reason: printable(reason),
  }));

/**
 * The path of a property. If the path is the name of an input, Pulumi prints the value of that input, and it does not
 * recognize a quoted name. The name is quoted if the value is or could be a secret, as that of a misspelled property,
 * or if it is a list or an object, of which Pulumi would print all parts.
 */
function shownPath(kind: Kind, inputs: Bag, path: Failure["path"]): string {
  const [name, ...rest] = path;
  if (typeof name !== "string" || rest.length) return propertyPath(path);
  const fields = Object.entries(fieldsOf(kind.inputs));
  const field = fields.find(([key]) => key === name || camel(key) === name)?.[1];
  const isPublic = field ? !holdsSecret(field) : !holdsSecret(kind.inputs);
  const value = inputs[name] ?? undefined;
  return value === undefined || (isPublic && typeof value !== "object") ? propertyPath(path) : quoted(name);
}
