import type { Volume } from "../../api";
import { isNotFound } from "../client/errors";
import type { Host } from "../engine/host";
import { poll } from "../engine/wait";

/** So many instances are asked for their own volumes; then a list of all volumes answers for the others too. */
const FEW = 2;
/** How long that list is used. */
const YOUNG_MS = 5_000;

/** How often a connection has asked, and the list of all volumes. */
interface Asked {
  times: number;
  all?: { at: number; volumes: Promise<Volume[]> };
}

const asked = new WeakMap<Host["connection"], Asked>();

/** Detaches all volumes from an instance, and makes sure that none is left: one that is could be deleted with the instance. */
export async function detachVolumes(host: Host, path: { computeId: number }): Promise<void> {
  const attached = ({ api }: Host): Promise<Volume[]> => Array.fromAsync(api.instances.volumes.all({ path }));
  if (!(await mayHaveVolumes(host, path.computeId))) return;
  const all = await attached(host);
  if (!all.length) return;
  for (const { id: volumeId } of all) {
    // A volume that was deleted in the meantime is not attached.
    await host.api.volumes.detach({ path: { volumeId } }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
  await poll({
    host,
    what: `volumes of instance ${path.computeId}`,
    get: attached,
    missing(left) {
      const labels = left.map(({ label, id }) => `"${label}" (${id})`).join(", ");
      return left.length ? `its volumes ${labels} are still attached and could be deleted with it` : undefined;
    },
  });
}

/** Whether it is worth asking for the volumes of an instance; where many instances are deleted, one list says it of them all. */
async function mayHaveVolumes(host: Host, computeId: number): Promise<boolean> {
  const known = asked.get(host.connection) ?? { times: 0 };
  asked.set(host.connection, known);
  known.times++;
  if (known.times <= FEW) return true;
  if (!known.all || host.now() - known.all.at > YOUNG_MS)
    known.all = { at: host.now(), volumes: Array.fromAsync(host.api.volumes.list.all()) };
  const { all } = known;
  try {
    const volumes = await host.inTime(all.volumes, "the list of volumes");
    return volumes.some(({ compute_id }) => compute_id === computeId);
  } catch (error) {
    if (known.all === all) delete known.all;
    throw error;
  }
}
