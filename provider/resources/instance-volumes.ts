import type { Volume } from "../../api";
import type { Host } from "../engine";
import { wait } from "../engine/wait";

/** Takes all volumes off an instance, and looks that none is left on it: one that is could go with the instance. */
export async function detachVolumes(host: Host, path: { computeId: number }): Promise<void> {
  const attached = ({ api }: Host): Promise<Volume[]> => Array.fromAsync(api.instances.volumes.all({ path }));
  const all = await attached(host);
  for (const { id: volumeId } of all) await host.api.volumes.detach({ path: { volumeId } });
  if (!all.length) return;
  await wait({
    host,
    what: `volumes of instance ${path.computeId}`,
    look: attached,
    missing(left) {
      const labels = left.map(({ label, id }) => `"${label}" (${id})`).join(", ");
      return left.length ? `its volumes ${labels} are still attached and could be deleted with it` : undefined;
    },
  });
}
