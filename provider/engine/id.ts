import { z } from "zod";
import { placeOf } from "./collection";
import type { Bag, Kind } from "./resource";

/** A resource's id: the parameters of its path, parents first, joined by slashes. */
export const idOf = (kind: Kind, path: Bag): string =>
  Object.keys(placeOf(kind))
    .map((name) => path[name])
    .join("/");

/** How an id is written, e.g. `{domainId}/{recordId}`. */
export const idForm = (kind: Kind): string =>
  Object.keys(placeOf(kind))
    .map((name) => `{${name}}`)
    .join("/");

/** How an id looks, where its form alone would leave that open: `domainId/recordId, such as 12/345`. */
function exampleOf(kind: Kind): string {
  const form = idForm(kind).replaceAll(/[{}]/g, "");
  const isNumeric = Object.values(placeOf(kind)).every((schema) => schema instanceof z.core.$ZodNumber);
  const numbers = [12, 345, 6789].slice(0, form.split("/").length);
  return isNumeric ? `${form}, such as ${numbers.join("/")}` : form;
}

/** The path parameters in an id; the last may hold slashes itself. */
export function pathOf(kind: Kind, id: string): Bag {
  const place = Object.entries(placeOf(kind));
  const parts = id.split("/");
  const values = [...parts.slice(0, place.length - 1), parts.slice(place.length - 1).join("/")];
  const read = place.map(([name, schema], i) => {
    const value = values[i] ?? "";
    const isNumber = schema instanceof z.core.$ZodNumber;
    const parsed = z.safeParse(schema, isNumber && /^\d+$/.test(value) ? Number(value) : value);
    if (!parsed.success)
      throw new Error(`${kind.kind}: "${id}" is not a valid id; it must look like ${exampleOf(kind)}`);
    return [name, parsed.data] as const;
  });
  return Object.fromEntries(read);
}

/** The inputs that the id itself tells: those that name the parents. */
export const parentsIn = (kind: Kind, path: Bag): Bag =>
  Object.fromEntries(Object.entries(kind.parent ?? {}).map(([input, name]) => [input, path[name as string]]));
