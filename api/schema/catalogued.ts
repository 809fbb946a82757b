import type { z } from "zod";
import type { Catalogue } from "./common";
import { metaOf } from "./meta";
import type { Problem } from "./problems";
import { partsOf } from "./schema-walk";

export interface Catalogued {
  path: Problem["path"];
  catalogue: Catalogue;
  id: string;
}

/** Yields every value that is an id from one of the service's lists, such as the id of a region, at any depth. */
export function* catalogued(schema: z.core.$ZodType, value: unknown, path: Problem["path"]): Iterable<Catalogued> {
  const { catalogue } = metaOf(schema);
  if (catalogue && typeof value === "string") yield { path, catalogue, id: value };
  for (const part of partsOf(schema, value)) yield* catalogued(part.schema, part.value, [...path, part.key]);
}
