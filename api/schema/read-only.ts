import { z } from "zod";
import type { NamedOperation } from "./named";
import type { Operation } from "./operation";
import { fieldsOf } from "./schema-walk";

/** A field that objects have but updates cannot set or, if `empty` is true, cannot set to an empty string. */
export interface ReadOnly {
  path: readonly string[];
  schema: z.core.$ZodType;
  /**
   * True if updates can set the field, but not to an empty string. While the field is unset, responses contain an empty
   * string, so an update may contain it as well; it then counts as omitted.
   */
  empty?: true;
}

/**
 * For an update: the GET operation that returns the same object (`view`), and the object's fields that the update
 * cannot set.
 */
export interface Viewed<N> {
  view: N;
  readOnly: readonly ReadOnly[];
}

/** Finds, for each update, the GET operation with the same path. */
export function viewsOf<N extends Pick<NamedOperation, "operation">>(all: readonly N[]): Map<Operation, Viewed<N>> {
  const views = new Map(all.map((one) => [`${one.operation.method} ${one.operation.path}`, one]));
  return new Map(
    all.flatMap(({ operation }): [Operation, Viewed<N>][] => {
      const view = operation.method === "PUT" ? views.get(`GET ${operation.path}`) : undefined;
      if (!view || !operation.body) return [];
      return [[operation, { view, readOnly: [...readOnlyIn(operation.body, view.operation.result)] }]];
    }),
  );
}

function* readOnlyIn(
  body: z.core.$ZodType,
  result: z.core.$ZodType,
  prefix: readonly string[] = [],
): Iterable<ReadOnly> {
  const settable = new Map(Object.entries(fieldsOf(body)));
  for (const [name, schema] of Object.entries(fieldsOf(result))) {
    const path = [...prefix, name];
    const own = settable.get(name);
    if (own) yield* readOnlyIn(own, schema, path);
    if (!own) yield { path, schema };
    else if (z.safeParse(schema, "").success && !z.safeParse(own, "").success) yield { path, schema, empty: true };
  }
}
