import { z } from "zod";
import type { NamedOperation } from "./named";
import type { Operation } from "./operation";
import { fieldsOf } from "./schema-walk";

/** A field that an object shows and its update does not set. */
export interface ReadOnly {
  path: readonly string[];
  schema: z.core.$ZodType;
  /** The update sets it, but does not take the empty text that is shown where it is not set. */
  empty?: true;
}

/** The operation that shows what an update changes, and what is read-only there. */
export interface Viewed<N> {
  view: N;
  readOnly: readonly ReadOnly[];
}

/** For each update, what GET at the same path shows of its object. */
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
