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
    "The snapshot of an instance, taken when the resource is created. An instance has one: the next takes its place. " +
    "Deleting the resource leaves the snapshot: it goes with the next one, the instance or its backup service.",
  source: "part 1 · Endpoints · Compute instances · rule 9",
  inputs: z.strictObject({
    compute_id: Id.describe("Instance to take it of; its backup service must be on."),
    label,
    triggers: Triggers.unwrap()
      .optional()
      .describe("Any values, such as a version: when one changes, a new snapshot is taken in place of this one."),
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
  // A snapshot cannot be changed, so every change takes another one.
  fields: { compute_id: "replace", label: "replace", triggers: "replace" },
  checks: {
    onCreate: async (want, host) =>
      `a snapshot of ${await instanceName(want, host)} is taken, and one that it has is deleted`,
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
          `Instance ${computeId} takes no snapshots while its backup service is off: set backupsEnabled to true on it`,
        );
      return api.instanceBackups.snapshot({ path: { computeId }, body: { label } });
    });
    return { computeId, backupId: id };
  },
  delete: { run: "none" },
  timeouts: { create: 3600 },
});
