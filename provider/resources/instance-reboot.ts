import type { Instance } from "../../api";
import type { Host } from "../engine/host";
import type { Settings } from "../pulumi/settings";

type Of = { compute_id?: number | undefined };

/** The instance as last read. Undefined if its id is unknown or it cannot be read. */
export const readInstance = async (
  { compute_id: computeId }: Of,
  { reads }: Pick<Host, "reads">,
): Promise<Instance | undefined> =>
  typeof computeId === "number" ? reads.view("instances", { computeId }).catch(() => undefined) : undefined;

/** Name of the instance in previews. */
export async function instanceName(want: Of, host: Pick<Host, "reads">): Promise<string> {
  if (typeof want.compute_id !== "number") return "the instance";
  return (await readInstance(want, host))?.label ?? `instance ${want.compute_id}`;
}

/** The warning for a change that requires an offline instance. Undefined if the instance is offline. */
export const rebootNote = (
  { status }: { status?: Instance["status"] | undefined },
  what: string,
): string | undefined => (status === "offline" ? undefined : `will shut down and boot to change ${what}`);

/** The default of `allow_reboot`, which the stack's configuration can set. */
export const rebootDefault = ({ allow_reboot }: Settings): false | undefined =>
  allow_reboot === "forbid" ? false : undefined;
