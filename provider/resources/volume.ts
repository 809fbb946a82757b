import { Id, Volume, VolumeCreate, volumeCreateRules } from "../../api";
import { resource } from "../engine/definition";
import { attachVolume, configCheck, requireSlot, withConfigAdvice } from "./boot-configs";
import { movesInRegion, remainsInRegion } from "./instance-region";
import { lockDevices, lockTagsIfChanged } from "./object-locks";

export const volume = resource({
  name: "Volume",
  summary:
    "Manages a block storage volume. Volumes can be resized in place and moved between instances in the same region. Unmount a volume before it is moved, detached or deleted: a running instance is not shut down. Deleting or replacing a volume deletes its data.",
  elsewhere: {
    terraform: "linode_volume",
    pulumi: "Volume",
    note: { terraform: "`linode_id` is `computeId`.", pulumi: "`linodeId` is `computeId`." },
  },
  inputs: VolumeCreate.extend({
    compute_id: Id.nullable()
      .optional()
      .describe(
        "Instance that the volume is attached to. `null` detaches the volume. If omitted, this resource does not manage the attachment. Omit it if a `VolumeAttachment` manages the attachment.",
      ),
  }),
  // The label of the instance changes with the instance: if it were in state, every change would show as drift of the volume.
  outputs: Volume.extend({ compute_label: Volume.shape.compute_label.meta({ volatile: true }) }),
  identity: {
    area: "volumes",
    // With `compute_id`, the resource also manages the attachment of a `VolumeAttachment`.
    manages: ({ volumeId }, _, { compute_id }) => [
      { area: "volumes", path: { volumeId } },
      ...(compute_id === undefined ? [] : [{ area: "VolumeAttachment" as const, path: { volumeId } }]),
    ],
    autoname: "label",
    lostCreate: { match: ["label"] },
  },
  inventory: { file: "compute", list: "operation", title: "label" },
  fields: {
    label: {
      change: "edit",
      note: "it also changes `filesystem_path`: adapt what mounts the volume before the instance boots again",
    },
    tags: "edit",
    size: {
      change: "grow",
      by: ["volumes.resize"],
      note: "the volume is resized in place; it cannot shrink",
      unsupported(current, declared) {
        if (declared >= current) return undefined;
        const reason =
          `must be at least ${current} (current size in GiB): volumes cannot shrink. ` +
          `Set size to ${current} or more, also if the volume was resized outside this program`;
        return { keeps: current, reason };
      },
    },
    compute_id: { change: "move", by: ["volumes.detach", "volumes.attach"], touches: ["config_id"] },
    config_id: { change: "writeOnly", note: "the value is used only when the volume is attached to an instance" },
    region: "replace",
  },
  steps: {
    edit: {
      run: ({ host, api, path, changed }) =>
        lockTagsIfChanged(host, ["volumes", path.volumeId], changed, () => api.volumes.update({ path, body: changed })),
    },
    grow: {
      awaitInputs: true,
      run: ({ api, path, want: { size } }) => api.volumes.resize({ path, body: { size } }),
    },
    move: {
      awaitInputs: true,
      run: ({ host, api, path, want: { compute_id, config_id }, observed, setState }) =>
        lockDevices(host, [observed.compute_id, compute_id], async () => {
          if (observed.compute_id != null) {
            await requireSlot(host, path, { compute_id, config_id });
            await api.volumes.detach({ path });
          }
          if (compute_id == null) return;
          // The value is stored in state before the request, so that the next update does not attach the volume again
          // if only the response is lost.
          setState({ config_id });
          await attachVolume(host, path, { compute_id, config_id });
        }),
    },
  },
  checks: {
    rules: volumeCreateRules,
    onCreate: [configCheck],
    onChange: [
      (want, olds, host) =>
        remainsInRegion(
          host,
          want,
          olds,
          (region) =>
            `Set region to "${region}" to replace the volume, which does not copy its data, or set computeId to null to detach it`,
        ),
      (want, olds, host) =>
        movesInRegion(
          host,
          want,
          olds,
          // The former instance may have moved to another region since, without the volume.
          async (computeId) =>
            want.region ?? olds.region ?? (await host.reads.view("instances", { computeId }))?.region,
          (region) => `Set region to "${region}" to replace the volume, which does not copy its data`,
        ),
    ],
  },
  readiness: {
    byStatus: { creating: "wait", resizing: "wait", active: "ready", contact_support: "failed" },
  },
  async create({ host, api, want }) {
    const body = { ...want, compute_id: want.compute_id ?? undefined };
    const { id } = await lockDevices(host, [want.compute_id], () =>
      withConfigAdvice(host, want, api.volumes.create({ body })),
    );
    return { volumeId: id };
  },
});
