import { Id, volumes } from "../../api";
import type { Host } from "../engine/host";
import { secondKind } from "../engine/second-kind";
import { poll } from "../engine/wait";
import { volume } from "./volume";

/** Waits for a source that an interrupted update has left unfinished. The clone request reports all other states. */
const sourceReady = (host: Host, volumeId: number): Promise<unknown> =>
  poll({
    host,
    what: `Volume ${volumeId}`,
    collection: "volumes",
    get: (host) => host.reads.view("volumes", { volumeId }, { age: "now" }),
    unmet: (source) =>
      source?.status === "creating" || source?.status === "resizing"
        ? `source volume ${volumeId} in state "${source.status}"`
        : undefined,
  });

export const volumeClone = secondKind(volume, {
  name: "VolumeClone",
  summary:
    "Manages a block storage volume that is created as a clone of another volume, with its data. Deleting or replacing it deletes its data, and replacing the other volume replaces the clone.",
  elsewhere: {
    note: {
      terraform: "Terraform clones a volume with `source_volume_id`.",
      pulumi: "`@pulumi/linode` clones a volume with `sourceVolumeId`.",
    },
  },
  inputs: volumes.update.body.required({ label: true }).extend({
    source_volume_id: Id.describe(
      "Volume whose data is cloned. It is read only at creation, which waits while this volume is being created or resized.",
    ),
    size: volumes.resize.body.shape.size
      .optional()
      .describe(
        "Size of the clone in GiB, at least that of the source volume. If omitted, the clone has the size of its source.",
      ),
  }),
  fields: {
    source_volume_id: {
      change: "replace",
      replaceReason: "the source volume is where the data of the clone comes from",
    },
  },
  refersTo: { source_volume_id: "volumes" },
  async create({ api, host, want }) {
    await sourceReady(host, want.source_volume_id);
    const { id } = await api.volumes.clone({ path: { volumeId: want.source_volume_id }, body: { label: want.label } });
    return { volumeId: id };
  },
});
