import { z } from "zod";
import { Created, Empty, Id, Paging, page } from "../schema/common";
import { EntityType, EventAction, SecondaryType } from "../schema/event-actions";
import type { Area } from "../schema/operation";

/** The object that an event is about. */
export const EventEntity = z.strictObject({
  id: z.int().meta({ filterable: true }),
  label: z.string().describe("Label that the object had when the event was written."),
  type: EntityType.meta({ filterable: true }),
  url: z.string().describe("Path of the object in this API."),
});
export type EventEntity<T extends EntityType = EntityType> = z.output<typeof EventEntity> & { type: T };

/** An object that an event names in addition. */
export const SecondaryEntity = EventEntity.extend({
  id: z.union([z.string(), z.int()]).describe("A number, except for images."),
  type: SecondaryType,
});
export type SecondaryEntity<T extends SecondaryType = SecondaryType> = z.output<typeof SecondaryEntity> & { type: T };

export type Event = z.output<typeof Event>;
/** An action in the history of the account. */
export const Event = z.strictObject({
  id: Id.meta({ filterable: true }),
  action: EventAction.meta({ filterable: true }),
  created: Created.meta({ filterable: true }),
  status: z
    .enum(["failed", "finished", "notification", "scheduled", "started"])
    .describe("How far the action is. A notification never changes; every other event ends finished or failed."),
  percent_complete: z.int().min(0).max(100).nullable().describe("Estimated progress. Null for a notification."),
  time_remaining: z.string().nullable().describe("Estimated time left. Null if unknown."),
  rate: z.string().nullable().describe("Speed of a copy. Null if nothing is copied."),
  duration: z
    .number()
    .nullable()
    .describe(
      "Seconds that the action took or has taken so far. Null for a notification and before the action starts.",
    ),
  entity: EventEntity,
  secondary_entity: SecondaryEntity.nullable().describe("A second object involved, e.g. the config of a boot."),
  username: z.string().describe("User who caused the event."),
  message: z.string().nullable().describe("More about the event, for people."),
  read: z.boolean().describe("Whether the event was marked as read."),
  seen: z.boolean().describe("Whether the event was marked as seen."),
});

const one = "/account/events/{eventId}";
const source = "part 3 · Endpoints · Events";

export const events = {
  list: {
    summary: "List the events of the last 90 days that the user may see.",
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
    summary: "Mark an event and all before it as seen.",
    method: "POST",
    path: `${one}/seen`,
    scopes: ["events:read_only"],
    grant: "read_write",
    result: Empty,
    source,
  },
} satisfies Area;
