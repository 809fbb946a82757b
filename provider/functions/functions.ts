import { z } from "zod";
import {
  camel,
  contentTypeOf,
  entryOf,
  fieldsOf,
  Id,
  metaOf,
  type NamedOperation,
  namedOperations,
  type Operation,
  objectUrlRules,
  operations,
  pathNames,
  type Rule,
} from "../../api";
import { aboutParameter } from "../client/flat-input";
import type { Bag } from "../engine/values";
import { LkeAccess, parseKubeconfig } from "../resources/lke-access";
import { type FilterField, filterFields } from "./filter";
import { functionName, isListed } from "./names";

type Schema = z.core.$ZodType;

/** A function that programs call to read from the API, such as `getVolume`. It calls one operation of the API. */
export interface ReadFunction extends Pick<NamedOperation, "area" | "key" | "operation"> {
  name: string;
  /** The inputs under the API's names. {@link filters} describes the input `filter`. */
  inputs: z.ZodObject;
  rules: readonly Rule<Bag>[];
  /** The result under the API's names. */
  result: Schema;
  /** Name of the property in the result that contains the entries of a list. */
  items?: string;
  /** The fields by which a list can be filtered. */
  filters: ReadonlyMap<string, FilterField>;
  /** The fields by which a list can be sorted. */
  sortFields: readonly string[];
  /** Converts the response to the result of the function. Omitted if the function returns the response unchanged. */
  convert?(response: Bag): Promise<Bag>;
  /** How to find the object by name instead of id: the list operation, and the field that contains the name. */
  lookup?: { list: string; by: string; id: string };
}

/** Operations that do not use the method GET but do not change anything in the account either. */
const readers: ReadonlySet<string> = new Set(["objectStorageObjects.createUrl"]);

/** Rules that involve several inputs of a function. */
const rules: Readonly<Record<string, readonly Rule<never>[]>> = { "objectStorageObjects.createUrl": objectUrlRules };

/** Conversions of responses, for functions that do not return the response unchanged. */
const partialReads: Readonly<Record<string, { result: Schema; convert(response: Bag): Promise<Bag> }>> = {
  "lkeClusters.viewKubeconfig": {
    result: LkeAccess,
    convert: async ({ kubeconfig }) => ({ ...(await parseKubeconfig(String(kubeconfig))) }),
  },
};

/** Fields that contain a unique name and by which the service can filter. */
const NAMES = ["label", "domain"];

/** Paging parameters. Functions do not have them, because they return complete lists. */
const PAGING: ReadonlySet<string> = new Set(["page", "page_size"]);

export const isReading = ({ name, operation }: Pick<NamedOperation, "name" | "operation">): boolean =>
  operation.method === "GET" || readers.has(name);

function functionOf({ name: of, area, key, operation }: NamedOperation): ReadFunction {
  const name = functionName(area, key, operation);
  const entry = elementOf(operation);
  const items = entry && name.charAt(4).toLowerCase() + name.slice(5);
  const filters = entry ? filterFields(entry) : new Map<string, FilterField>();
  const sortFields = [...new Set([...(entry && "id" in fieldsOf(entry) ? ["id"] : []), ...filters.keys()])];
  const lookup = key === "view" ? lookupOf(area, operation) : undefined;
  return {
    name,
    area,
    key,
    operation,
    inputs: z.strictObject({ ...inputsOf(operation, lookup), ...filterInputs(filters, sortFields) }),
    rules: (rules[of] ?? []) as readonly Rule<Bag>[],
    result: partialReads[of]?.result ?? resultSchema(operation.result, entry, items),
    filters,
    sortFields,
    ...(items ? { items } : {}),
    ...(lookup ? { lookup } : {}),
    ...(partialReads[of] ? { convert: partialReads[of].convert } : {}),
  };
}

/** The schema of one entry of a list, with numbered pages or with markers. Undefined for other operations. */
const elementOf = (operation: Operation): Schema | undefined =>
  entryOf(operation) ??
  (isListed(operation) ? (fieldsOf(operation.result).data as z.core.$ZodArray)._zod.def.element : undefined);

/**
 * How to find an object by name. Undefined unless the list returns all fields of the object and can be filtered by the
 * name.
 */
function lookupOf(area: string, view: Operation): ReadFunction["lookup"] {
  const { list } = operations[area as keyof typeof operations] as { list?: Operation };
  const entry = list && entryOf(list);
  const by = entry === view.result && NAMES.find((field) => fieldsOf(entry)[field] && filterFields(entry).has(field));
  return by ? { list: "list", by, id: pathNames(view.path).at(-1) as string } : undefined;
}

function inputsOf(
  { path, params = {}, query, body }: Operation,
  lookup: ReadFunction["lookup"],
): Record<string, Schema> {
  const fromPath = pathNames(path).map((name) => [name, parameter(name, params[name], lookup)] as const);
  const fromQuery = Object.entries(query ? fieldsOf(query) : {}).filter(([name]) => !PAGING.has(name));
  const either = lookup ? [[lookup.by, nameInput(lookup)] as const] : [];
  return Object.fromEntries([...fromPath, ...either, ...fromQuery, ...Object.entries(body ? fieldsOf(body) : {})]);
}

function parameter(name: string, schema: Schema = Id, lookup: ReadFunction["lookup"]): Schema {
  const { description = "" } = metaOf(schema);
  const text = description || aboutParameter(name);
  const zodSchema = schema as z.ZodType;
  if (lookup?.id !== name) return zodSchema.describe(text);
  return zodSchema.optional().describe(`${text} Required unless \`${camel(lookup.by)}\` is set.`);
}

const nameInput = ({ by, id }: NonNullable<ReadFunction["lookup"]>): Schema =>
  z.string().min(1).optional().describe(`The ${by} of the object. Required unless \`${id}\` is set.`);

const filterInputs = (
  filters: ReadonlyMap<string, FilterField>,
  sortFields: readonly string[],
): Record<string, Schema> =>
  filters.size
    ? {
        filter: z
          .unknown()
          .optional()
          .describe(`Filter by ${[...filters.keys()].map((name) => `\`${name}\``).join(", ")}.`),
        order_by: z
          .enum(sortFields as [string, ...string[]])
          .optional()
          .describe(`Field to sort the entries by.${sortFields.includes("id") ? " Defaults to the id." : ""}`),
        descending: z
          .boolean()
          .optional()
          .describe(
            `Whether to sort in descending order.${sortFields.includes("id") ? "" : " Requires `orderBy`, because the entries have no id."}`,
          ),
      }
    : {};

/**
 * The schema of a function's result. A list becomes an object with the list in one property, and bytes become an object
 * with Base64 text. Other results are unchanged.
 */
function resultSchema(result: Schema, entry: Schema | undefined, items = ""): Schema {
  if (entry) return z.strictObject({ [items]: z.array(entry).describe("The entries of all pages.") });
  const type = contentTypeOf(result);
  if (!type) return result;
  return z.strictObject({
    content_base64: z.string().describe("Content of the response, Base64-encoded."),
    content_type: z.literal(type).describe("Media type of the content."),
  });
}

/** Every function, in the order of the API's operations. */
export const functions: readonly ReadFunction[] = namedOperations(operations).filter(isReading).map(functionOf);

const byName = new Map(functions.map((fn) => [fn.name, fn]));

export function functionNamed(name: string): ReadFunction {
  const fn = byName.get(name);
  if (!fn) throw new Error(`unknown function ${name}`);
  return fn;
}
