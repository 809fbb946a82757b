import { Id, ManagedComputeSettings, managedComputeSettings as operations } from "../../api";
import { resource } from "../engine/definition";

const { shape } = ManagedComputeSettings;

export const managedComputeSettings = resource({
  name: "ManagedComputeSettings",
  summary:
    "Manages the SSH access settings of an instance for support staff. Deleting the resource does not change the settings.",
  inputs: operations.update.body.required().extend({
    compute_id: Id.describe("Instance that the settings apply to."),
  }),
  // Label and group belong to the instance. If they were in state, every change of the instance would show as drift.
  outputs: ManagedComputeSettings.extend({
    label: shape.label.meta({ volatile: true }),
    group: shape.group.meta({ volatile: true }),
  }),
  identity: {
    area: "managedComputeSettings",
    parents: { compute_id: "computeId" },
    lostCreate: "repeat",
  },
  inventory: {
    file: "managed",
    list: "byId",
    title: "label",
    omissionReason: "every instance has them, whether or not a program manages them",
  },
  fields: { compute_id: "replace", ssh: "edit" },
  steps: {
    edit: { run: ({ api, path, want: { ssh } }) => api.managedComputeSettings.update({ path, body: { ssh } }) },
  },
  async create({ api, want: { compute_id: computeId, ssh } }) {
    await api.managedComputeSettings.update({ path: { computeId }, body: { ssh } });
    return { computeId };
  },
  delete: { run: "none" },
});
