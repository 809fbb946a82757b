import { computed, signal } from "@preact/signals";
import { type Drawn, liveStatus } from "../drawing";
import type { Connection, ConsoleState, Hello, RequestSummary } from "../emulator/console/feed";
import type { ConsoleObject } from "../emulator/console/kinds";
import { continued, isSameLog, merged } from "./request-list";
import { whileVisible } from "./while-visible";

/** An object of the account, with what the picture and the search need. */
export interface Shown extends Drawn {
  id: string;
  /** All texts of the object in lower case. */
  text: string;
  /** Counts its changes, so that only changed cards are drawn again. */
  stamp: number;
  /** Time of the last change that is worth a highlight, by `performance.now()`. */
  changedAt: number;
}

/** Maximum number of recent changes that screen readers hear one by one. */
const MAX_ANNOUNCED = 2;

export const isLive = signal(false);
export const names = signal<Hello["names"]>({ operations: [], scopes: [], faults: [] });
export const connection = signal<Connection>({ token: null, dialect: null });
/** Counts the connections to the emulator. Details that were loaded over an earlier one may be out of date. */
export const connections = signal(0);
export const state = signal<ConsoleState | undefined>(undefined);
/** The latest requests, the newest first. */
export const requests = signal<readonly RequestSummary[]>([]);
/** The text that screen readers announce. */
export const announcement = signal("");

/** All objects by key. Changes are visible to components by `structure` and `paint`. */
export const objects = new Map<string, Shown>();
/** Counts the changes that move cards: objects that appear, disappear, or get attached to another one. */
export const structure = signal(0);
/** Counts all changes of objects. */
export const paint = signal(0);

/** The emulated time now, in milliseconds since 1970. */
export const emulatedNow = (): number => {
  const clock = state.value?.clock;
  if (!clock) return 0;
  return "stands" in clock ? clock.stands : Date.now() + clock.ahead;
};

export const activeFaults = computed(() => state.value?.faults.filter(({ hits, times }) => hits < times).length ?? 0);

/** The changes since the last frame. A frame draws all changes at once. */
let pending: { isMoved: boolean; spoken: string[] } | undefined;
let received = new Map<number, RequestSummary>();

function schedule(): NonNullable<typeof pending> {
  if (!pending) {
    pending = { isMoved: false, spoken: [] };
    requestAnimationFrame(apply);
  }
  return pending;
}

function apply(): void {
  const { isMoved = false, spoken = [] } = pending ?? {};
  pending = undefined;
  if (received.size > 0) {
    requests.value = merged(requests.value, received.values());
    received = new Map();
  }
  if (isMoved) structure.value++;
  paint.value++;
  if (spoken.length > 0)
    announcement.value =
      spoken.length <= MAX_ANNOUNCED ? spoken.join(", ") : `${spoken.length} objects changed, ${objects.size} in all`;
}

const listOf = ({ on }: Pick<Drawn, "on">): string => (on ? on.join("\n") : "");

/** Takes an object over. Returns whether cards move. */
function put(sent: ConsoleObject, changedAt: number): boolean {
  const { kind, id, name, region, note, on } = sent;
  const key = `${kind}/${id}`;
  const status = liveStatus(sent.state);
  const text = [kind, id, name, region, note, status.label].join(" ").toLowerCase();
  const before = objects.get(key);
  const isMoved = !before || before.region !== region || listOf(before) !== listOf(sent);
  if (before) Object.assign(before, { name, region, note, on, status, text, changedAt, stamp: before.stamp + 1 });
  else objects.set(key, { key, kind, id, name, region, note, on, status, text, changedAt, stamp: 0 });
  return isMoved;
}

function start({ names: offered, connection: used, objects: all, requests: recent, state: current }: Hello): void {
  objects.clear();
  for (const object of all) put(object, Number.NEGATIVE_INFINITY);
  names.value = offered;
  connection.value = used;
  connections.value++;
  const known = isSameLog(state.value, current) ? merged(requests.value, received.values()) : [];
  state.value = current;
  requests.value = continued(known, recent);
  received.clear();
  isLive.value = true;
  schedule().isMoved = true;
}

/** Connects to the emulator while the page is visible. The first message of each connection has the whole account. */
export const connect = (): void => whileVisible(document, stream);

/** Opens a stream. The browser connects again by itself if the connection is lost. */
function stream(): EventSource {
  const source = new EventSource("console/stream");
  const on = <T>(event: string, handle: (data: T) => void): void =>
    source.addEventListener(event, ({ data }: MessageEvent<string>) => handle(JSON.parse(data)));
  source.onerror = () => {
    isLive.value = false;
  };
  on<Hello>("hello", start);
  on<ConsoleState>("state", (sent) => {
    if (!isSameLog(sent, state.value)) {
      requests.value = [];
      received.clear();
    }
    state.value = sent;
  });
  on<RequestSummary[]>("requests", (sent) => {
    for (const one of sent) received.set(one.n, one);
    schedule();
  });
  on<{ put: ConsoleObject[]; removed: string[] }>("objects", ({ put: changed, removed }) => {
    const change = schedule();
    const now = performance.now();
    for (const object of changed) {
      if (put(object, now)) change.isMoved = true;
      change.spoken.push(`${object.name}${object.state ? ` ${object.state.replaceAll("_", " ")}` : ""}`);
    }
    for (const key of removed) {
      const before = objects.get(key);
      if (!before) continue;
      objects.delete(key);
      change.isMoved = true;
      change.spoken.push(`${before.name} deleted`);
    }
  });
  return source;
}
