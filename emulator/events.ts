import type { Event, EventAction, EventEntity } from "../api";
import type { Clock } from "./clock";
import type { Table } from "./store";
import { task } from "./tasks";

/** Where the things of each kind that events tell of are found. */
const home = {
  account: () => "/v4/account",
  backups: (id) => `/v4/compute/instances/${id}/backups`,
  compute: (id) => `/v4/compute/instances/${id}`,
  disks: (id) => `/v4/compute/instances/${id}/disks`,
  domain: (id) => `/v4/domains/${id}`,
  firewall: (id) => `/v4/networking/firewalls/${id}`,
  image: (id) => `/v4/images/private/${id}`,
  ipaddress: (id) => `/v4/networking/ips/${id}`,
  managed_service: (id) => `/v4/managed/services/${id}`,
  nodebalancer: (id) => `/v4/nodebalancers/${id}`,
  tag: (_, label) => `/v4/tags/${encodeURIComponent(label)}`,
  user: (id) => `/v4/account/users/${id}`,
  volume: (id) => `/v4/volumes/${id}`,
} satisfies Partial<Record<EventEntity["type"], (id: number, label: string) => string>>;

/** What an event says about the thing: its id, label, kind and place. */
export const entity = (type: keyof typeof home, { id, label }: { id: number; label: string }): EventEntity => ({
  id,
  label,
  type,
  url: home[type](id, label),
});

export interface EventRow {
  id: number;
  action: EventAction;
  created: string;
  entity: EventEntity;
  secondary_entity: EventEntity | null;
  username: string | null;
  status: Event["status"];
  message: string | null;
  read: boolean;
  seen: boolean;
  /** When its job began and ended, and how many milliseconds that is to take; an event without a job is over at once. */
  begun: number | null;
  ended: number | null;
  takes: number;
}

/** What can be said of an event besides action and entity. */
export type EventExtra = Partial<
  Pick<EventRow, "secondary_entity" | "status" | "message" | "begun" | "takes" | "username">
>;

const SECOND = 1000;
export const MONTHS_3 = 90 * 24 * 3600 * SECOND;

/** The oldest event is older than the history goes back. */
export const eventForgotten = task<object>("events.forgotten", (world) => world.events.forget());

/** The account's history. */
export class EventLog {
  readonly table: Table<EventRow>;
  /** In whose name things happen now: set while a request is handled or a task runs. */
  actor: string | null = null;
  /** How many events were written: the router sees by it that a change told the history. */
  written = 0;
  readonly #clock: Clock;
  readonly #forgetAt: (due: number) => void;

  constructor(table: Table<EventRow>, clock: Clock, forgetAt: (due: number) => void) {
    this.table = table;
    this.#clock = clock;
    this.#forgetAt = forgetAt;
  }

  add(action: EventAction, about: EventEntity, extra: EventExtra = {}): Readonly<EventRow> {
    const now = this.#clock.now();
    this.written++;
    if (this.table.size === 0) this.#forgetAt(forgotten(this.#clock.time()));
    return this.table.insert({
      action,
      entity: about,
      secondary_entity: null,
      username: this.actor,
      status: "notification",
      message: null,
      read: false,
      seen: false,
      begun: now,
      takes: 0,
      ...extra,
      ended: extra.status === "scheduled" || extra.status === "started" ? null : now,
    });
  }

  /** Changes an event, if it is not so old that it was forgotten. */
  mark(id: number, changes: Partial<Pick<EventRow, "status" | "begun" | "ended">>): void {
    if (this.table.find(id)) this.table.patch(id, changes);
  }

  /** Lets go of what is older than 90 days, and comes back when the next one is. */
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

  /** An event as the API shows it: progress is a matter of the clock. */
  shown({ begun, ended, takes, secondary_entity: second, username, ...event }: Readonly<EventRow>): Event {
    const spent = begun === null ? 0 : (ended ?? this.#clock.now()) - begun;
    const running = event.status === "started";
    const done =
      event.status === "scheduled" ? 0 : running ? Math.min(99, Math.floor((100 * spent) / Math.max(1, takes))) : 100;
    return {
      ...event,
      username: username ?? "",
      ...(second && { secondary_entity: { ...second, id: String(second.id) } }),
      percent_complete: done,
      duration: spent / 1000,
      time_remaining: running ? clockTime(Math.max(0, takes - spent)) : null,
      ...(running && copies.has(event.action) && { rate: `${RATE} MB/s` }),
    };
  }
}

/** When an event of that time is no longer shown. */
const forgotten = (created: string): number => Date.parse(`${created}Z`) + MONTHS_3 + SECOND;

/** Jobs that move data: the only ones that have a rate. */
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

/** `HH:MM:SS`, rounded up. */
function clockTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
