import { kinds } from "./kinds";

export type KindName = keyof typeof kinds;

/** The part of a resource that policies read: of a declared one before an update, and of one in the stack after it. */
export interface Resource {
  type: string;
  name: string;
  props: Readonly<Record<string, unknown>>;
}

const kindsByType = new Map<string, KindName>(
  Object.entries(kinds).flatMap(([kind, { types }]) => types.map((type) => [type, kind as KindName] as const)),
);

/** The kind of a resource type, native or dynamic. Undefined for resources of other packages. */
export const kindOf = (type: string): KindName | undefined => kindsByType.get(type);

/** The kinds that have an input with this name. */
export const kindsWith = (input: string): KindName[] =>
  Object.entries<{ inputs: readonly string[] }>(kinds).flatMap(([kind, { inputs }]) =>
    inputs.includes(input) ? [kind as KindName] : [],
  );

/** A resource in messages, such as `Firewall "web"`. */
export const nameOf = ({ type, name }: Pick<Resource, "type" | "name">): string => `${kindOf(type) ?? type} "${name}"`;

/** The entries of a list property, and an empty list if the property is not set. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields of a nested object, and no fields if it is not set. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  // The cast only names the fields' types: any object has fields of unknown types.
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** A list of values in messages, such as `"private", "custom"`. */
export const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(", ");
