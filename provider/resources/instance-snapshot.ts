import { z } from "zod";
import { Backup, Id, instanceBackups } from "../../api";
import { resource } from "../engine/definition";
import { instanceName } from "./instance-reboot";
import { locked } from "./machine";
import { Triggers } from "./triggers";

const { label } = instanceBackups.snapshot.body.shape;

export const instanceSnapshot = resource({
  name: "InstanceSnapshot",
  summary:
    "Takes a snapshot of an instance when the resource is created. An instance has one snapshot: a new one replaces it. " +
    "Deleting the resource does not delete the snapshot: it is deleted with the next one, with the instance or with its backup service.",
  elsewhere: { note: "Takes a snapshot." },
  inputs: z.strictObject({
    compute_id: Id.describe("Instance to take a snapshot of. Its backup service must be enabled."),
    label,
    triggers: Triggers.unwrap()
      .optional()
      .describe("Values of any type, such as a version. When a value changes, a new snapshot replaces this one."),
  }),
  outputs: Backup,
  identity: {
    area: "instanceBackups",
    parents: { compute_id: "computeId" },
    lostCreate: {
      match: ["label"],
      async candidates({ api, want: { compute_id: computeId } }) {
        const { current, in_progress } = (await api.instanceBackups.list({ path: { computeId } })).snapshot;
        return [current, in_progress].flatMap((one) => (one ? [{ computeId, backupId: one.id }] : []));
      },
    },
  },
  inventory: {
    file: "compute",
    list: "byId",
    omissionReason: "finding snapshots takes a request for each instance",
    title: "label",
  },
  // A snapshot cannot be changed, so every change of an input creates another snapshot.
  fields: {
    compute_id: "replace",
    label: "replace",
    triggers: { change: "replace", replaceReason: "a change of them asks for another snapshot" },
  },
  checks: {
    onCreate: [
      {
        warns: "that the current snapshot of the instance is deleted",
        check: async (want, host) =>
          `a snapshot of ${await instanceName(want, host)} will be taken; its current snapshot, if it has one, will be deleted`,
      },
    ],
  },
  readiness: {
    byStatus: {
      paused: "wait",
      pending: "wait",
      running: "wait",
      needsPostProcessing: "wait",
      successful: "ready",
      failed: "failed",
      userAborted: "failed",
    },
  },
  async create({ host, api, want: { compute_id: computeId, label } }) {
    const { id } = await locked(host, computeId, async ({ backups }) => {
      if (!backups.enabled)
        throw new Error(
          `Instance ${computeId} cannot take snapshots because its backup service is disabled. Set backupsEnabled to true on the instance`,
        );
      return api.instanceBackups.snapshot({ path: { computeId }, body: { label } });
    });
    return { computeId, backupId: id };
  },
  delete: { run: "none" },
  timeouts: { create: 3600 },
});
