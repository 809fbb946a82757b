import { z } from "zod";
import { allDevices, Id, isObject, PartId, Volume, volumes } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { valueAt } from "../engine/values";
import { attachVolume, configCheck, requireSlot } from "./boot-configs";
import { movesInRegion, remainsInRegion } from "./instance-region";
import { lockDevices } from "./object-locks";

export const volumeAttachment = resource({
  name: "VolumeAttachment",
  summary:
    "Attaches a volume to an instance. Use it for volumes whose `computeId` input is omitted, so that only one resource manages the attachment. Unmount the volume before it is moved or detached: a running instance is not shut down.",
  elsewhere: {
    note: {
      terraform:
        "Terraform attaches a volume with its `linode_id`; this package with `computeId` of `Volume`, or with this kind.",
      pulumi:
        "`@pulumi/linode` attaches a volume with its `linodeId`; this package with `computeId` of `Volume`, or with this kind.",
    },
  },
  inputs: z.strictObject({
    volume_id: Id.describe(
      "Volume to attach. Omit `computeId` on its `Volume` resource: otherwise the two resources conflict.",
    ),
    compute_id: volumes.attach.body.shape.compute_id.describe(
      "Instance to attach to. Must be in the volume's region. Changing this moves the volume.",
    ),
    config_id: volumes.attach.body.shape.config_id.describe(
      "Boot config to which the volume is added. Must belong to the instance. Required if the instance has several boot configs.",
    ),
  }),
  outputs: Volume.pick({ compute_id: true, filesystem_path: true }).extend({
    config_id: PartId.optional().meta({ volatile: true }),
  }),
  identity: {
    area: "volumes",
    parents: { volume_id: "volumeId" },
    /**
     * If the volume is not attached to any instance, the attachment was deleted outside Pulumi. The exception: if the
     * program declares another instance than the one in state, the attachment still exists, and the update attaches the
     * volume to the declared instance.
     */
    async extend({ api, path: { volumeId }, want, state }, { compute_id, filesystem_path }) {
      if (compute_id == null && state.compute_id === want.compute_id) return undefined;
      const isRead = compute_id != null && want.config_id !== undefined;
      const config_id = isRead ? await configWith(api, compute_id, volumeId, want.config_id) : undefined;
      return { compute_id, filesystem_path, config_id };
    },
    lostCreate: "repeat",
  },
  inventory: { file: "compute", list: "byId", title: "id", omissionReason: "`computeId` of the volume declares it" },
  fields: {
    volume_id: "replace",
    compute_id: { change: "move", by: ["volumes.detach", "volumes.attach"] },
    config_id: { change: "move", by: ["volumes.detach", "volumes.attach"] },
  },
  steps: {
    move: {
      awaitInputs: true,
      run: ({ host, api, path, want: { compute_id, config_id }, observed, setState }) =>
        lockDevices(host, [observed.compute_id, compute_id], async () => {
          if (observed.compute_id != null) {
            await requireSlot(host, path, { compute_id, config_id });
            // If the update is interrupted after the detach request, null in state shows the next update that the
            // volume was detached on purpose and only has to be attached again.
            setState({ compute_id: null });
            await api.volumes.detach({ path });
          }
          await attachVolume(host, path, { compute_id, config_id });
        }),
    },
  },
  checks: {
    onCreate: [configCheck],
    onChange: [
      (want, olds, host) =>
        remainsInRegion(host, want, olds, () => "Attach a volume of that region, or remove this attachment"),
      (want, olds, host) =>
        movesInRegion(
          host,
          want,
          olds,
          async () => (await host.reads.view("volumes", { volumeId: want.volume_id }))?.region,
          () => "Choose an instance in the region of the volume, or attach a volume of the other region",
        ),
    ],
  },
  async create({ host, api, want: { volume_id: volumeId, compute_id, config_id } }) {
    const path = { volumeId };
    const { compute_id: holder, compute_label } = await api.volumes.view({ path });
    if (holder !== null && holder !== compute_id)
      throw new Error(
        `volume ${volumeId} is attached to instance ${holder} (${compute_label}), not to ${compute_id}: detach it there first, and manage the attachment in one resource only`,
      );
    if (holder === null)
      await lockDevices(host, [compute_id], () => attachVolume(host, path, { compute_id, config_id }));
    return path;
  },
  delete: {
    declaredBy:
      ({ path: { volumeId }, state: { compute_id } }) =>
      ({ kind, path, want }) => {
        if (path.volumeId === volumeId) return want.compute_id === compute_id;
        const devices = kind === "InstanceConfig" ? want.devices : valueAt(want, ["config", "devices"]);
        const slots = isObject(devices) ? Object.values(devices) : [];
        return path.computeId === compute_id && slots.some((device) => valueAt(device, ["volume_id"]) === volumeId);
      },
    /**
     * Detaches the volume, unless it was attached to another instance outside this program. If an interrupted update
     * has left state without an instance, the volume is detached from whichever instance it is attached to.
     */
    async run({ host, api, path, want, observe }) {
      const observed = await observe();
      const isDeclared = want.compute_id === observed?.compute_id || want.compute_id == null;
      if (observed?.compute_id != null && isDeclared)
        await lockDevices(host, [observed.compute_id], () => api.volumes.detach({ path }));
    },
    retained: {
      note: "Deleting the resource detaches the volume, which still exists. A volume that was attached to another instance outside this program stays attached, unless a refresh has stored that instance in the state.",
    },
  },
});

/** Id of the boot config with the volume in a device slot. If several have it, the id that the program declares. */
async function configWith(
  api: Host["api"],
  computeId: number,
  volume: number,
  wanted: number | undefined,
): Promise<number | undefined> {
  const holding: number[] = [];
  for await (const { id, devices } of api.instanceConfigs.list.all({ path: { computeId } }))
    if (Object.values(allDevices(devices)).some((device) => device?.volume_id === volume)) holding.push(id);
  return holding.find((id) => id === wanted) ?? holding[0];
}
