import type { z } from "zod";
import { type Instance, InstanceConfig, InstanceConfigCreate, type InstanceCreate } from "../../api";
import { ApiError } from "../client/errors";
import type { Host } from "../engine";
import { withSlots } from "./instance-devices";
import { boot, locked, powered } from "./machine";

type Api = Host["api"];
type Path = { computeId: number };

/** What an instance states of its main config; its interfaces stand beside it. */
export const MainConfig = InstanceConfig.omit({ id: true, label: true, interfaces: true })
  .extend({
    devices: InstanceConfigCreate.shape.devices,
    helpers: InstanceConfig.shape.helpers.partial().describe("Adjustments before a boot."),
  })
  .partial();

type Stated = { config?: z.output<typeof MainConfig> | undefined };

/** The config that was made first: the one that the machine boots unless somebody chose another. */
export async function mainConfig(api: Api, path: Path): Promise<InstanceConfig | undefined> {
  const configs = await Array.fromAsync(api.instanceConfigs.list.all({ path }));
  const [first] = configs.sort((a, b) => a.id - b.id);
  return first && withSlots(first);
}

interface Reconfiguration {
  host: Host;
  api: Api;
  path: Path;
  want: Pick<InstanceCreate, "label" | "interfaces"> & Stated;
  seen: Instance & { config?: InstanceConfig | undefined; stale?: boolean | undefined };
  learn(known: { stale: boolean | undefined }): void;
}

/** Changes the main config, or makes it, and boots the machine with it if it runs. */
export function reconfigure(step: Reconfiguration): Promise<void> {
  const { host, path, seen, learn } = step;
  return locked(host, path.computeId, async (now) => {
    // A reboot that failed can have left the machine off.
    const runs = powered(now) || seen.stale === true;
    // Nothing shows that a machine runs with an older version of its config: when its reboot fails, state has to say so.
    if (runs) learn({ stale: true });
    await write(step).catch((error) => {
      if (error instanceof ApiError && error.status < 500) learn({ stale: seen.stale });
      throw error;
    });
    if (!runs) return;
    await boot(host, path.computeId);
    learn({ stale: undefined });
  });
}

async function write({ api, path, want, seen }: Reconfiguration): Promise<void> {
  const body = { ...want.config, interfaces: want.interfaces };
  // Devices that others put there, such as attached volumes, stay.
  const devices = { ...seen.config?.devices, ...body.devices };
  if (seen.config) {
    const configPath = { ...path, configId: seen.config.id };
    await api.instanceConfigs.update({ path: configPath, body: { ...body, devices: body.devices && devices } });
    return;
  }
  await api.instanceConfigs.create({
    path,
    body: { ...body, devices, label: want.label ?? `instance-${path.computeId}` },
  });
}
