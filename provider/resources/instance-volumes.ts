import type { Volume } from "../../api";
import { isNotFound } from "../client/errors";
import { type Host, perConnection } from "../engine/host";
import { poll } from "../engine/wait";
import { Once } from "./once";

/**
 * How many times the volumes of a single instance are requested before a list of all volumes replaces such requests.
 */
const FEW = 2;
/** Milliseconds for which a fetched list of all volumes is reused. */
const YOUNG_MS = 5_000;

/**
 * For each connection to an account: how often the volumes of a single instance were requested, and the last list of
 * all volumes with the time when it was read.
 */
const askedOf = perConnection(() => ({ times: 0, since: 0, lists: new Once<Volume[]>() }));

/**
 * Detaches all volumes from an instance, and verifies that none is left, because attached volumes could be deleted with
 * the instance.
 */
export async function detachVolumes(host: Host, path: { computeId: number }): Promise<void> {
  const attached = ({ api }: Host): Promise<Volume[]> => Array.fromAsync(api.instances.volumes.all({ path }));
  if (!(await mayHaveVolumes(host, path.computeId))) return;
  const all = await attached(host);
  if (!all.length) return;
  for (const { id: volumeId } of all) {
    // A 404 is not an error, because a volume that does not exist is not attached.
    await host.api.volumes.detach({ path: { volumeId } }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
  await poll({
    host,
    what: `volumes of instance ${path.computeId}`,
    collection: "volumes",
    get: attached,
    missing(left) {
      const labels = left.map(({ label, id }) => `"${label}" (${id})`).join(", ");
      return left.length ? `its volumes ${labels} are still attached and could be deleted with it` : undefined;
    },
  });
}

/**
 * Whether the instance may have volumes. When many instances are deleted, one list of all volumes replaces the requests
 * for the volumes of each instance.
 */
async function mayHaveVolumes(host: Host, computeId: number): Promise<boolean> {
  const asked = askedOf(host);
  asked.times++;
  if (asked.times <= FEW) return true;
  const known = asked.lists.known("all");
  if (known && host.now() - asked.since > YOUNG_MS) asked.lists.forget("all", known);
  if (!asked.lists.known("all")) asked.since = host.now();
  const list = () => Array.fromAsync(host.api.volumes.list.all());
  const volumes = await asked.lists.get(host, "all", "the list of volumes", list);
  return volumes.some(({ compute_id }) => compute_id === computeId);
}
