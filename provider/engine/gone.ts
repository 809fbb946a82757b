import type { Bag, Kind } from "../resource";
import type { Host } from "./host";
import { pathOf } from "./id";
import { isGoneWithParent } from "./reads";
import { look, nameOf } from "./settle";

/** The name of an object in state that is not there any more; undefined while it is, or when nobody can tell. */
export async function goneName(kind: Kind, host: Host, id: string, was: Bag): Promise<string | undefined> {
  const path = pathOf(kind, id);
  const target = { kind, host, path, want: was, was, purpose: "update" as const, deadline: 0 };
  // A look that fails is no reason to fail a preview: the update looks again, and says why.
  const isThere = await look(target, false).then(Boolean, () => true);
  return isThere ? undefined : nameOf(target);
}

/** Says that a refresh has found an object gone, unless that goes without saying. */
export async function warnGone(kind: Kind, host: Host, id: string, was: Bag): Promise<void> {
  if (await isGoneWithParent(kind, host, pathOf(kind, id))) return;
  host.warn(`${nameIn(kind, id, was)} is gone: the next update creates it again`);
}

/** How an object of which only state knows is called in messages. */
const nameIn = (kind: Kind, id: string, was: Bag): string => nameOf({ kind, path: pathOf(kind, id), want: was, was });
