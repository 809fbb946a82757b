import type { Instance, Problem } from "../../api";
import type { Observed } from "../engine/contexts";
import type { Host } from "../engine/host";
import { plannedOf } from "../engine/planned";
import { isUnknown } from "../engine/values";
import { rejectFailed } from "./action";
import { rebootNote } from "./instance-reboot";
import { attachedVolumes, namesOf, withoutVolumes } from "./instance-volumes";
import { locked, settled } from "./machine";

interface Move {
  from: string;
  to: string;
}

/** The move of an instance to another region in this update, as a migration or a replacement. */
function moveOf(host: Host, computeId: number): Move | undefined {
  const { state, want } = plannedOf(host, "instances", computeId) ?? {};
  const [from, to] = [state?.region, want?.region];
  return typeof from === "string" && typeof to === "string" && !isUnknown(to) && from !== to ? { from, to } : undefined;
}

/** The problem of a volume that stays attached to an instance that moves to another region in the same update. */
export function* remainsInRegion(
  host: Host,
  { compute_id: to }: { compute_id?: number | null | undefined },
  { compute_id: from }: { compute_id?: number | null | undefined },
  advice: (region: string) => string,
): Iterable<Problem> {
  const move = typeof to === "number" && to === from ? moveOf(host, to) : undefined;
  if (!move) return;
  yield {
    path: ["compute_id"],
    reason:
      `must be an instance in ${move.from}, the region of the volume: instance ${to} moves to ${move.to} in this ` +
      `update, and volumes cannot change regions. ${advice(move.to)}`,
  };
}

/**
 * The problem of a volume that moves to an instance in another region. It is found before the volume is detached,
 * because the service would then reject the attach request, and the volume would stay detached.
 */
export async function* movesInRegion(
  host: Host,
  { compute_id: to }: { compute_id?: number | null | undefined },
  { compute_id: from }: { compute_id?: number | null | undefined },
  regionOfVolume: (from: number) => Promise<string | undefined>,
  advice: (region: string) => string,
): AsyncIterable<Problem> {
  if (typeof to !== "number" || typeof from !== "number" || to === from) return;
  const [region, instance] = await Promise.all([regionOfVolume(from), host.reads.view("instances", { computeId: to })]);
  const next = moveOf(host, to)?.to ?? instance?.region;
  if (!region || !next || next === region) return;
  yield {
    path: ["compute_id"],
    reason:
      `must be an instance in ${region}, the region of the volume: instance ${to} is in ${next}, and ` +
      `volumes cannot change regions. ${advice(next)}`,
  };
}

interface Migration {
  host: Host;
  path: { computeId: number };
  want: { region?: string | undefined };
}

/** The side effects of a migration to another region, for the preview. */
export async function migrationNote({
  host,
  path,
  want,
  state,
}: Migration & { state: Observed<Pick<Instance, "region" | "status">> }): Promise<string> {
  const volumes = await attachedVolumes(host, path).catch(() => []);
  return [
    rebootNote(state, `its region from ${state.region} to ${want.region}`),
    "its addresses change and its backups are deleted",
    ...(volumes.length ? [`${namesOf(volumes)} will be detached, because volumes stay in their region`] : []),
  ]
    .filter(Boolean)
    .join("; ");
}

/**
 * Migrates the instance to another region. Volumes are detached first: those that the program still declares have been
 * rejected by its check, and Pulumi deletes the others only after this update.
 */
export const migrate = ({ host, path, want: { region = "" } }: Migration): Promise<void> =>
  locked(host, path.computeId, async () => {
    await withoutVolumes(host, path, "keep it in its region", async () => {
      await host.api.instances.migrate({ path, body: { region } });
      const { region: now } = await settled(host, path.computeId);
      if (now !== region) await rejectFailed(host, path.computeId, "migrated", "compute_migrate_datacenter");
    });
  });
