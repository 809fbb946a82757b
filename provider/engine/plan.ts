import { camel } from "../../api";
import { fieldOf, type Kind } from "./definition";
import { type Diff, diff } from "./diff";
import type { Host } from "./host";
import { displayNameOf, ownedIds, pathOf, recordParts } from "./identity";
import { requireVisible } from "./missing";
import { withoutName } from "./naming";
import { observeSurely, type Target } from "./observe";
import { foundMissing, recordPlanned } from "./planned";
import { type Change, describedChange } from "./problems";
import { withTimeLimit } from "./time-limits";
import { unsupportedWarnings } from "./unsupported";
import { type Bag, containsUnknown, pick } from "./values";

export interface Plan extends Diff {
  /** The differences as text, for display in previews and reports. */
  changes: Change[];
  warnings: string[];
}

export interface PlanOptions {
  /** Whether the object's name was generated, because the program omits it. */
  autonamed?: boolean;
  /**
   * Whether the inputs are compared during a refresh. Pulumi then only shows the differences as drift and does not
   * update, so warnings about the update are omitted.
   */
  refreshed?: boolean | undefined;
  /** Whether this command has imported the object for the resource. */
  imported?: boolean | undefined;
  /** Whether an earlier create or update of the object has failed, so that Pulumi updates it in any case. */
  isUnfinished?: boolean;
}

/**
 * Determines the changes that an update would make. Before an update in place, reads the object to detect that it no
 * longer exists and must be created again; without changes or for a replacement, state is sufficient.
 */
export function plan(
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  want: Bag,
  { autonamed = false, refreshed = false, imported = false, isUnfinished = false }: PlanOptions = {},
): Promise<Plan> {
  const path = pathOf(kind, id);
  const displayName = displayNameOf({ kind, path, want: state });
  // If this object is replaced and the response to the create request is lost, the search for the new object must not
  // find this one.
  ownedIds(kind, host).add(id);
  recordParts(kind, host, path, state, want);
  const planned = { kind, path, state, want, ...(imported && { isApplied: true }) };
  if (!refreshed) recordPlanned(host, planned);
  return withTimeLimit({ kind, host, operation: "preview", name: () => displayName }, async (host) => {
    const difference = diff(autonamed ? withoutName(kind) : kind, state, want, {
      autonamed,
      withUnsupported: refreshed,
    });
    const changes = difference.differences.map((difference) => describedChange(kind.inputs, difference));
    if (refreshed) return { ...difference, changes, warnings: [] };
    if (difference.replaces.length) recordPlanned(host, { ...planned, isReplaced: true });
    else if (difference.changed.length || isUnfinished) recordPlanned(host, { ...planned, isChanged: true });
    const target = { kind, host, path, want: state, state, purpose: "update" as const };
    // A missing object cannot be updated. The preview shows a replacement instead, so that users see that the object
    // will be created.
    foundMissing(kind, host, path, false);
    const isUpdated = (difference.steps.length > 0 || isUnfinished) && !difference.replaces.length;
    const isMissing = isUpdated && !(await exists(target));
    if (isMissing) {
      await requireVisible(target);
      foundMissing(kind, host, path, true);
      recordPlanned(host, { ...planned, isReplaced: true });
      const warnings = [
        `${displayName} no longer exists: it was deleted outside this program. It will be created again`,
      ];
      // Pulumi requires the names of the properties that cause a replacement: those that have changed, or else all
      // declared inputs.
      const replaces = difference.changed.length
        ? difference.changed
        : Object.keys(pick(want, Object.keys(kind.fields)));
      return { ...difference, changes, replaces, deleteBeforeReplace: true, warnings };
    }
    const { autoname: nameInput } = kind.identity;
    const name = nameInput ? (want[nameInput] ?? id) : `${kind.name} ${id}`;
    const warnings = await warningsOf(target, difference, want);
    return { ...difference, changes, warnings: warnings.map((warning) => `${name}: ${warning}`) };
  });
}

/**
 * Whether the object exists. If reading fails, the preview continues: the update reads the object again and reports the
 * error.
 */
const exists = (target: Target): Promise<boolean> => observeSurely(target, "recent").then(Boolean, () => true);

async function warningsOf(
  { kind, host, path, state }: Pick<Target, "kind" | "host" | "path" | "state">,
  { changed, steps, unapplied, replaces }: Diff,
  want: Bag,
): Promise<string[]> {
  const ignored = unapplied.map((key) => `${camel(key)} changed: ${fieldOf(kind, key).note}`);
  if (replaces.length) return [...ignored, ...(kind.delete?.effect ? [kind.delete.effect] : [])];
  const previews = steps.map(async (name) => {
    const { preview } = kind.steps?.[name] ?? {};
    if (!preview) return [];
    const unknown = changed
      .filter((key) => fieldOf(kind, key).change === name && containsUnknown(want[key]))
      .map(camel);
    if (unknown.length)
      return [`the effects of the change are not known yet, because they depend on ${unknown.join(" and ")}`];
    return (await preview({ want, state, host, path })) ?? [];
  });
  return [...ignored, ...unsupportedWarnings(kind, state, want), ...(await Promise.all(previews)).flat()];
}
