import { z } from "zod";
import { Created, Empty, Id, Paging, page } from "../schema/common";
import { EntityType, EventAction, SecondaryType } from "../schema/event-actions";
import type { Area } from "../schema/operation";

/** The object that an event is about. */
export const EventEntity = z.strictObject({
  id: z.int().meta({ filterable: true }).describe("Id of the object that the action concerned."),
  label: z.string().describe("Label that the object had when the event was written."),
  type: EntityType.meta({ filterable: true }).describe("Type of the object that the action concerned."),
  url: z.string().meta({ names: "path" }).describe("API path of the object that the action concerned."),
});
export type EventEntity<T extends EntityType = EntityType> = z.output<typeof EventEntity> & { type: T };

/**
 * The secondary entity of an event: an additional object that the action concerned, such as the boot config with which
 * an instance was booted.
 */
export const SecondaryEntity = EventEntity.extend({
  id: z
    .union([z.string(), z.int()])
    .meta({ names: "id" })
    .describe(
      "Id of the additional object. A number, except for the image of a new instance, whose id is a string such as `private/123`.",
    ),
  type: SecondaryType.describe("Type of the object that the action concerned."),
});
export type SecondaryEntity<T extends SecondaryType = SecondaryType> = z.output<typeof SecondaryEntity> & { type: T };

export type Event = z.output<typeof Event>;
/** An action in the history of the account. */
export const Event = z.strictObject({
  id: Id.meta({ filterable: true }),
  action: EventAction.meta({ filterable: true }).describe("Action, such as `compute_boot`."),
  created: Created.meta({ filterable: true }),
  status: z
    .enum(["failed", "finished", "notification", "scheduled", "started"])
    .describe("Status of the action. A `notification` never changes. All other events end as `finished` or `failed`."),
  percent_complete: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe("Estimated progress in percent. Null if the status is `notification`."),
  time_remaining: z.string().nullable().describe("Estimated time left as `HH:MM:SS`. Null if unknown."),
  rate: z.string().nullable().describe("Transfer rate while data is copied, such as `140 MB/s`. Otherwise null."),
  duration: z
    .number()
    .nullable()
    .describe(
      "Duration of the action in seconds so far. Null until the action starts, and if the status is `notification`.",
    ),
  entity: EventEntity.describe("Object that the action concerned, such as an instance."),
  secondary_entity: SecondaryEntity.nullable().describe(
    "Additional object that the action concerned, such as the boot config that an instance was booted with. Null if there is none.",
  ),
  username: z.string().describe("User who caused the event."),
  message: z.string().nullable().describe("Message about the event."),
  read: z.boolean().describe("Whether the event was marked as read."),
  seen: z.boolean().describe("Whether the event was marked as seen."),
});

const one = "/account/events/{eventId}";
const source = "part 3 · Endpoints · Events";

export const events = {
  list: {
    summary: "List the events of the last 90 days, limited to those that the user has access to.",
    method: "GET",
    path: "/account/events",
    scopes: ["events:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Event),
    source,
  },
  view: {
    summary: "View an event.",
    method: "GET",
    path: one,
    scopes: ["events:read_only"],
    grant: "read_only",
    result: Event,
    source,
  },
  markRead: {
    summary: "Mark an event as read.",
    method: "POST",
    path: `${one}/read`,
    scopes: ["events:read_only"],
    grant: "read_only",
    result: Empty,
    source,
  },
  markSeen: {
    summary: "Mark an event and all earlier events as seen.",
    method: "POST",
    path: `${one}/seen`,
    scopes: ["events:read_only"],
    grant: "read_write",
    result: Empty,
    source,
  },
} satisfies Area;
