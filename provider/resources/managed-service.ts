import { z } from "zod";
import { ManagedService, ManagedServiceCreate, managedServiceRules } from "../../api";
import { resource } from "../engine/definition";

export const managedService = resource({
  name: "ManagedService",
  summary: "Manages a service that the platform monitors and that support staff repair if it fails.",
  inputs: ManagedServiceCreate.extend({
    enabled: z
      .boolean()
      .optional()
      .meta({ initial: true })
      .describe(
        "Whether the service is monitored. `false` pauses the monitoring. If omitted, monitoring starts enabled and is not managed afterwards.",
      ),
  }),
  outputs: ManagedService.extend({ enabled: z.boolean().describe("Whether the service is monitored.") }),
  identity: {
    area: "managedServices",
    extend: async (_, record) => ({ ...record, enabled: record.status && record.status !== "disabled" }),
    lostCreate: { match: ["label", "service_type", "address"] },
  },
  inventory: { file: "managed", list: "operation", title: "label", refersTo: { credentials: "managedCredentials" } },
  fields: {
    label: "edit",
    service_type: "edit",
    // The service removes the region if the address becomes public.
    address: { change: "edit", touches: ["region"] },
    timeout: "edit",
    body: "edit",
    consultation_group: "edit",
    credentials: "edit",
    notes: "edit",
    region: "edit",
    enabled: { change: "watch", by: ["managedServices.enable", "managedServices.disable"] },
  },
  steps: {
    edit: {
      run: ({ api, path, changed }) => api.managedServices.update({ path, body: changed }),
    },
    watch: {
      run: ({ api, path, want: { enabled } }) =>
        enabled ? api.managedServices.enable({ path }) : api.managedServices.disable({ path }),
    },
  },
  checks: { rules: managedServiceRules },
  // An update succeeds even if monitoring reports a problem, because the update may fix the problem.
  readiness: { byStatus: { pending: "ready", ok: "ready", problem: "ready", disabled: "ready" } },
  async create({ api, want: { enabled: _, ...body } }) {
    const { id } = await api.managedServices.create({ body });
    return { serviceId: id };
  },
});
