import { Id, ManagedComputeSettings, managedComputeSettings as operations } from "../../api";
import { resource } from "../engine/resource";

const { shape } = ManagedComputeSettings;

export const managedComputeSettings = resource({
  kind: "ManagedComputeSettings",
  summary: "How support staff reach an instance. Deleted, the settings stay as they are: none is opened again.",
  source: "part 2 · Endpoints · Managed",
  area: "managedComputeSettings",
  inputs: operations.update.body.required().extend({
    compute_id: Id.describe("Instance whose settings they are."),
  }),
  // Label and group are the instance's to tell: here they would drift whenever those change.
  outputs: ManagedComputeSettings.extend({
    label: shape.label.meta({ volatile: true }),
    group: shape.group.meta({ volatile: true }),
  }),
  parent: { compute_id: "computeId" },
  changes: { compute_id: "replace", ssh: "edit" },
  steps: {
    edit: { run: ({ api, path, want: { ssh } }) => api.managedComputeSettings.update({ path, body: { ssh } }) },
  },
  key: "repeatable",
  outlives: true,
  async create({ api, want: { compute_id: computeId, ssh } }) {
    await api.managedComputeSettings.update({ path: { computeId }, body: { ssh } });
    return { computeId };
  },
});
