import type { Volume } from "../../api/volumes";
import type { Host } from "../engine";

/** How long a detachment may take. */
const PATIENCE = 300_000;

/** Takes all volumes off an instance, and looks that none is left on it: one that is could go with the instance. */
export async function detachVolumes(host: Host, path: { computeId: number }): Promise<void> {
  const { api } = host;
  const attached = (): Promise<Volume[]> => Array.fromAsync(api.instances.volumes.all({ path }));
  const all = await attached();
  for (const { id: volumeId } of all) await api.volumes.detach({ path: { volumeId } });
  if (!all.length) return;
  const deadline = host.now() + PATIENCE;
  const tick = host.ticks();
  for (let left = await attached(); left.length; left = await attached()) {
    if (host.now() >= deadline) {
      const labels = left.map(({ label, id }) => `"${label}" (${id})`).join(", ");
      throw new Error(
        `Instance ${path.computeId} is not deleted: its volumes ${labels} are still attached and could go with it`,
      );
    }
    await tick("volumes");
  }
}
