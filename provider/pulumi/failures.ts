import { camel, fieldsOf, HIDDEN, holdsSecret, wireNameProblems } from "../../api";
import { printable } from "../client/printable";
import type { Kind } from "../engine/definition";
import { type Failure, withValue } from "../engine/problems";
import type { Bag } from "../engine/values";
import { propertyPath, quotedPath } from "./property-path";
import { mapSelected, type Selection, selectedAt } from "./selection";

/** A problem of a program's inputs, as Pulumi's protocol describes it. */
export interface ShownFailure {
  /** Path of the property as Pulumi writes it, such as `rules.inbound[1].action`. */
  property: string;
  reason: string;
}

/**
 * The problems of a program's inputs, written so that Pulumi does not show secrets. `secrets` are the inputs that the
 * program marks as secret.
 */
export function shownFailures(
  kind: Kind,
  inputs: Bag,
  failures: readonly Failure[],
  secrets: Selection = {},
): ShownFailure[] {
  const ofNames: Failure[] = wireNameProblems(kind.inputs, inputs);
  return [...ofNames, ...failures].map(({ path, reason, value }) => {
    const isSecret = selectedAt(secrets, path);
    return {
      property: shownPath(kind, inputs, path, isSecret),
      reason: printable(
        withoutSecretTexts(withValue(reason, isSecret && value !== undefined ? HIDDEN : value), inputs, secrets),
      ),
    };
  });
}

/** Shorter texts are parts of many words. */
const SHORTEST_SECRET = 4;

/** A message without the texts that the program marks as secret, such as the path of a file that does not exist. */
export function withoutSecretTexts(message: string, inputs: Bag, secrets: Selection): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string" && value.length >= SHORTEST_SECRET) texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  mapSelected(inputs, secrets, collect);
  // A longer secret can contain a shorter one.
  texts.sort((one, other) => other.length - one.length);
  const written = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  return written.reduce((hidden, text) => hidden.replaceAll(text, HIDDEN), message);
}

/**
 * The path of a property. If the path is the name of an input, Pulumi prints the value of that input, and it does not
 * recognize a quoted name. The name is quoted if the value is or could be a secret, as that of a misspelled property,
 * or if it is a list or an object, of which Pulumi would print all parts.
 */
function shownPath(kind: Kind, inputs: Bag, path: Failure["path"], isSecret: boolean): string {
  const [name, ...rest] = path;
  if (typeof name !== "string" || rest.length) return propertyPath(path);
  const fields = Object.entries(fieldsOf(kind.inputs));
  const field = fields.find(([key]) => key === name || camel(key) === name)?.[1];
  const isPublic = !isSecret && (field ? !holdsSecret(field) : !holdsSecret(kind.inputs));
  const value = inputs[name] ?? undefined;
  return value === undefined || (isPublic && typeof value !== "object") ? propertyPath(path) : quotedPath(name);
}
