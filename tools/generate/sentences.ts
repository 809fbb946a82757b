import { z } from "zod";
import type { Catalogue } from "../../api/common";
import { metaOf } from "../../api/meta";
import { isReference, layersOf } from "./shape";

type Schema = z.core.$ZodType;

const catalogues: Record<Catalogue, string> = {
  regions: "regions",
  types: "instance types",
  images: "images",
  kernels: "kernels",
  lkeVersions: "Kubernetes versions",
};

/** What is allowed in a field, as the contract checks it: `1 to 32 characters`, `must start with a letter`; not what `said` says. */
export function limits(schema: Schema, said: string): string[] {
  const { inner } = layersOf(schema);
  const { catalogue } = metaOf(schema);
  const told = [...range(inner), ...messages(inner)];
  if (inner instanceof z.core.$ZodEnum) told.push(`one of ${oneOf(Object.values(inner._zod.def.entries))}`);
  if (inner instanceof z.core.$ZodLiteral) told.push(`only ${oneOf(inner._zod.def.values)}`);
  if (isReference(inner)) told.push("a number, or the `id` of a resource");
  if (catalogue) told.push(`must be one of the service's ${catalogues[catalogue]}`);
  if (inner instanceof z.core.$ZodArray) {
    const each = limits(inner._zod.def.element, said).join(", ");
    if (each) told.push(`each: ${each}`);
  }
  return told.filter((text) => !said.includes(text));
}

function range(schema: Schema): string[] {
  const unit =
    schema instanceof z.core.$ZodString ? " characters" : schema instanceof z.core.$ZodArray ? " entries" : "";
  const { least, most } = bounds(schema);
  if (isReference(schema)) return [];
  if (most === undefined) return least === undefined || (unit && least < 2) ? [] : [`at least ${least}${unit}`];
  if (least === undefined) return [`at most ${most}${unit}`];
  return [least === most ? `exactly ${most}${unit}` : `${least} to ${most}${unit}`];
}

function bounds({ _zod: { def } }: Schema): { least?: number; most?: number } {
  const found: { least?: number; most?: number } = {};
  for (const check of def.checks ?? []) {
    const { minimum, maximum, length, value } = check._zod.def as {
      minimum?: number;
      maximum?: number;
      length?: number;
      value?: number;
    };
    const kind = check._zod.def.check;
    const least = minimum ?? length ?? (kind === "greater_than" ? value : undefined);
    const most = maximum ?? length ?? (kind === "less_than" ? value : undefined);
    if (least !== undefined) found.least = Math.max(least, found.least ?? least);
    if (most !== undefined) found.most = Math.min(most, found.most ?? most);
  }
  return found;
}

/** The contract's own words for what a pattern or a function checks. */
function messages({ _zod: { def } }: Schema): string[] {
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)];
  return checks.flatMap((check) => {
    const said = (check.error as z.core.$ZodErrorMap | undefined)?.({ code: "custom", input: undefined, path: [] });
    return typeof said === "string" ? [said] : said ? [said.message] : [];
  });
}

const oneOf = (values: readonly unknown[]): string =>
  values.map((value) => `\`${value === "" ? '""' : value}\``).join(", ");

/** Begins with a capital, ends with a period. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** `LkeNodePool` as a word in a sentence: `LKE node pool`. */
export const wordsOf = (kind: string): string =>
  kind
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .replace(/^lke\b/, "LKE");
