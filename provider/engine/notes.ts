import { camel } from "../../api";
import type { Diff } from "./diff";
import type { Host } from "./host";
import type { Bag, Kind } from "./resource";
import { holdsUnknown } from "./unknown";

/** What the preview says beside the changes: what does not happen, and what comes with those that do. */
export async function notesOf(kind: Kind, host: Host, found: Diff, was: Bag, want: Bag): Promise<string[]> {
  const kept = keptNotes(kind, found.kept);
  return found.replaces.length ? kept : [...kept, ...(await announcements(kind, host, found, was, want))];
}

function keptNotes(kind: Kind, changed: string[]): string[] {
  return changed.flatMap((key) => {
    const change = kind.changes[key];
    return typeof change === "object" ? [`${camel(key)} changed: ${change.kept}`] : [];
  });
}

async function announcements(kind: Kind, host: Host, { changed, steps }: Diff, was: Bag, want: Bag): Promise<string[]> {
  const announced = steps.filter((name) => kind.steps[name]?.announce);
  if (!announced.length) return [];
  const about = (await kind.about?.(want, host)) ?? "";
  const notes = announced.map(async (name) => {
    const unknown = changed.filter((key) => kind.changes[key] === name && holdsUnknown(want[key])).map(camel);
    if (unknown.length)
      return [`${unknown.join(" and ")} not known yet: only the update can tell what the change takes`];
    return (await kind.steps[name]?.announce?.(want, was, about, host)) ?? [];
  });
  return (await Promise.all(notes)).flat();
}
