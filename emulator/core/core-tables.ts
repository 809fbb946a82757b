import { z } from "zod";
import { Event, EventAction, EventEntity, type Grant, type Scope, SecondaryEntity } from "../../api";
import { table } from "./store";

export interface EventRow {
  id: number;
  action: EventAction;
  created: string;
  entity: EventEntity;
  secondary_entity: SecondaryEntity | null;
  username: string | null;
  status: Event["status"];
  message: string;
  read: boolean;
  seen: boolean;
  /**
   * Start and end of the event's job in milliseconds since 1970, and the expected duration of the job (`takes`) in
   * milliseconds. Events without a job are complete at once.
   */
  started: number | null;
  ended: number | null;
  takes: number;
}

/** How a job ends. With `stall` it does not end. Tests choose the outcome by injecting a fault. */
export type JobEnding = "finish" | "fail" | "stall";

export interface JobRow {
  id: number;
  /** The instance that is busy while the job runs; null if there is none. */
  compute_id: number | null;
  event_id: number;
  state: "queued" | "running" | "stalled";
  ending: JobEnding;
  takes: number;
  task: string;
  args: unknown;
  username: string | null;
  /** The timer that ends the job; null until the job runs. */
  timer_id: number | null;
}

/** A scheduled task, as plain data that snapshots can store. */
export interface TimerRow {
  id: number;
  due: number;
  task: string;
  args: unknown;
  /** The user whose request scheduled the task, and who is named in the events that the task writes. */
  username: string | null;
  /**
   * Whether the task is maintenance, such as a nightly backup. `settle()` advances the clock until all other tasks have
   * run.
   */
  background: boolean;
}

export type Level = "read_only" | "read_write";

/** Types of objects to which a restricted user can be granted access one by one. */
export type Granted = (typeof grantedKinds)[number];

export const grantedKinds = ["compute", "volume", "domain", "nodebalancer", "firewall", "image", "cluster"] as const;

/** The permissions of a restricted user: for the whole account, and for individual objects by kind and id. */
export interface Grants {
  global: Partial<Record<Extract<Grant, `add_${string}`>, boolean>> & { account_access?: Level | null };
  entities: Partial<Record<Granted, Record<string, Level>>>;
}

export interface UserRow {
  /** The user name, which is also the id of the row. */
  id: string;
  restricted: boolean;
  grants: Grants;
}

export interface TokenRow {
  /** Digest of the token. The token itself is not stored. */
  id: string;
  username: string;
  /** Label of the token, which the console shows. */
  label: string;
  scopes: "*" | readonly Scope[];
  /** The OAuth client that the token was issued to; null for a personal access token. */
  client_id: string | null;
  /** Expiry time in milliseconds since 1970. */
  expires: number | null;
}

/**
 * Renames a field in rows from snapshots and data files that earlier versions of the emulator have written. The result
 * is validated afterwards, so it has the type of the row.
 */
export function renamed<R extends Readonly<Record<string, unknown>>>(row: R, from: string, to: string): R {
  const { [from]: value, ...rest } = row;
  return value === undefined ? row : ({ ...rest, [to]: value } as unknown as R);
}

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
    started: z.number().nullable(),
    ended: z.number().nullable(),
    takes: z.number(),
  }),
  upgrade: (row) => ({
    ...renamed(row, "begun", "started"),
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
    ending: z.enum(["finish", "fail", "stall"]),
    takes: z.number(),
    task: z.string(),
    event_id: z.int(),
    username: z.string().nullable(),
  }),
  upgrade: (row) => renamed(row, "fate", "ending"),
});

export const users = table<UserRow>([], {
  shape: z.object({
    restricted: z.boolean(),
    grants: z.object({ global: z.looseObject({}), entities: z.looseObject({}) }),
  }),
});

export const tokens = table<TokenRow>([], {
  refs: { username: "users" },
  upgrade: (row) => ({ label: String(row.username), ...row }),
  shape: z.object({
    scopes: z.union([z.literal("*"), z.array(z.string())]),
    expires: z.number().nullable(),
  }),
});
