import { z } from "zod";
import { fieldsOf, metaOf, type Operation, operations, pathNames } from "../../api";
import { canonicalInput } from "./canonical";
import type { Host } from "./host";
import type { Bag, Kind } from "./resource";

interface Calls {
  list: { all(input: { path?: Bag }, options: { filter?: Bag }): AsyncIterable<Bag> };
  delete(input: { path: Bag }): Promise<unknown>;
}

/** The calls of a kind's area: every collection has the same ones, which no type can say for an area not yet known. */
const callsOf = (kind: Kind, host: Host): Calls => host.api[kind.area as keyof Host["api"]] as unknown as Calls;

const areaOf = (kind: Kind): Partial<Record<string, Operation>> => operations[kind.area as keyof typeof operations];

/** The parts of a kind's id in their order, each with its schema. */
export function placeOf({ kind, place, area }: Kind): Record<string, z.core.$ZodType> {
  if (place) return fieldsOf(place);
  const { view } = operations[area as keyof typeof operations] as Record<string, Operation>;
  if (!view) throw new TypeError(`${kind}: ${String(area)} has no view, so the kind needs a place`);
  return Object.fromEntries(pathNames(view.path).map((name) => [name, view.params?.[name] ?? z.int().min(1)]));
}

/** The fields that the service shows of an object. */
export const recordOf = (kind: Kind): Record<string, z.core.$ZodType> =>
  fieldsOf(areaOf(kind).view?.result ?? kind.outputs);

/**
 * The objects under the given parents; the service does the looking where it can filter by a given field, and keeps the
 * field as it is written: a filter compares letter by letter.
 */
export function list(kind: Kind, host: Host, parents: Bag, like: Bag): AsyncIterable<Bag> {
  const fields = recordOf(kind);
  const filter = Object.fromEntries(
    Object.entries(like).filter(
      ([key, value]) =>
        fields[key] && metaOf(fields[key]).filterable && typeof value === "string" && isKept(kind, key, value),
    ),
  );
  return callsOf(kind, host).list.all(
    Object.keys(parents).length ? { path: parents } : {},
    Object.keys(filter).length ? { filter } : {},
  );
}

const isKept = (kind: Kind, key: string, value: string): boolean =>
  !kind.compare?.[key] && canonicalInput(kind, key, value, {}) === value;

export const deleteAt = (kind: Kind, host: Host, path: Bag): Promise<unknown> => callsOf(kind, host).delete({ path });
