import { z } from "zod";
import { Event, EventAction, EventEntity, SecondaryEntity } from "../../api";
import type { EventRow } from "./events";
import type { JobRow } from "./jobs";
import type { TimerRow } from "./schedule";
import { table } from "./store";
import type { TokenRow, UserRow } from "./users";

/** Renames the type `disks` to `disk` in events from snapshots that earlier versions of the emulator have written. */
const asDisk = (entity: unknown): unknown =>
  (entity as { type?: unknown } | null)?.type === "disks" ? { ...(entity as object), type: "disk" } : entity;

/**
 * Internal tables of the emulator. Only the emulator writes their rows, so the rows in a snapshot must match these
 * schemas exactly.
 */
export const events = table<EventRow>([], {
  shape: z.object({
    action: EventAction,
    entity: EventEntity,
    secondary_entity: SecondaryEntity.nullable(),
    status: Event.shape.status,
    created: z.string(),
    begun: z.number().nullable(),
    ended: z.number().nullable(),
    takes: z.number(),
  }),
  upgrade: (row) => ({
    ...row,
    message: row.message ?? "",
    entity: asDisk(row.entity),
    secondary_entity: asDisk(row.secondary_entity),
  }),
});

export const timers = table<TimerRow>([], {
  shape: z.object({
    due: z.number(),
    task: z.string(),
    username: z.string().nullable(),
    background: z.boolean(),
  }),
});

export const jobs = table<JobRow>([], {
  refs: { compute_id: "instances", timer_id: "timers" },
  shape: z.object({
    state: z.enum(["queued", "running", "stalled"]),
    fate: z.enum(["finish", "fail", "stall"]),
    takes: z.number(),
    task: z.string(),
    event_id: z.int(),
    username: z.string().nullable(),
  }),
});

export const users = table<UserRow>([], {
  shape: z.object({
    restricted: z.boolean(),
    grants: z.object({ global: z.looseObject({}), entities: z.looseObject({}) }),
  }),
});

export const tokens = table<TokenRow>([], {
  refs: { username: "users" },
  shape: z.object({
    scopes: z.union([z.literal("*"), z.array(z.string())]),
    expires: z.number().nullable(),
  }),
});
