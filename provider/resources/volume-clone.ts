import { z } from "zod";
import { Id, Volume, VolumeLabel, VolumeSize } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { poll } from "../engine/wait";
import { volumeOutputs, volumeReadiness, volumeSize, volumeSteps } from "./volumes";

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

export const volumeClone = resource({
  name: "VolumeClone",
  summary:
    "Manages a block storage volume that is created as a clone of another volume, with its data. Deleting or replacing it deletes its data, and replacing the other volume replaces the clone.",
  inputs: z.strictObject({
    source_volume_id: Id.describe(
      "Volume whose data is cloned. It is read only at creation, which waits while this volume is being created or resized.",
    ),
    label: VolumeLabel,
    size: VolumeSize.optional().describe(
      "Size of the clone in GiB, at least that of the source volume. If omitted, the clone has the size of its source.",
    ),
    tags: Volume.shape.tags.optional(),
  }),
  outputs: volumeOutputs,
  identity: { area: "volumes", autoname: "label", lostCreate: { match: ["label"] } },
  inventory: {
    file: "compute",
    list: "byId",
    omissionReason: "the API does not return the source of a clone; a clone is imported as a Volume",
    title: "label",
    refersTo: { source_volume_id: "volumes" },
  },
  fields: {
    source_volume_id: {
      change: "replace",
      replaceReason: "the source volume is where the data of the clone comes from",
    },
    label: "edit",
    tags: "edit",
    size: volumeSize,
  },
  steps: volumeSteps,
  readiness: volumeReadiness,
  async create({ api, host, want }) {
    await sourceReady(host, want.source_volume_id);
    const { id } = await api.volumes.clone({ path: { volumeId: want.source_volume_id }, body: { label: want.label } });
    return { volumeId: id };
  },
});
