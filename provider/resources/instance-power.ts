import ipaddr from "ipaddr.js";
import type { Instance } from "../../api/instances";
import type { Problem } from "../../api/problems";
import type { Host } from "../engine";
import { same } from "../engine/same";

type Api = Host["api"];
type Path = { computeId: number };

/** Whether the machine runs or is about to. */
export const powered = ({ status }: Pick<Instance, "status">): boolean =>
  ["running", "booting", "rebooting"].includes(status);

const isPrivate = (address: string): boolean => ipaddr.parse(address).range() === "private";

export const privateAddresses = ({ ipv4 }: Pick<Instance, "ipv4">): string[] => ipv4.filter(isPrivate);

export const hasPrivateAddress = (seen: Pick<Instance, "ipv4">): boolean => privateAddresses(seen).length > 0;

/** What the preview says of a change that needs the machine to be off; nothing when it is. */
export const rebootNote = (
  { status }: { status?: Instance["status"] | undefined },
  what: string,
): string | undefined => (status === "offline" ? undefined : `will shut down and boot: ${what}`);

/** Inputs whose change takes the machine down. */
const needsReboot = ["type", "root_pass", "config", "interfaces"] as const;

type Stated = { [K in (typeof needsReboot)[number] | "allow_reboot" | "booted"]?: unknown };

/** A machine that must not go down refuses, before anything is done, what would take it down. */
export function* rebootGuard(want: Stated, was: Stated): Iterable<Problem> {
  if (want.allow_reboot !== false || was.booted === false) return;
  const down = needsReboot.filter((key) => want[key] !== undefined && !same(want[key], was[key]));
  if (down.length) {
    const reason = `must be true for this change: ${down.join(" and ")} can't change without a shutdown and a boot`;
    yield { path: ["allow_reboot"], reason };
  }
}

/** Makes a change that needs the machine off, and leaves its power as it was. */
export async function withoutPower(
  { api, path, seen, settle }: { api: Api; path: Path; seen: Instance; settle(): Promise<unknown> },
  change: () => Promise<unknown>,
): Promise<void> {
  const running = powered(seen);
  if (running) {
    await api.instances.shutdown({ path });
    await settle();
  }
  await change();
  await settle();
  if (running) await api.instances.boot({ path });
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
