import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Maintenance = z.output<typeof Maintenance>;
/** Scheduled maintenance of the physical host of an instance. */
export const Maintenance = z.strictObject({
  type: z
    .enum(["reboot", "cold_migration", "live_migration"])
    .meta({ filterable: true })
    .describe("Type of the maintenance. The instance shuts down unless the type is `live_migration`."),
  status: z.enum(["pending", "started"]).meta({ filterable: true }).describe("Status of the maintenance."),
  reason: z.string().describe("Reason for the maintenance."),
  when: Time.meta({ filterable: true }).describe("Start time in UTC."),
  entity: z
    .strictObject({
      label: z.string().describe("Label of the instance."),
      id: Id.describe("Id of the instance."),
      type: z.string().describe("Type of the affected object."),
      url: z.string().describe("API path of the instance."),
    })
    .describe("Affected instance."),
});

export const maintenance = {
  list: {
    summary: "List pending and current maintenance.",
    method: "GET",
    path: "/account/maintenance",
    beta: true,
    scopes: ["maintenance:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Maintenance),
    decided: ["Restricted users see the maintenance of the instances that they have access to."],
    source: "part 3 · Endpoints · Account and billing",
  },
} satisfies Area;
