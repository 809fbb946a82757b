import { z } from "zod";
import { layersOf } from "./layers";
import { metaOf } from "./meta";

type Schema = z.core.$ZodType;

const catalogues = {
  regions: "regions",
  types: "instance types",
  images: "images",
  kernels: "kernels",
  lkeVersions: "Kubernetes versions",
  objectStorageClusters: "object storage clusters",
} satisfies Record<NonNullable<z.core.GlobalMeta["catalogue"]>, string>;

/**
 * The constraints of a field as texts, such as `1 to 32 characters` or `must start with a letter`. Omits those that the
 * field's description already contains.
 */
export function allowed(schema: Schema, description = ""): string[] {
  const { inner } = layersOf(schema);
  const { catalogue } = metaOf(schema);
  const found = [...range(inner), ...messages(inner)];
  if (inner instanceof z.core.$ZodEnum) {
    const values = Object.values(inner._zod.def.entries);
    found.push(`${values.length > 1 ? "one of" : "only"} ${listed(values)}`);
  }
  if (inner instanceof z.core.$ZodLiteral) found.push(`only ${listed(inner._zod.def.values)}`);
  if (catalogue) found.push(`must be the id of one of the available ${catalogues[catalogue]}`);
  if (inner instanceof z.core.$ZodArray) {
    found.push(...allowed(inner._zod.def.element, description).map((text) => `each: ${text}`));
  }
  const described = description.toLowerCase();
  return found.filter((text) => !described.includes(text.replace(/^each: /, "").toLowerCase()));
}

function range(schema: Schema): string[] {
  const unit =
    schema instanceof z.core.$ZodString ? " characters" : schema instanceof z.core.$ZodArray ? " entries" : "";
  const { min, max } = boundsOf(schema);
  // The bounds of safe integers are omitted. They apply to every id and are not a constraint of the field itself.
  if (max === undefined || max === Number.MAX_SAFE_INTEGER)
    return min === undefined || (unit && min < 2) ? [] : [`at least ${min}${unit}`];
  if (min === undefined || min === Number.MIN_SAFE_INTEGER) return [`at most ${max}${unit}`];
  return [min === max ? `exactly ${max}${unit}` : `${min} to ${max}${unit}`];
}

/** Minimum and maximum of a number, of a string's length or of an array's number of entries. */
export function boundsOf(schema: Schema): { min?: number; max?: number } {
  const { def } = layersOf(schema).inner._zod;
  const found: { min?: number; max?: number } = {};
  for (const check of def.checks ?? []) {
    const { minimum, maximum, length, value, inclusive } = check._zod.def as {
      minimum?: number;
      maximum?: number;
      length?: number;
      value?: number;
      inclusive?: boolean;
    };
    // An exclusive bound, such as "more than 0", cannot be returned as `min` or `max`. The field's error message
    // describes it.
    if (inclusive === false) continue;
    const kind = check._zod.def.check;
    const min = minimum ?? length ?? (kind === "greater_than" ? value : undefined);
    const max = maximum ?? length ?? (kind === "less_than" ? value : undefined);
    if (min !== undefined) found.min = Math.max(min, found.min ?? min);
    if (max !== undefined) found.max = Math.min(max, found.max ?? max);
  }
  return found;
}

/** The texts of the error messages of patterns and custom checks. */
function messages({ _zod: { def } }: Schema): string[] {
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)];
  return checks.flatMap((check) => {
    const message = (check.error as z.core.$ZodErrorMap | undefined)?.({ code: "custom", input: undefined, path: [] });
    return typeof message === "string" ? [message] : message ? [message.message] : [];
  });
}

const listed = (values: readonly unknown[]): string =>
  values.map((value) => `\`${value === "" ? '""' : value}\``).join(", ");
