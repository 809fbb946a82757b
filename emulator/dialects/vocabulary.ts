import { z } from "zod";
import { contentTypeOf, entryOf, fieldsOf, isObject, type Operation, queryOf, type Translation } from "../../api";
import type { Row } from "../core/store";
import type { Vocabulary, Written } from "../http/vocabulary";
import type { Behavior } from "./behavior";
import {
  type RecordBehavior,
  type RecordFields,
  storeNewerFields,
  withNewerFields,
  withoutNewerFields,
} from "./newer-fields";

type Schema = z.core.$ZodType;
type Values = Readonly<Record<string, unknown>>;

/** The terms of a public service. With `strict`, requests cannot have fields that came after the contract's release. */
export function vocabularyIn(translation: Translation, behavior: Behavior, strict: boolean): Vocabulary {
  const requests = new Map<Operation, RecordFields>(behavior.requests);
  const records = new Map(behavior.records.map((each) => [each.schema, each]));
  const parameters = new Map(behavior.parameters);
  return {
    path: ({ path }) => translation.path(path) as Operation["path"],
    values({ params }, values, world) {
      if (!params) return values;
      return Object.fromEntries(
        Object.entries(values).map(([name, text]) => {
          const schema = params[name];
          const own = schema ? (translation.of(schema, "from")?.(text) ?? text) : text;
          return [name, (schema && parameters.get(schema)?.(own as string, world)) ?? (own as string)];
        }),
      );
    },
    query: (operation) => widened(queryOf(operation), translation.dialect.pageSize),
    body(operation, sent, world, reasons) {
      const { body: schema, result } = operation;
      if (!schema || contentTypeOf(schema)) return { body: sent };
      const body = translation.of(schema, "from")?.(sent) ?? sent;
      const fields = requests.get(operation) ?? records.get(result)?.fields;
      if (strict || !fields || !isObject(body)) return { body };
      const { body: known, stored } = withoutNewerFields(fields, body, world, reasons);
      return { body: known, keep: (row) => storeNewerFields(fields, stored, row as Row, world) };
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
    result: writing(translation, records),
    reasons: (operation, reasons) =>
      reasons.map(({ field, reason }) => ({
        ...(field !== undefined && { field: translation.field(operation?.body, field) }),
        reason: translation.text(reason),
      })),
    scopes: translation.text,
    missing(path) {
      const own = path.replace(/^\/v4(beta)?(?=\/)/, "");
      return Object.entries(behavior.products).find(([start]) => `${own}/`.startsWith(`${start}/`))?.[1];
    },
  };
}

/** Each schema has one conversion, so that caches can use it as their key. */
function writing(translation: Translation, records: ReadonlyMap<Schema, RecordBehavior>): Vocabulary["result"] {
  const known = new WeakMap<Schema, Written | typeof NONE>();
  return (schema) => {
    const cached = known.get(schema) ?? writtenAs(schema, translation, records) ?? NONE;
    known.set(schema, cached);
    return cached === NONE ? undefined : cached;
  };
}

const NONE = Symbol("none");

function writtenAs(
  schema: Schema,
  translation: Translation,
  records: ReadonlyMap<Schema, RecordBehavior>,
): Written | undefined {
  const behavior = records.get(schema);
  const translate = translation.of(schema, "to");
  if (!behavior && !translate) return undefined;
  return {
    live: behavior?.live ?? false,
    write(fields, row, world) {
      const whole = behavior ? withNewerFields(behavior.fields, fields as Values, row as Values, world) : fields;
      return translate ? translate(whole) : whole;
    },
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
