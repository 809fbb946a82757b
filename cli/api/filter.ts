import { entryOf, filterableFields, type Operation, suggestion } from "../../api";
import type { Filter } from "../../provider/client/request";
import { UsageError } from "../../stack/errors";
import { InvalidValueError, parseValues } from "./values";

/**
 * The operators of conditions on the command line, and their names in the API. Longer operators come first, because the
 * first match applies.
 */
const comparisons: readonly (readonly [sign: string, operator: string])[] = [
  ["!=", "+neq"],
  [">=", "+gte"],
  ["<=", "+lte"],
  ["=", "+eq"],
  ["~", "+contains"],
  [">", "+gt"],
  ["<", "+lt"],
];

interface FilterOptions {
  filter?: readonly string[] | undefined;
  orderBy?: string | undefined;
  desc?: boolean | undefined;
}

/** Builds the filter of a list from `--filter`, `--order-by` and `--desc`. All conditions must hold. */
export function filterOf(operation: Operation, { filter = [], orderBy, desc }: FilterOptions): Filter | undefined {
  const entry = entryOf(operation);
  if (!entry) return undefined;
  const fields = filterableFields(entry);
  const conditions = filter.map((text) => (text.trimStart().startsWith("{") ? json(text) : condition(text, fields)));
  if (orderBy !== undefined && orderBy !== "id" && !fields.has(orderBy))
    throw new UsageError(
      `--order-by ${orderBy}: is not a sortable field${suggestion(orderBy, ["id", ...fields.keys()])}`,
    );
  // The service requires a field to sort by, so `--desc` alone sorts by id, which every list supports.
  const order = { ...((orderBy || desc) && { "+order_by": orderBy || "id" }), ...(desc && { "+order": "desc" }) };
  if (!conditions.length) return orderBy || desc ? order : undefined;
  return { ...(conditions.length === 1 ? conditions[0] : { "+and": conditions }), ...order };
}

function condition(text: string, fields: ReturnType<typeof filterableFields>): Filter {
  const usageError = (reason: string) => new UsageError(`--filter ${text}: ${reason}`);
  const field = /^[\w.]+/.exec(text)?.[0] ?? "";
  const rest = text.slice(field.length);
  const [sign, operator] = comparisons.find(([sign]) => rest.startsWith(sign)) ?? [];
  if (!sign || !operator) throw usageError("must have the form label=web, size>20, label~web or tags!=old");
  const compared = fields.get(field);
  if (!compared) {
    const fieldNames = [...fields.keys()];
    throw usageError(
      fieldNames.length
        ? `"${field}" is not a filterable field${suggestion(field, fieldNames)}`
        : "this list cannot be filtered",
    );
  }
  const operand = rest.slice(sign.length);
  try {
    const value =
      operator === "+contains" ? operand : parseValues({ schema: compared.value, repeats: false }, [operand]);
    return { [field]: operator === "+eq" ? value : { [operator]: value } };
  } catch (error) {
    throw error instanceof InvalidValueError ? usageError(`${field} ${error.message}`) : error;
  }
}

function json(text: string): Filter {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `--filter ${text}: must be JSON in the syntax of the X-Filter header, such as {"label": "web"}`,
    );
  }
}
