import { type Area, namedOperations, type Operation, operations } from "../../api";
import { fieldOf, type Kind } from "./definition";

const all = namedOperations(operations);

const byName: ReadonlyMap<string, Operation> = new Map(all.map(({ name, operation }) => [name, operation]));

/** Whether an operation, such as `volumes.update`, can change something. */
export const isWrite = (name: string): boolean => byName.get(name)?.method !== "GET";

const areaOf = ({ identity: { area } }: Kind): Area => operations[area as keyof typeof operations];

export const isInPlace = (kind: Kind, key: string): boolean => fieldOf(kind, key).change in (kind.steps ?? {});

/** The API operations that update an object in place if this input changes. */
export function operationsOf(kind: Kind, key: string): readonly string[] {
  const { by } = fieldOf(kind, key);
  return by ?? (isInPlace(kind, key) && areaOf(kind).update ? [`${String(kind.identity.area)}.update`] : []);
}

/**
 * The scopes without which a token cannot manage a kind: those that all reads of its API area require, those that all
 * writes of the area require, and those of the operations that change the given inputs. A kind that also calls other
 * operations can need more. A token that suffices never lacks one of these.
 */
export function scopesOf(kind: Kind, inputs: readonly string[]): string[] {
  const ofArea = Object.values(areaOf(kind));
  const changes = inputs.flatMap((input) => operationsOf(kind, input));
  return [
    ...new Set([
      ...commonScopes(ofArea.filter(({ method }) => method === "GET")),
      ...commonScopes(ofArea.filter(({ method }) => method !== "GET")),
      ...all.filter(({ name }) => changes.includes(name)).flatMap(({ operation }) => operation.scopes),
    ]),
  ].sort();
}

function commonScopes([first, ...rest]: readonly Operation[]): string[] {
  return (first?.scopes ?? []).filter((scope) => rest.every(({ scopes }) => scopes.includes(scope)));
}
