import type { InstanceClone } from "../../api";
import { isNotFound } from "../client/errors";
import type { Host } from "../engine/host";
import { settled } from "./machine";

type Path = { computeId: number };

/** The inputs of an instance that is created as a clone. */
interface Cloned {
  clone_from?: number | undefined;
  clone_disks?: InstanceClone["disks"];
  clone_configs?: InstanceClone["configs"];
}

/**
 * Copies the disks and boot configs of the source again if the first copy has failed: the status of an instance does not
 * show that. Throws if the second one fails, too. `cloned` are the inputs of the create request.
 */
export async function copyAgain(host: Host, path: Path, cloned: Cloned): Promise<void> {
  if (!(await isEmpty(host, path)) || !(await copiesParts(host, cloned))) return;
  const { clone_from: computeId, clone_disks: disks, clone_configs: configs } = cloned;
  const problem = `Instance ${path.computeId}: the service has failed to copy the disks and boot configs of its source`;
  const advice = 'add disks, or replace the instance: run "pulumi up --target-replace" with its URN';
  if (computeId === undefined) throw new Error(`${problem}, which is not known any more; ${advice}`);
  const body = { compute_id: path.computeId, disks, configs };
  if (!(await host.api.instances.clone({ path: { computeId }, body }).catch(ifMissing)))
    throw new Error(`${problem}, instance ${computeId}, which does not exist any more; ${advice}`);
  if (await isEmpty(host, path)) throw new Error(`${problem}, instance ${computeId}, twice; run "pulumi up" again`);
}

/** Whether a clone gets disks or boot configs of its source. The clone request reports a source that does not exist. */
export async function copiesParts({ api }: Pick<Host, "api">, cloned: Cloned): Promise<boolean> {
  const { clone_from: computeId, clone_disks: disks, clone_configs: configs } = cloned;
  if (computeId === undefined || disks?.length) return true;
  if (configs) return configs.length > 0;
  const list = await api.instanceConfigs.list({ path: { computeId } }).catch(ifMissing);
  return list === undefined || list.data.length > 0;
}

function ifMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
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
