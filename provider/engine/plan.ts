import { withoutName } from "./autoname";
import { type Diff, diff } from "./diff";
import type { Host } from "./host";
import { pathOf } from "./id";
import { notesOf } from "./notes";
import { operate } from "./operation";
import { isGoneWithParent } from "./reads";
import type { Bag, Kind } from "./resource";
import { look, nameOf } from "./settle";

export interface Plan extends Diff {
  /** What a preview says in addition to the changes. */
  notes: string[];
}

interface PlanOptions {
  /** The name is ours rather than the program's. */
  autonamed?: boolean;
  /** A refresh asks what an update would do, to show the opposite: nothing is going to happen. */
  refreshed?: boolean;
}

/** What an update would do to the object as it is. Only a missing object costs a look, and only if there is something to do. */
export function plan(
  kind: Kind,
  host: Host,
  id: string,
  was: Bag,
  want: Bag,
  { autonamed = false, refreshed = false }: PlanOptions = {},
): Promise<Plan> {
  const path = pathOf(kind, id);
  const called = nameOf({ kind, path, want: was, was });
  return operate({ kind, host, operation: "preview", name: () => called }, async (host) => {
    const found = diff(autonamed ? withoutName(kind) : kind, was, want, { autonamed });
    if (refreshed) return { ...found, notes: [] };
    // What is gone can't be changed; only a replacement is a creation that the preview shows.
    const isGone = found.steps.length > 0 && !found.replaces.length && !(await isThere(kind, host, path, was));
    if (isGone) {
      const notes = [`${called} is gone: it was deleted outside this program; it will be created again`];
      return { ...found, replaces: reasons(kind, found, want), deleteBeforeReplace: true, notes };
    }
    const name = kind.autoname ? (want[kind.autoname] ?? id) : `${kind.kind} ${id}`;
    const notes = await notesOf(kind, host, found, was, want);
    return { ...found, notes: notes.map((note) => `${name}: ${note}`) };
  });
}

/** A look that fails is no reason to fail a preview: the update looks again, and says why. */
const isThere = (kind: Kind, host: Host, path: Bag, was: Bag): Promise<boolean> =>
  look({ kind, host, path, want: was, was, purpose: "update" }, "young").then(Boolean, () => true);

/** The inputs that a missing object is created again for: those that changed, else all that are declared, since none of them holds. */
const reasons = (kind: Kind, { changed }: Diff, want: Bag): string[] =>
  changed.length ? changed : Object.keys(kind.changes).filter((key) => want[key] !== undefined);

/** Says that a refresh has found an object gone, unless that goes without saying. */
export async function warnGone(kind: Kind, host: Host, id: string, was: Bag): Promise<void> {
  const path = pathOf(kind, id);
  if (await isGoneWithParent(kind, host, path)) return;
  host.warn(`${nameOf({ kind, path, want: was, was })} is gone: the next update creates it again`);
}
