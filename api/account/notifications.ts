import { z } from "zod";
import { Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Notification = z.output<typeof Notification>;
/** Something that the service wants the account's users to know, as long as it lasts. */
export const Notification = z.strictObject({
  entity: z
    .strictObject({
      id: z.int(),
      label: z.string(),
      type: z.string(),
      url: z.string().describe("Path of the thing in this API."),
    })
    .describe("What it is about; the account where it is about nothing else."),
  label: z.string().describe("What it is, in a few words."),
  message: z.string().describe("What it is, in a sentence."),
  body: z.string().nullable().describe("All that there is to say, for people."),
  type: z.enum([
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
  ]),
  severity: z.enum(["minor", "major", "critical"]),
  when: Time.nullable().describe("When it happens or began, in UTC; null where it has no time."),
  until: Time.nullable().describe("When it ends, in UTC; null where nobody knows."),
});

export const notifications = {
  list: {
    summary: "List what the service wants the account's users to know.",
    method: "GET",
    path: "/account/notifications",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Notification),
    decided: [
      "A notification that a payment is due goes when nothing is owed any more, any other when its end has come or its cause is gone.",
    ],
    source: "part 3 · Endpoints · Account and billing · rule 9",
  },
} satisfies Area;
