import type { Volume } from "../../api";
import { isNotFound } from "../client/errors";
import { type Host, perConnection } from "../engine/host";
import { poll } from "../engine/wait";
import { CachedWork } from "./once";

/**
 * How many times the volumes of a single instance are requested before a list of all volumes replaces such requests.
 */
const MAX_SINGLE_READS = 2;
/** Number of volumes on a page: the highest that the API allows. */
const PAGE_SIZE = 100;
/** Milliseconds for which a fetched list of all volumes is reused. */
const RECENT_MS = 5_000;

/**
 * For each connection to an account: how often the volumes of a single instance were requested, and the last list of
 * all volumes with the time when it was read.
 */
const volumeReads = perConnection(() => ({ times: 0, since: 0, lists: new CachedWork<Volume[]>() }));

export const attachedVolumes = ({ api }: Host, path: { computeId: number }): Promise<Volume[]> =>
  Array.fromAsync(api.instances.volumes.all({ path }));

export const namesOf = (volumes: readonly Volume[]): string =>
  volumes.map(({ label, id }) => `"${label}" (${id})`).join(", ");

/**
 * Detaches all volumes from an instance, and verifies that none is left. `consequence` completes the error's sentence about
 * volumes that are still attached.
 */
export async function detachVolumes(host: Host, path: { computeId: number }, consequence: string): Promise<void> {
  if (!(await mayHaveVolumes(host, path.computeId))) return;
  const all = await attachedVolumes(host, path);
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
    get: (host) => attachedVolumes(host, path),
    unmet: (left) => (left.length ? `its volumes ${namesOf(left)} are still attached and ${consequence}` : undefined),
  });
}

/**
 * Whether the instance may have volumes. When many instances are deleted, one list of all volumes replaces the requests
 * for the volumes of each instance.
 */
async function mayHaveVolumes(host: Host, computeId: number): Promise<boolean> {
  const reads = volumeReads(host);
  reads.times++;
  if (reads.times <= MAX_SINGLE_READS) return true;
  const known = reads.lists.known("all");
  if (known && host.now() - reads.since > RECENT_MS) reads.lists.forget("all", known);
  if (!reads.lists.known("all")) reads.since = host.now();
  const volumes = await reads.lists
    .get(host, "all", "the list of volumes", () => allVolumes(host))
    .catch((error) => {
      // So many volumes were deleted that the last page does not exist any more.
      if (!isNotFound(error)) throw error;
    });
  return volumes?.some(({ compute_id }) => compute_id === computeId) ?? true;
}

/**
 * All volumes. The pages are read from the last to the first, because volumes can be deleted in the meantime: those after
 * a deleted one move to earlier positions, so they are on a page that is still to be read, or were read twice.
 */
async function allVolumes({ api }: Host): Promise<Volume[]> {
  const page = (page: number) => api.volumes.list({ query: { page, page_size: PAGE_SIZE } });
  const first = await page(1);
  const later: Volume[] = [];
  for (let number = first.pages; number > 1; number--) {
    const { data } = await page(number);
    later.push(...data);
  }
  return first.pages > 1 ? [...later, ...(await page(1)).data] : first.data;
}
