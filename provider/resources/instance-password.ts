import type { Host } from "../engine";
import { mainConfig } from "./instance-main-config";

/**
 * How the root password is set: with several disks besides swap the service wants to be told which one holds the system, and
 * that is the root of the main config. Look before the machine is shut down for it.
 */
export async function passwordSetter({
  api,
  path,
}: {
  api: Host["api"];
  path: { computeId: number };
}): Promise<(password: string) => Promise<unknown>> {
  const disks = await Array.fromAsync(api.instanceDisks.list.all({ path }));
  const ids = disks.filter(({ filesystem }) => filesystem !== "swap").map(({ id }) => id);
  if (ids.length <= 1) return (root_pass) => api.instances.resetPassword({ path, body: { root_pass } });
  const config = await mainConfig(api, path);
  const root = Object.entries(config?.devices ?? {}).find(([name]) => config?.root_device === `/dev/${name}`);
  const diskId = root?.[1]?.disk_id;
  if (diskId == null)
    throw new Error(
      `Instance ${path.computeId} has several disks besides swap (${ids.join(", ")}), and no config says which one holds ` +
        "the system: set rootPass on the InstanceDisk that does",
    );
  return (password) => api.instanceDisks.resetPassword({ path: { ...path, diskId }, body: { password } });
}
