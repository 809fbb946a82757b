import type { ContainerOf } from "../account/containers";
import type { FoundObject } from "../account/inventory";
import { didYouMean, suggestion, wildcard } from "../api";
import { CloudInfraError } from "../provider/client/errors";
import { nameField } from "../provider/engine/definition";
import { programFiles } from "../provider/engine/inventory";
import { areaOf, importable } from "./areas";

/** Thrown for a filter that is not valid, such as `regio=us-east` with an unknown field. */
export class FilterError extends CloudInfraError {
  override readonly name = "FilterError";
}

interface Filter {
  field: string;
  value: string;
  /** Whether a text matches the filter's value, in which `*` matches any text. */
  matches(text: unknown): boolean;
}

const fields: Readonly<Record<string, (object: FoundObject, filter: Filter) => boolean>> = {
  kind: ({ kind }, { value }) => kind.name === value,
  area: ({ kind }, { value }) => areaOf(kind) === value,
  label: ({ kind, row }, { matches }) => matches(row[nameField(kind) ?? ""]),
  region: ({ row }, { matches }) => matches(row.region) || matches(row.cluster),
  tag: ({ row }, { matches }) => Array.isArray(row.tags) && row.tags.some(matches),
};

const FORMS = "kind=Volume, area=dns, label=web-*, region=us-east or tag=prod";

/**
 * Returns a function that checks whether an object matches. Filters of the same field are alternatives, and every field
 * must match. A filter that matches an object, such as a domain, also matches the objects in it, such as its records.
 */
export function filterOf(filters: readonly string[], containerOf: ContainerOf): (object: FoundObject) => boolean {
  const byField = Map.groupBy(filters.map(parsed), ({ field }) => field);
  return (object) => {
    const related = withContainers(object, containerOf);
    return [...byField].every(([field, patterns]) =>
      patterns.some((filter) => related.some((one) => fields[field]?.(one, filter) === true)),
    );
  };
}

function withContainers(object: FoundObject, containerOf: ContainerOf): FoundObject[] {
  const container = containerOf(object);
  return container ? [object, ...withContainers(container, containerOf)] : [object];
}

/** Throws an error for the first filter that is not valid. */
export function checkFilters(filters: readonly string[]): void {
  for (const filter of filters) parsed(filter);
}

function parsed(filter: string): Filter {
  const [, field = "", value = ""] = /^(\w+)=(.+)$/s.exec(filter) ?? [];
  if (!field) throw new FilterError(`filter "${filter}": must look like ${FORMS}`);
  if (!Object.hasOwn(fields, field))
    throw new FilterError(
      `filter "${filter}": "${field}" is not a field${didYouMean(field, Object.keys(fields))}; use ${FORMS}`,
    );
  const choices = { kind: importable, area: programFiles }[field] as readonly string[] | undefined;
  if (choices && !choices.includes(value))
    throw new FilterError(`filter "${filter}": there is no ${field} "${value}"${suggestion(value, [...choices])}`);
  const pattern = wildcard(value, "is");
  return { field, value, matches: (text) => typeof text === "string" && pattern.test(text) };
}
