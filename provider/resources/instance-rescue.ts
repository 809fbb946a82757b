import { z } from "zod";
import { RescueDevices, type Rule, rescueRules as rulesOfRescue, within } from "../../api";
import type { Host } from "../engine";
import { boot, locked, powered, settled } from "./machine";

export type Rescue = z.output<typeof Rescue>;
export const Rescue = z
  .strictObject({
    devices: RescueDevices.optional().describe("Disks and volumes to plug in; a slot that is not named stays empty."),
  })
  .nullable();

/** The devices of a rescue follow the rules of every boot; a machine that is to be off can't be in the rescue system. */
export const rescueRules: Rule<{ rescue?: Rescue | undefined; booted?: boolean | undefined }>[] = [
  ...within("rescue", rulesOfRescue),
  {
    reads: ["rescue", "booted"],
    *check({ rescue, booted }) {
      if (rescue && booted === false)
        yield {
          field: "rescue",
          reason: "must be absent or null while booted is false: the rescue system is a boot of its own",
        };
    },
    source: "part 1 · Endpoints · Compute instances · rule 10",
  },
];

/** Boots the rescue system, or the machine's own again if it runs. */
export const rescueOrBack = (host: Host, computeId: number, rescue: Rescue | undefined): Promise<void> =>
  locked(host, computeId, async (seen, machine) => {
    if (rescue) await host.api.instances.rescue({ path: { computeId }, body: rescue });
    else if (powered(seen)) await boot(host, computeId);
    machine.owed = false;
    await settled(host, computeId);
  });
