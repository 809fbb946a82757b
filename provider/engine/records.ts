import type { z } from "zod";
import { fieldsOf, metaOf } from "../../api";
import { callNamed } from "../client/operation-calls";
import { canonicalInput } from "./comparison";
import { fieldOf, type Kind } from "./definition";
import type { Host } from "./host";
import { idParts, viewOf } from "./identity";
import type { Bag } from "./values";

export const deleteAt = ({ identity: { area } }: Kind, host: Host, path: Bag): Promise<unknown> =>
  callNamed(host.api, area, "delete")({ path });

/** The fields of an object as the API returns it, without the fields that the resource definition adds. */
export function recordFields({ identity: { area }, outputs }: Kind): Record<string, z.core.$ZodType> {
  return fieldsOf(viewOf(area)?.result ?? outputs);
}

/**
 * Lists the objects with the given parents. The request filters by those inputs in `inputs` that are filterable, except
 * inputs with several equivalent notations, because a filter would find only one of them.
 */
export function list(kind: Kind, host: Host, parents: Bag, inputs: Bag): AsyncIterable<Bag> {
  const fields = recordFields(kind);
  const isComparable = (key: string, value: unknown): boolean =>
    !fieldOf(kind, key).canonical && canonicalInput(kind, key, value, {}) === value;
  const filter = Object.fromEntries(
    Object.entries(inputs).filter(
      ([key, value]) =>
        fields[key] && metaOf(fields[key]).filterable && typeof value === "string" && isComparable(key, value),
    ),
  );
  return callNamed(host.api, kind.identity.area, "list").all(
    Object.keys(parents).length ? { path: parents } : {},
    Object.keys(filter).length ? { filter } : {},
  );
}

/** The path parameters of an object in a list: its parents and its own id. */
export function recordPath(kind: Kind, parents: Bag, record: Bag): Bag {
  if (kind.identity.listed) return kind.identity.listed(record);
  const last = Object.keys(idParts(kind)).at(-1) as string;
  return { ...parents, [last]: record[last] ?? record.id };
}
