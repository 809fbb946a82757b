import { z } from "zod";
import { pathNames } from "../../api/operation";
import type { Bag, Kind } from "../resource";
import { viewOf } from "./collection";

/** A resource's id: the parameters of its path, parents first, joined by slashes. */
export const idOf = (kind: Kind, path: Bag): string =>
  pathNames(viewOf(kind).path)
    .map((name) => path[name])
    .join("/");

/** The path parameters in an id; the last may hold slashes itself. */
export function pathOf(kind: Kind, id: string): Bag {
  const view = viewOf(kind);
  const names = pathNames(view.path);
  const parts = id.split("/");
  const values = [...parts.slice(0, names.length - 1), parts.slice(names.length - 1).join("/")];
  const read = names.map((name, i) => {
    const schema = view.params?.[name];
    const value = values[i] ?? "";
    const parsed = z.safeParse(schema ?? z.int().min(1), schema ? value : Number(value));
    if (!parsed.success) throw new Error(`${kind.kind}: "${id}" is no id; it must be ${names.join("/")}`);
    return [name, parsed.data] as const;
  });
  return Object.fromEntries(read);
}

/** The inputs that the id itself tells: those that name the parents. */
export const parentsIn = (kind: Kind, path: Bag): Bag =>
  Object.fromEntries(Object.entries(kind.parent ?? {}).map(([input, name]) => [input, path[name as string]]));
