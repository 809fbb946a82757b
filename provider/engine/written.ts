import type { z } from "zod";
import { isObject, type Part, partsOf, valueTypeOf } from "../../api";
import { covers, stated } from "./canonical";
import { overlaid } from "./stated";

type Means = (seen: unknown, wanted: unknown) => boolean;

/**
 * What is seen of an input as the program would write it: what means the same stays as it was written there, down to the
 * entries of lists and maps, so that a refresh shows no other change than the real one.
 */
export function asWritten(
  schema: z.core.$ZodType,
  seen: unknown,
  wanted: unknown,
  means: Means = (a, b) => covers(schema, a, b),
): unknown {
  if (means(seen, wanted)) return overlaid(schema, seen, wanted);
  if (Array.isArray(seen) && Array.isArray(wanted)) return listAsWritten(schema, seen, wanted, means);
  if (!isObject(seen) || !isObject(wanted)) return seen;
  const parts = partsOf(schema, seen).filter(({ key }) => wanted[key] !== undefined);
  const written = parts.map(({ key, ...part }) =>
    valueTypeOf(schema)
      ? [key, entryAsWritten(part, wanted[key], (a, b) => means({ [key]: a }, { [key]: b }))]
      : [key, asWritten(part.schema, part.value, wanted[key])],
  );
  return { ...seen, ...Object.fromEntries(written) };
}

/** An entry shows only the fields that the program sets, as it does in a list or map without a change. */
const entryAsWritten = ({ schema, value }: Omit<Part, "key">, wanted: unknown, means: Means): unknown =>
  asWritten(schema, stated(schema, value, wanted), wanted, means);

function listAsWritten(schema: z.core.$ZodType, seen: unknown[], wanted: unknown[], means: Means): unknown[] {
  const isSame: Means = (a, b) => means([a], [b]);
  const hasNoOrder = seen.length > 1 && means(seen, seen.toReversed());
  if (hasNoOrder)
    return [
      ...wanted.filter((one) => seen.some((item) => isSame(item, one))),
      ...seen.filter((item) => !wanted.some((one) => isSame(item, one))),
    ];
  return partsOf(schema, seen).map((part, i) => {
    const one =
      wanted.find((each) => isSame(part.value, each)) ?? (seen.length === wanted.length ? wanted[i] : undefined);
    return one === undefined ? part.value : entryAsWritten(part, one, isSame);
  });
}
