import type { Bag, Kind } from "../resource";
import type { Host } from "./host";
import { pathOf } from "./id";
import { look, nameOf } from "./settle";

/** The name of an object in state that is not there any more; undefined while it is, or when nobody can tell. */
export async function goneName(kind: Kind, host: Host, id: string, was: Bag): Promise<string | undefined> {
  const path = pathOf(kind, id);
  const target = { kind, host, path, want: was, was, purpose: "update" as const, deadline: 0 };
  // A look that fails is no reason to fail a preview: the update looks again, and says why.
  const isThere = await look(target, false).then(Boolean, () => true);
  return isThere ? undefined : nameOf(target);
}

/** How an object of which only state knows is called in messages. */
export const nameIn = (kind: Kind, id: string, was: Bag): string => nameOf({ kind, path: pathOf(kind, id), want: was });
