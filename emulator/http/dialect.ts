import { z } from "zod";
import {
  contentTypeOf,
  type DialectName,
  entryOf,
  fieldsOf,
  type Operation,
  queryOf,
  type Translation,
  translationOf,
} from "../../api";
import type { Reason } from "../core/error-response";
import { type Behavior, behaviors } from "./dialect-behavior";

type Schema = z.core.$ZodType;

/** Converts the fields of a record, which are in the contract, to those that are written. */
export type Written = (fields: unknown, record: unknown) => unknown;

/** The names and limits with which the emulator's HTTP interface differs from the contract. */
export interface Vocabulary {
  /** Path of an operation, with its parameters. */
  path(operation: Operation): Operation["path"];
  /** Values of path parameters. */
  values(operation: Operation, values: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Schema of the query parameters. */
  query(operation: Operation): Schema;
  /** A request body, in the contract's names. */
  body(operation: Operation, body: unknown): unknown;
  /** The header `X-Filter`, in the contract's names. */
  filter(operation: Operation, header: string | undefined): string | undefined;
  /** The conversion of a record or of an entry of a list before it is written. */
  result(schema: Schema): Written | undefined;
  /** The errors of a response. */
  reasons(operation: Operation | undefined, reasons: readonly Reason[]): readonly Reason[];
  /** A list of scopes, in a header. */
  scopes(list: string): string;
}

/** The contract's own names. */
const contract: Vocabulary = {
  path: ({ path }) => path,
  values: (_, values) => values,
  query: queryOf,
  body: (_, body) => body,
  filter: (_, header) => header,
  result: () => undefined,
  reasons: (_, reasons) => reasons,
  scopes: (list) => list,
};

/** Each dialect has one object, so that caches can use it as their key. */
export function vocabularyOf(dialect: DialectName | undefined): Vocabulary {
  if (dialect === undefined) return contract;
  const known = vocabularies.get(dialect) ?? vocabularyIn(translationOf(dialect), behaviors[dialect]);
  vocabularies.set(dialect, known);
  return known;
}
const vocabularies = new Map<DialectName, Vocabulary>();

const vocabularyIn = (translation: Translation, behavior: Behavior): Vocabulary => ({
  path: ({ path }) => translation.path(path) as Operation["path"],
  values({ params }, values) {
    if (!params) return values;
    return Object.fromEntries(
      Object.entries(values).map(([name, text]) => {
        const each = params[name] && translation.of(params[name], "from");
        return [name, each ? (each(text) as string) : text];
      }),
    );
  },
  query: (operation) => widened(queryOf(operation), translation.dialect.pageSize),
  body({ body: schema }, body) {
    if (!schema || contentTypeOf(schema)) return body;
    return translation.of(schema, "from")?.(body) ?? body;
  },
  filter(operation, header) {
    const entry = header === undefined ? undefined : entryOf(operation);
    if (!entry || header === undefined) return header;
    try {
      return JSON.stringify(translation.filter(entry, "from")(JSON.parse(header)));
    } catch {
      return header;
    }
  },
  result: writing(translation, new Map(behavior)),
  reasons: (operation, reasons) =>
    reasons.map(({ field, reason }) => ({
      ...(field !== undefined && { field: translation.field(operation?.body, field) }),
      reason: translation.text(reason),
    })),
  scopes: translation.text,
});

/** Each schema has one function, so that caches can use it as their key. */
function writing(translation: Translation, behavior: ReadonlyMap<Schema, Behavior[number][1]>): Vocabulary["result"] {
  const known = new WeakMap<Schema, Written>();
  return (schema) => {
    const differences = behavior.get(schema);
    const translate = translation.of(schema, "to");
    if (!differences) return translate;
    const written: Written = (fields, record) => {
      const own = fields as Record<string, unknown>;
      const returned = { ...own, ...differences(own, record as Record<string, unknown>) };
      return translate ? translate(returned) : returned;
    };
    const cached = known.get(schema) ?? written;
    known.set(schema, cached);
    return cached;
  };
}

/** Query parameters in which the largest page has another size. */
function widened(query: Schema, maximum: number): Schema {
  if (!(query instanceof z.ZodObject) || !fieldsOf(query).page_size) return query;
  const known = wide.get(query) ?? query.extend({ page_size: z.int().min(25).max(maximum).default(100) });
  wide.set(query, known);
  return known;
}
const wide = new WeakMap<Schema, Schema>();
