import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Maintenance = z.output<typeof Maintenance>;
/** Work on the machine under an instance. */
export const Maintenance = z.strictObject({
  type: z
    .enum(["reboot", "cold_migration", "live_migration"])
    .meta({ filterable: true })
    .describe("What happens to the instance: only a live migration leaves it running."),
  status: z.enum(["pending", "started"]).meta({ filterable: true }).describe("Whether the work has begun."),
  reason: z.string().describe("Why the work is done."),
  when: Time.meta({ filterable: true }).describe("When the work begins, in UTC."),
  entity: z
    .strictObject({
      label: z.string().describe("Label of the instance."),
      id: Id.describe("Id of the instance."),
      type: z.string().describe("Kind of the thing."),
      url: z.string().describe("Path of the thing in this API."),
    })
    .describe("The instance that it concerns."),
});

export const maintenance = {
  list: {
    summary: "List the maintenance that is coming or under way.",
    method: "GET",
    path: "/account/maintenance",
    beta: true,
    scopes: ["maintenance:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Maintenance),
    decided: ["A restricted user sees the maintenance of the instances that are granted."],
    source: "part 3 · Endpoints · Account and billing",
  },
} satisfies Area;
