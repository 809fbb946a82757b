import type { z } from "zod";
import { type Area, camel, fieldsOf, kebab, metaOf, namedOperations, operations } from "../../api";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import { isInPlace, operationsOf } from "../../provider/engine/operations";

const operationNames: ReadonlySet<string> = new Set(namedOperations(operations).map(({ name }) => name));

/** The API operations that a text mentions in backticks, such as `volumes.resize`. */
export const operationsIn = (text: string): string[] =>
  [...text.matchAll(/`(\w+\.\w+)`/g)].map(([, name = ""]) => name).filter((name) => operationNames.has(name));

/** The API's update operation for a resource class, such as `volumes.update`, and the fields that its body accepts. */
function updateOf({ identity: { area } }: Kind): { name: string; takes: ReadonlySet<string> } | undefined {
  const { update }: Area = operations[area as keyof typeof operations];
  return update && { name: `${area}.update`, takes: new Set(update.body && Object.keys(fieldsOf(update.body))) };
}

const fieldIn = (kind: Kind, key: string) => metaOf(fieldsOf(kind.inputs)[key] as z.core.$ZodType);

/** The inputs that a program can declare. */
export const declarableInputs = (kind: Kind): string[] =>
  Object.keys(kind.fields).filter((key) => !fieldIn(kind, key).computed);

/**
 * The input that defines what a change of the given input does. The provider detects the change of a file by its hash,
 * which is a hidden input.
 */
export const actingInputOf = (kind: Kind, key: string): string => fieldIn(kind, key).hashedIn ?? key;

/** Whether changing the input replaces the object, always or only under a condition. */
export function canReplace(kind: Kind, key: string): boolean {
  const { change, replaceUnless } = fieldOf(kind, actingInputOf(kind, key));
  return change === "replace" || replaceUnless !== undefined;
}

/** The events of operations that shut an instance down or boot it. */
const powerEvents: ReadonlySet<string> = new Set([
  "compute_boot",
  "compute_reboot",
  "compute_shutdown",
  "compute_resize",
  "compute_migrate",
]);

/** Whether an update after a change of the input can shut down or boot an instance. */
export const boots = (kind: Kind, key: string): boolean =>
  namedOperations(operations).some(
    ({ name, operation: { event } }) =>
      operationsOf(kind, key).includes(name) && event !== undefined && powerEvents.has(event),
  );

/**
 * Errors in the definition of a resource class: inputs for which the docs cannot say what a change does, and inputs
 * with unnecessary information about that, for example an API operation that is the default anyway.
 */
export const unexplained = (name: string, kind: Kind): string[] =>
  Object.keys(kind.fields).flatMap((key) =>
    problemsOf(kind, key).map((problem) => `${name}.${camel(key)} ${problem} in provider/resources/${kebab(name)}.ts`),
  );

function problemsOf(kind: Kind, key: string): string[] {
  const { change, by, note } = fieldOf(kind, key);
  const update = updateOf(kind);
  const takes = update?.takes.has(key) ?? false;
  if (change === "writeOnly" && !note) return ["is write-only: its field needs a `note` for the preview"];
  if (!isInPlace(kind, key)) {
    if (by) return ["does not change in place: remove `by` from its field"];
    return takes && !note
      ? [`is in the body of ${update?.name}: change it in a step, or say in \`note\` of its field why none does`]
      : [];
  }
  if (!by && !takes && !note) {
    const missing = update
      ? `${update.name} does not take it by this name`
      : `${kind.identity.area} has no update operation`;
    return [`changes in place, but ${missing}: name the operations that change it in \`by\` of its field`];
  }
  const isSingleOperation = takes && by?.length === 1 && by[0] === update?.name;
  return isSingleOperation
    ? [`is in the body of ${update?.name}, which is the default: remove \`by\` from its field`]
    : [];
}
