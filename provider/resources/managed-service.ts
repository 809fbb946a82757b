import { z } from "zod";
import { ManagedService, ManagedServiceCreate, managedServiceRules } from "../../api";
import { resource } from "../engine/resource";

export const managedService = resource({
  kind: "ManagedService",
  summary: "Something that the platform watches, and its staff repair.",
  source: "part 2 · Endpoints · Managed",
  area: "managedServices",
  inputs: ManagedServiceCreate.extend({
    enabled: z
      .boolean()
      .optional()
      .describe("Whether it is watched; `false` pauses that. Absent, it begins watched and is nobody's business then."),
  }),
  outputs: ManagedService.extend({ enabled: z.boolean().describe("Whether it is watched.") }),
  changes: {
    label: "edit",
    service_type: "edit",
    address: "edit",
    timeout: "edit",
    body: "edit",
    consultation_group: "edit",
    credentials: "edit",
    notes: "edit",
    region: "edit",
    enabled: "watch",
  },
  exceptions: { enabled: "`managedServices.enable` and `managedServices.disable`" },
  steps: {
    edit: {
      run: ({ api, path, changed: { enabled: _, ...body } }) => api.managedServices.update({ path, body }),
    },
    watch: {
      run: ({ api, path, want: { enabled } }) =>
        enabled ? api.managedServices.enable({ path }) : api.managedServices.disable({ path }),
    },
  },
  rules: managedServiceRules,
  key: ["label", "service_type", "address"],
  // What the monitoring finds is no matter of an update, which may be the one that repairs it.
  states: { pending: "ready", ok: "ready", problem: "ready", disabled: "ready" },
  async create({ api, want: { enabled: _, ...body } }) {
    const { id } = await api.managedServices.create({ body });
    return { serviceId: id };
  },
  read: async (_, record) => ({ ...record, enabled: record.status !== "disabled" }),
});
