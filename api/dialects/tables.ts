import type { Dialect } from "./dialect";
import { linode } from "./linode";

export const dialects = { linode } satisfies Record<string, Dialect>;

/** The contract's id of an image or a kernel for an id that a dialect may have. */
export function ownId(id: string): string {
  for (const { ids } of Object.values(dialects))
    for (const [own, external] of Object.entries(ids))
      if (id.startsWith(external)) return own + id.slice(external.length);
  return id;
}
