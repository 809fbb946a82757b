import type { InstanceClone } from "../../api";
import type { Host } from "../engine/host";
import { settled } from "./machine";

type Path = { computeId: number };

/** The inputs of an instance that is created as a clone. */
interface Cloned {
  clone_from?: number | undefined;
  clone_disks?: InstanceClone["disks"];
  clone_configs?: InstanceClone["configs"];
}

/** Whether a clone gets disks or boot configs of its source. */
export async function copiesParts({ api }: Pick<Host, "api">, source: Path, want: Cloned): Promise<boolean> {
  const configs = want.clone_configs ?? (await api.instanceConfigs.list({ path: source })).data;
  return configs.length > 0 || Boolean(want.clone_disks?.length);
}

/**
 * Copies the disks and boot configs of the source again if the first copy has failed: the status of an instance does not
 * show that. Throws if the second one fails, too.
 */
export async function copyAgain(host: Host, path: Path, want: Cloned): Promise<void> {
  const { clone_from: computeId, clone_disks: disks, clone_configs: configs } = want;
  if (computeId === undefined || !(await isEmpty(host, path))) return;
  await host.api.instances.clone({ path: { computeId }, body: { compute_id: path.computeId, disks, configs } });
  if (await isEmpty(host, path))
    throw new Error(
      `Instance ${path.computeId}: the service has twice failed to copy the disks and boot configs of instance ${computeId}; run "pulumi up" again`,
    );
}

/** Whether an instance has neither disks nor boot configs after its jobs have ended. */
async function isEmpty(host: Host, path: Path): Promise<boolean> {
  await settled(host, path.computeId);
  const [disks, configs] = await Promise.all([
    host.api.instanceDisks.list({ path }),
    host.api.instanceConfigs.list({ path }),
  ]);
  return disks.data.length + configs.data.length === 0;
}
