import type { Selection } from "../../provider/pulumi/selection";
import { type PackageSchema, type Properties, type PropertySpec, typeAt } from "./model";
import { isObject } from "./typescript";

/**
 * The paths of ids in outputs. Pulumi's engine passes ids as strings, which the SDK converts to numbers at these paths.
 */
export function idsIn(schema: PackageSchema, properties: Properties): Readonly<Record<string, Selection>> {
  const found = Object.entries(properties).map(([key, spec]) => [key, partsOf(schema, spec)] as const);
  return Object.fromEntries(found.flatMap(([key, parts]) => (parts ? [[key, parts]] : [])));
}

function partsOf(schema: PackageSchema, { language, ...spec }: PropertySpec): Selection | undefined {
  const named = typeAt(schema, spec);
  if (isObject(named)) return nonEmpty(idsIn(schema, named.properties));
  // For a union, merges the ids of all variants. This is safe, because a property that several variants have is an id
  // in all of them.
  if (spec.oneOf) return nonEmpty(Object.assign({}, ...spec.oneOf.map((part) => partsOf(schema, part))));
  const each = spec.items ?? spec.additionalProperties;
  if (!each) return language?.nodejs?.numbers === "id" ? true : undefined;
  const parts = partsOf(schema, { ...each, ...(language && { language }) });
  return parts && { "*": parts };
}

const nonEmpty = (parts: Exclude<Selection, true>): Selection | undefined =>
  Object.keys(parts).length ? parts : undefined;
