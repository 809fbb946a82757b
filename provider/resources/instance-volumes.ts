import { deviceNames, type Volume } from "../../api";
import { CloudInfraError, isInDoubt, isNotFound } from "../client/errors";
import { asPart, isLate } from "../engine/errors";
import { type Host, perConnection } from "../engine/host";
import { poll } from "../engine/wait";
import { leftOf } from "./machine";
import { lockDevices } from "./object-locks";
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
  if (await mayHaveVolumes(host, path.computeId))
    await detachAll(host, path, await attachedVolumes(host, path), consequence);
}

async function detachAll(
  host: Host,
  path: { computeId: number },
  all: readonly Volume[],
  consequence: string,
): Promise<void> {
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
 * Runs a change of an instance that must not have volumes, which are detached before. If the change fails, attaches them
 * again, because the instance may be using them. After a lost response or a time limit, the change may have been carried
 * out or still be, so they stay detached until a retry is rejected.
 */
export const withoutVolumes = (
  host: Host,
  path: { computeId: number },
  consequence: string,
  change: () => Promise<unknown>,
): Promise<void> =>
  lockDevices(host, [path.computeId], async () => {
    const volumes = (await mayHaveVolumes(host, path.computeId)) ? await attachedVolumes(host, path) : [];
    const current = volumes.length ? await attachmentsOf(host, path, volumes) : [];
    const earlier = detachedBefore(host);
    const attachments = [...(earlier.get(path.computeId) ?? []), ...current];
    earlier.delete(path.computeId);
    try {
      await detachAll(host, path, volumes, consequence);
      await change();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isInDoubt(error) || isLate(error)) {
        earlier.set(path.computeId, attachments);
        const names = namesOf(attachments.map(({ volume }) => volume));
        if (names)
          host.warn(
            `the volumes ${names} were detached from instance ${path.computeId} for a change whose result is not known: if it does not take place, attach them again`,
          );
        throw error;
      }
      const failures = await attachAgain(leftOf(host), path, attachments);
      throw failures.length ? new DetachedError(path.computeId, error, failures) : error;
    }
  });

/** An attached volume, and the boot config that contains it. Without one, it is attached until the next boot. */
interface Attachment {
  volume: Volume;
  config_id?: number;
}

/** By instance, the volumes that were detached for a change whose response was lost. */
const detachedBefore = perConnection(() => new Map<number, Attachment[]>());

/** The attachments in the order of their device slots: the service adds a volume to the first free slot. */
async function attachmentsOf(
  { api }: Host,
  path: { computeId: number },
  volumes: readonly Volume[],
): Promise<Attachment[]> {
  const configs = await Array.fromAsync(api.instanceConfigs.list.all({ path }));
  const inConfigs = configs.flatMap(({ id: config_id, devices }) =>
    deviceNames.flatMap((name) => {
      const volume = volumes.find(({ id }) => id === devices[name]?.volume_id);
      return volume ? [{ volume, config_id }] : [];
    }),
  );
  const others = volumes.filter((volume) => !inConfigs.some((one) => one.volume === volume));
  return [...inConfigs, ...others.map((volume) => ({ volume }))];
}

interface Failure {
  volume: Volume;
  error: Error;
}

/** Attaches the volumes that are not attached any more. Returns those for which this fails. */
async function attachAgain(
  host: Host,
  path: { computeId: number },
  attachments: readonly Attachment[],
): Promise<Failure[]> {
  if (!attachments.length) return [];
  const attached = new Set((await attachedVolumes(host, path).catch(() => [])).map(({ id }) => id));
  const failures: Failure[] = [];
  for (const { volume, config_id } of attachments) {
    if (attached.has(volume.id)) continue;
    attached.add(volume.id);
    const body = { compute_id: path.computeId, config_id, persist_across_boots: config_id !== undefined };
    await host.api.volumes.attach({ path: { volumeId: volume.id }, body }).catch((error) => {
      if (!isNotFound(error)) failures.push({ volume, error });
    });
  }
  return failures;
}

/** A change of an instance was rejected, and volumes that were detached for it could not be attached again. */
class DetachedError extends CloudInfraError {
  override readonly name = "DetachedError";
  readonly timedOut: boolean;

  constructor(computeId: number, change: Error, failures: readonly Failure[]) {
    const names = namesOf(failures.map(({ volume }) => volume));
    const reasons = [...new Set(failures.map(({ error }) => asPart(error)))].join("; ");
    super(
      `${asPart(change)}; the volumes ${names} were detached for this change, and could not be attached to instance ` +
        `${computeId} again: ${reasons}. Attach them before you use the instance`,
    );
    this.timedOut = isLate(change);
  }
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
