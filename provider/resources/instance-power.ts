import { camel, type Instance, type Problem } from "../../api";
import type { Host } from "../engine";
import { same } from "../engine/same";
import type { Settings } from "../heads/settings";

type Api = Host["api"];
type Path = { computeId: number };

type Of = { compute_id?: number | undefined };

/** The instance as it was last read. Undefined if its id is unknown or it cannot be read. */
export const seenOf = async (
  { compute_id: computeId }: Of,
  { reads }: Pick<Host, "reads">,
): Promise<Instance | undefined> =>
  typeof computeId === "number" ? reads.view("instances", { computeId }).catch(() => undefined) : undefined;

/** How an instance is called in an announcement. */
export async function instanceName(want: Of, host: Pick<Host, "reads">): Promise<string> {
  if (typeof want.compute_id !== "number") return "the instance";
  return (await seenOf(want, host))?.label ?? `instance ${want.compute_id}`;
}

/** What the preview says of a change that needs the machine to be off; nothing when it is. */
export const rebootNote = (
  { status }: { status?: Instance["status"] | undefined },
  what: string,
): string | undefined => (status === "offline" ? undefined : `will shut down and boot: ${what}`);

/** The default of `allow_reboot`, from the stack's configuration. */
export const rebootDefault = ({ allow_reboot }: Settings): false | undefined =>
  allow_reboot === "forbid" ? false : undefined;

/** What the stack says of `allow_reboot` where the program says nothing. */
export const unlessForbidden = ({ allow_reboot }: Settings): { allow_reboot?: boolean } =>
  allow_reboot === "forbid" ? { allow_reboot: false } : {};

/** Inputs whose change takes the machine down. */
const needsReboot = ["type", "root_pass", "config", "interfaces", "region", "rescue"] as const;

type Stated = { [K in (typeof needsReboot)[number] | "allow_reboot" | "booted"]?: unknown };

/** A machine that must not go down refuses, before anything is done, what would take it down. */
export function* rebootGuard(want: Stated, was: Stated): Iterable<Problem> {
  if (want.allow_reboot !== false || was.booted === false) return;
  const down = needsReboot.filter((key) => want[key] !== undefined && !same(want[key], was[key]));
  if (down.length) {
    const reason = `must be true for this change: ${down.map(camel).join(" and ")} can't change without a shutdown and a boot`;
    yield { path: ["allow_reboot"], reason };
  }
}

/** Refuses, before anything is done, a type that is too small for disks that are to stay as they are. */
export async function refuseOverfullDisks(
  api: Api,
  path: Path,
  want: { type: string; resize_disks: boolean },
): Promise<void> {
  if (want.resize_disks) return;
  const [{ disk }, disks] = await Promise.all([
    api.types.view({ path: { typeId: want.type } }),
    Array.fromAsync(api.instanceDisks.list.all({ path })),
  ]);
  const used = disks.reduce((sum, { size }) => sum + size, 0);
  if (used <= disk) return;
  throw new Error(
    `Instance ${path.computeId}: its disks take ${used} MB and ${want.type} has ${disk} MB: ` +
      "shrink or delete disks first, or set resizeDisks to true",
  );
}
