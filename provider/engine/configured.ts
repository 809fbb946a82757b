import { fieldsOf } from "../../api";
import { canonicalInput } from "./canonical";
import type { Host } from "./host";
import type { Bag, Kind } from "./resource";
import { holdsUnknown } from "./unknown";

/** The program's inputs with what the stack's configuration adds: defaults of the kind, and tags beside the stated ones. */
export function configured(kind: Kind, { settings }: Pick<Host, "settings">, given: Bag): Bag {
  const defaults = Object.entries(kind.defaults?.(settings, given) ?? {}).filter(([key]) => given[key] === undefined);
  return withTags(kind, settings.default_tags ?? [], { ...given, ...Object.fromEntries(defaults) });
}

function withTags(kind: Kind, tags: readonly string[], given: Bag): Bag {
  if (!tags.length || !("tags" in fieldsOf(kind.inputs))) return given;
  const own = given.tags ?? [];
  // A list that is not known yet, or is none, is judged as it is.
  if (!Array.isArray(own) || holdsUnknown(own)) return given;
  const has = new Set(own.map((tag) => String(canonicalInput(kind, "tags", [tag], {}))));
  const added = tags.filter((tag) => !has.has(String(canonicalInput(kind, "tags", [tag], {}))));
  return { ...given, tags: [...own, ...added] };
}
