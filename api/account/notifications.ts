import { z } from "zod";
import { Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Notification = z.output<typeof Notification>;
/** A notification for the account's users. It is listed for as long as its cause exists. */
export const Notification = z.strictObject({
  entity: z
    .strictObject({
      id: z.int().describe("Id of the object that the notification concerns."),
      label: z.string().describe("Label of the object that the notification concerns."),
      type: z.string().meta({ names: "value" }).describe("Type of the object that the notification concerns."),
      url: z.string().meta({ names: "path" }).describe("API path of the object that the notification concerns."),
    })
    .describe("Object that the notification concerns, such as the account or an instance."),
  label: z.string().describe("Label of the notification."),
  message: z.string().describe("Summary of the notification."),
  body: z.string().nullable().describe("Full text of the notification. Null if there is none."),
  type: z
    .enum([
      "migration_scheduled",
      "migration_imminent",
      "migration_pending",
      "reboot_scheduled",
      "outage",
      "payment_due",
      "ticket_important",
      "ticket_abuse",
      "notice",
      "maintenance",
      "promotion",
    ])
    .describe("Type of the notification."),
  severity: z.enum(["minor", "major", "critical"]).describe("Severity of the notification."),
  when: Time.nullable().describe("Start time in UTC. Null if not applicable."),
  until: Time.nullable().describe("End time in UTC. Null if unknown."),
});

export const notifications = {
  list: {
    summary: "List the notifications for the account's users.",
    method: "GET",
    path: "/account/notifications",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Notification),
    decided: [
      "A notification about a due payment ends when the balance is paid. Other notifications end at their end time or when their cause no longer exists.",
    ],
    source: "part 3 · Endpoints · Account and billing · rule 9",
  },
} satisfies Area;
