import { camel, fieldsOf, holdsSecret, type Problem, pathText, wireNameProblems } from "../../api";
import { printable } from "../client/printable";
import type { Kind } from "../engine/definition";
import type { Failure } from "../engine/errors";
import type { Bag } from "../engine/values";

/** The problems of a program's inputs, worded so that Pulumi does not show secrets. */
export const shownFailures = (kind: Kind, given: Bag, failures: readonly Failure[]): Failure[] =>
  [...wireNameProblems(kind.inputs, given).map(misnamed), ...failures].map((failure) => unseen(kind, failure));

const misnamed = ({ path, reason }: Problem): Failure => ({
  property: String(path[0]),
  reason: path.length > 1 ? `${pathText(path)} ${reason}` : reason,
});

/**
 * Names a secret or unknown property only in the reason of its problem, because Pulumi prints the value of the property
 * that a failure names. An unknown property could be a misspelled secret.
 */
function unseen(kind: Kind, { property, ...failure }: Failure): Failure {
  const reason = printable(failure.reason);
  const field = Object.entries(fieldsOf(kind.inputs)).find(
    ([name]) => name === property || camel(name) === property,
  )?.[1];
  if (field && !holdsSecret(field)) return { property, reason };
  return { property: "", reason: reason.startsWith(property) ? reason : `${property} ${reason}` };
}
