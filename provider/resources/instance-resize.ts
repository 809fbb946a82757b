import type { z } from "zod";
import { instances } from "../../api";
import type { Host } from "../engine/host";
import { rejectFailed } from "./action";
import type { inputs } from "./instance-inputs";
import { locked, settled } from "./machine";

interface Resize {
  host: Host;
  api: Host["api"];
  path: { computeId: number };
  want: z.output<typeof inputs>;
}

export const resize = ({ host, api, path, want: { type, resize_disks } }: Resize): Promise<void> =>
  locked(host, path.computeId, async () => {
    if (!resize_disks) await rejectOverfullDisks(api, path, type);
    await api.instances.resize({ path, body: { type, allow_auto_disk_resize: resize_disks } });
    const { type: now } = await settled(host, path.computeId);
    if (now !== type) await rejectFailed(host, path.computeId, "resized", instances.resize.event);
  });

/** Rejects a type whose storage is too small for the disks that are not resized. Called before any request is sent. */
async function rejectOverfullDisks(api: Host["api"], path: { computeId: number }, typeId: string): Promise<void> {
  const [{ disk }, disks] = await Promise.all([
    api.types.view({ path: { typeId } }),
    Array.fromAsync(api.instanceDisks.list.all({ path })),
  ]);
  const used = disks.reduce((sum, { size }) => sum + size, 0);
  if (used <= disk) return;
  throw new Error(
    `Instance ${path.computeId}: its disks take ${used} MB, but the type ${typeId} has only ${disk} MB. Shrink or delete disks first, or set resizeDisks to true`,
  );
}
