import { type Area, camel, fieldsOf, kebab, namedOperations, operations } from "../../api";
import type { Kind } from "../../provider/engine/resource";

const operationNames: ReadonlySet<string> = new Set(namedOperations(operations).map(({ name }) => name));

/** The operations that a text names, `volumes.resize` in backticks. */
export const operationsIn = (text: string): string[] =>
  [...text.matchAll(/`(\w+\.\w+)`/g)].map(([, name = ""]) => name).filter((name) => operationNames.has(name));

/** The operation that changes what its body names, of the area that a kind manages. */
export function updateOf(kind: Kind): { name: string; takes: ReadonlySet<string> } | undefined {
  const { update }: Area = operations[kind.area as keyof typeof operations];
  return (
    update && { name: `${String(kind.area)}.update`, takes: new Set(update.body && Object.keys(fieldsOf(update.body))) }
  );
}

/** Whether a step changes the input. */
export const isInPlace = ({ changes, steps }: Kind, key: string): boolean => String(changes[key]) in steps;

/** Whether a change of the input replaces the object, be it only under a condition. */
export const canReplace = ({ changes, replaces = {} }: Kind, key: string): boolean =>
  changes[key] === "replace" || key in replaces;

/** Whether a change of the input means something else than the update operation suggests. */
const deviates = (kind: Kind, key: string): boolean =>
  isInPlace(kind, key) !== (updateOf(kind)?.takes.has(key) ?? false);

/** What the author of a kind has still to say about its changes, or no longer. */
export function unexplained(name: string, kind: Kind): string[] {
  const { exceptions = {}, changes, area } = kind;
  const where = `\`exceptions\` in provider/resources/${kebab(name)}.ts`;
  const update = updateOf(kind)?.name;
  const lacks = update ? `${update} does not take it` : `${String(area)} has no update operation`;
  return Object.keys(changes).flatMap((key) => {
    const input = `${name}.${camel(key)}`;
    const reason = exceptions[key];
    if (!deviates(kind, key)) {
      const more = changes[key] === "local" || operationsIn(reason ?? "").some((operation) => operation !== update);
      return reason && !more ? [`${input} is no exception: take its line out of ${where}`] : [];
    }
    if (reason) return [];
    return isInPlace(kind, key)
      ? [
          `${input} changes in place, but ${lacks}: say in ${where} what does it, as in ${key}: "\`volumes.resize\` grows it"`,
        ]
      : [`${input} is in the body of ${update}: let a step change it, or say in ${where} why none does`];
  });
}
