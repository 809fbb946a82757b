import type { z } from "zod";
import type { InstanceConfig } from "../../api";
import { isInDoubt } from "../client/errors";
import type { Host } from "../engine/host";
import { plugged, withSlots } from "./instance-devices";
import type { inputs } from "./instance-inputs";
import { boot, locked, rejection } from "./machine";
import { powered } from "./machine-status";
import { lockDevices } from "./object-locks";

type Api = Host["api"];
type Path = { computeId: number };

/**
 * The main boot config of an instance is its oldest one. The instance boots it unless a user has selected another one.
 */
export async function mainConfig(api: Api, path: Path): Promise<InstanceConfig | undefined> {
  const configs = await Array.fromAsync(api.instanceConfigs.list.all({ path }));
  const [first] = configs.sort((a, b) => a.id - b.id);
  return first && withSlots(first);
}

interface Reconfiguration {
  host: Host;
  api: Api;
  path: Path;
  want: z.output<typeof inputs>;
  changed: Partial<z.output<typeof inputs>>;
  observed: { config?: InstanceConfig | undefined; stale?: boolean | undefined };
  setState(values: { stale: boolean | undefined }): void;
}

/** Updates the main boot config, or creates it. A running instance is rebooted. */
export function reconfigure(step: Reconfiguration): Promise<void> {
  const { host, path, want, observed, setState } = step;
  return locked(host, path.computeId, async (now) => {
    // A failed reboot can leave an instance offline. `stale` in state shows that, so that this update boots the
    // instance again.
    const runs = powered(now) || observed.stale === true;
    // The check of `allowReboot` compares inputs, which do not show that a reboot is pending.
    if (observed.stale && powered(now) && want.allow_reboot === false)
      throw new Error(rejection(path.computeId, "its changed config takes effect"));
    // Stores in state that a reboot is pending, because the API does not return whether an instance runs with an older
    // version of its boot config.
    if (runs) setState({ stale: true });
    await writeChanged(step).catch((error) => {
      if (!isInDoubt(error)) setState({ stale: observed.stale });
      throw error;
    });
    if (!runs) return;
    await boot(host, path.computeId);
    setState({ stale: undefined });
  });
}

/** Writes nothing if only a reboot is pending. */
const writeChanged = async (step: Reconfiguration): Promise<void> => {
  const { config, interfaces } = step.changed;
  if (config !== undefined || interfaces !== undefined) await write(step);
};

const write = ({ host, api, path, want, changed, observed }: Reconfiguration): Promise<unknown> =>
  lockDevices(host, [path.computeId], async () => {
    const { config, interfaces } = observed.config ? changed : want;
    const body = { ...config, interfaces };
    if (!observed.config) {
      const label = want.label ?? `instance-${path.computeId}`;
      return api.instanceConfigs.create({ path, body: { ...body, devices: body.devices ?? {}, label } });
    }
    const configPath = { ...path, configId: observed.config.id };
    // Device slots that the program does not declare are unchanged, because attached volumes may be in these slots.
    const devices = body.devices && plugged(await api.instanceConfigs.view({ path: configPath }), body.devices);
    return api.instanceConfigs.update({ path: configPath, body: { ...body, devices } });
  });
