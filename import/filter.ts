import { didYouMean, suggestion } from "../api";
import type { FoundObject } from "../drift/unmanaged";
import { CloudInfraError } from "../provider/client/errors";
import type { KindName } from "../provider/resources";
import { areaFiles, areas, importable } from "./areas";
import { wholesIn } from "./wholes";

/** A filter that cannot be used. */
export class FilterError extends CloudInfraError {
  override readonly name = "FilterError";
}

type Matches = (object: FoundObject, value: string) => boolean;

/** The fields that a filter can compare. */
const fields: Readonly<Record<string, Matches>> = {
  kind: ({ kind }, value) => kind.name === value,
  area: ({ kind }, value) =>
    (areas[value as keyof typeof areas] as readonly KindName[]).some((name) => name === kind.name),
  label: ({ row }, value) => [row.label, row.domain, row.name].some((text) => matches(text, value)),
  region: ({ row }, value) => matches(row.region, value) || matches(row.cluster, value),
  tag: ({ row }, value) => Array.isArray(row.tags) && row.tags.some((tag) => matches(tag, value)),
};

/** In a value, `*` stands for any text. */
function matches(text: unknown, pattern: string): boolean {
  const expression = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return typeof text === "string" && new RegExp(`^${expression}$`, "is").test(text);
}

const FORMS = "kind=Volume, area=dns, label=web-*, region=us-east or tag=prod";

/**
 * Whether filters select an object: one filter of each field matches. A part is selected with the object that contains it.
 */
export function filterOf(
  filters: readonly string[],
  objects: readonly FoundObject[],
): (object: FoundObject) => boolean {
  const wholeOf = wholesIn(objects);
  const byField = Map.groupBy(filters.map(parsed), ({ field }) => field);
  return (object) => {
    const those = withWholes(object, wholeOf);
    return [...byField].every(([field, wanted]) =>
      wanted.some(({ value }) => those.some((one) => fields[field]?.(one, value) === true)),
    );
  };
}

function withWholes(object: FoundObject, wholeOf: ReturnType<typeof wholesIn>): FoundObject[] {
  const whole = wholeOf(object);
  return whole ? [object, ...withWholes(whole, wholeOf)] : [object];
}

/** Reports the first filter that cannot be used. */
export function checkFilters(filters: readonly string[]): void {
  for (const filter of filters) parsed(filter);
}

function parsed(filter: string): { field: string; value: string } {
  const [, field = "", value = ""] = /^(\w+)=(.+)$/s.exec(filter) ?? [];
  if (!field) throw new FilterError(`filter "${filter}": must look like ${FORMS}`);
  if (!Object.hasOwn(fields, field))
    throw new FilterError(
      `filter "${filter}": "${field}" is not a field${didYouMean(field, Object.keys(fields))}; use ${FORMS}`,
    );
  const choices = { kind: importable, area: areaFiles }[field] as readonly string[] | undefined;
  if (choices && !choices.includes(value))
    throw new FilterError(`filter "${filter}": there is no ${field} "${value}"${suggestion(value, [...choices])}`);
  return { field, value };
}
