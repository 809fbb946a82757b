import type { Host } from "../engine/host";
import { mainConfig } from "./instance-main-config";

/**
 * Returns a function that sets the root password. Call this before the instance is shut down, because it throws if the
 * root disk is unknown: for an instance with several disks in addition to swap, the service requires the disk's id,
 * which is read from the main boot config.
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
      `Instance ${path.computeId} has several disks in addition to swap (${ids.join(", ")}), and its main config does not name the root disk: set rootPass on the InstanceDisk instead`,
    );
  return (password) => api.instanceDisks.resetPassword({ path: { ...path, diskId }, body: { password } });
}
