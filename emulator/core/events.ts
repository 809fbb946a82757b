import {
  type EntityOf,
  type Event,
  type EventAction,
  type EventEntity,
  eventActions,
  type SecondaryEntity,
  type SecondaryOf,
} from "../../api";
import type { Clock } from "./clock";
import type { EventRow } from "./core-tables";
import type { Table } from "./store";
import type { TaskOn } from "./tasks";

/** API paths by type of object, for the types whose path depends only on the id or the label. */
const home = {
  account: () => "/v4/account",
  compute: (id) => `/v4/compute/instances/${id}`,
  domain: (id) => `/v4/domains/${id}`,
  firewall: (id) => `/v4/networking/firewalls/${id}`,
  image: (id) => `/v4/images/private/${id}`,
  managed_service: (id) => `/v4/managed/services/${id}`,
  nodebalancer: (id) => `/v4/nodebalancers/${id}`,
  tag: (_, label) => `/v4/tags/${encodeURIComponent(label)}`,
  volume: (id) => `/v4/volumes/${id}`,
} satisfies Partial<Record<EventEntity["type"], (id: number, label: string) => string>>;

/** The reference to an object in an event: its id, label, type and API path. */
export const entity = <T extends keyof typeof home>(
  type: T,
  { id, label }: { id: number; label: string },
): EventEntity<T> => ({ id, label, type, url: home[type](id, label) });

/**
 * The reference to an image in the `secondary_entity` of an event. The id is a text such as `private/12`, except in the
 * event of a capture, where it is only the `number`.
 */
export const imageNamed = (
  { id, label }: { id: string; label: string },
  number?: number,
): SecondaryEntity<"image"> => ({
  id: number ?? id,
  label,
  type: "image",
  url: `/v4/images/${id}`,
});

/** The optional fields of an event. The action determines the type of `secondary_entity`. */
export type EventExtra<A extends EventAction> = Partial<
  Pick<EventRow, "status" | "message" | "started" | "takes" | "username"> & {
    secondary_entity: SecondaryEntity<SecondaryOf<A>> | null;
  }
>;

const SECOND = 1000;
export const MONTHS_3 = 90 * 24 * 3600 * SECOND;

/** Removes events when they become older than 90 days. */
export const eventForgotten: TaskOn<{ readonly events: EventLog }, object> = {
  name: "events.forgotten",
  run: ({ events }) => events.forget(),
};

export class EventLog {
  readonly table: Table<EventRow>;
  /** The user who causes new events. Set while a request is handled or a task runs. */
  actor: string | null = null;
  /**
   * Number of events written so far. The router compares it before and after a handler, to find handlers that do not
   * write their event.
   */
  written = 0;
  readonly #clock: Clock;
  readonly #forgetAt: (due: number) => void;

  constructor(table: Table<EventRow>, clock: Clock, forgetAt: (due: number) => void) {
    this.table = table;
    this.#clock = clock;
    this.#forgetAt = forgetAt;
  }

  /** Writes an event. The event is complete at once unless a status is given. */
  add<A extends EventAction>(
    action: A,
    about: EventEntity<EntityOf<A>>,
    extra: EventExtra<A> = {},
  ): Readonly<EventRow> {
    const now = this.#clock.now();
    this.written++;
    if (this.table.size === 0) this.#forgetAt(forgotten(this.#clock.time()));
    return this.table.insert({
      action,
      entity: about,
      secondary_entity: null,
      username: this.actor,
      status: eventActions[action].ends,
      message: "",
      read: false,
      seen: false,
      started: now,
      takes: 0,
      ...extra,
      ended: extra.status === "scheduled" || extra.status === "started" ? null : now,
    });
  }

  /** Updates an event, unless the event was removed because of its age. */
  mark(id: number, changes: Partial<Pick<EventRow, "status" | "started" | "ended">>): void {
    if (this.table.find(id)) this.table.patch(id, changes);
  }

  /** Removes events that are older than 90 days, and schedules the next removal. */
  forget(): void {
    const now = this.#clock.now();
    for (let [oldest] = this.table.slice(0, 1); oldest; [oldest] = this.table.slice(0, 1)) {
      const due = forgotten(oldest.created);
      if (due > now) {
        this.#forgetAt(due);
        return;
      }
      this.table.remove(oldest.id);
    }
  }

  /** The events of the last 90 days, newest first. */
  recent(): readonly Readonly<EventRow>[] {
    return this.table.all().toReversed();
  }

  /** The event as the API returns it. The progress is computed from the clock. */
  recordOf({ started, ended, takes, username, ...event }: Readonly<EventRow>): Event {
    const { status, action } = event;
    const spent = started === null || status === "notification" ? null : (ended ?? this.#clock.now()) - started;
    const running = status === "started";
    return {
      ...event,
      username: username ?? "",
      percent_complete: status === "notification" ? null : percent(status, (spent ?? 0) / Math.max(1, takes)),
      duration: spent === null ? null : spent / 1000,
      time_remaining: running && moves.has(action) ? clockTime(Math.max(0, takes - (spent ?? 0))) : null,
      rate: running && copies.has(action) ? `${RATE} MB/s` : null,
    };
  }
}

/** The progress of an event in percent. It is 100 only after the event's action has ended. */
function percent(status: Event["status"], part: number): number {
  if (status === "scheduled") return 0;
  return status === "started" ? Math.min(99, Math.floor(100 * part)) : 100;
}

/** The time after which the event is not returned any more. */
const forgotten = (created: string): number => Date.parse(`${created}Z`) + MONTHS_3 + SECOND;

/** Actions that copy data. Only events with these actions have a transfer rate. */
const copies: ReadonlySet<EventAction> = new Set([
  "compute_clone",
  "compute_migrate",
  "compute_migrate_datacenter",
  "compute_resize",
  "disk_duplicate",
  "disk_imagize",
  "volume_clone",
]);
const RATE = "140.0";

/** Migrations and clones. Only events with these actions have an estimate of the time left. */
const moves: ReadonlySet<EventAction> = new Set([
  "compute_clone",
  "compute_migrate",
  "compute_migrate_datacenter",
  "disk_duplicate",
  "volume_clone",
]);

/** A duration as `HH:MM:SS`, rounded up to seconds. */
function clockTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
