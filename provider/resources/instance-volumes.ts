import type { Volume } from "../../api";
import type { Host } from "../engine";
import { wait } from "../engine/wait";

/** Detaches all volumes and waits until the API lists none: one that is still attached could be deleted with the instance. */
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
