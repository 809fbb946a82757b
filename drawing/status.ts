/** How urgent a status is, the most urgent first. The tone determines the color. */
export const tones = ["bad", "warn", "busy", "unknown", "off", "good", "plain"] as const;
export type Tone = (typeof tones)[number];

/** The status of an object: a sign and a label, so that it can be read without colors. */
export interface Status {
  label: string;
  /** Label after a number of objects. */
  counted?: string;
  sign: string;
  tone: Tone;
  /** Whether the object is drawn with a dashed border, because it is missing on one side. */
  isDashed?: boolean;
}

/** The results of a drift check, the most important first. */
export const driftStatuses = {
  deleted: { label: "deleted", sign: "×", tone: "bad", isDashed: true },
  drift: { label: "drift", counted: "with drift", sign: "!", tone: "bad" },
  unmanaged: { label: "unmanaged", sign: "?", tone: "warn", isDashed: true },
  unread: { label: "not checked", sign: "…", tone: "unknown", isDashed: true },
  accepted: { label: "accepted", sign: "✓", tone: "good" },
  unchanged: { label: "unchanged", sign: "", tone: "plain" },
} as const satisfies Record<string, Status>;

const signs: Readonly<Record<Tone, string>> = {
  bad: "!",
  warn: "?",
  busy: "◐",
  unknown: "…",
  off: "○",
  good: "●",
  plain: "",
};

/** The states in which objects of a running account are. States that are not listed are unknown. */
const tonesOfStates: Readonly<Record<string, Tone>> = Object.fromEntries([
  ...["running", "active", "ready", "enabled", "available", "up", "ok"].map((state) => [state, "good"]),
  ...["offline", "stopped", "disabled", "suspended"].map((state) => [state, "off"]),
  ...["contact_support", "down", "problem", "failed"].map((state) => [state, "bad"]),
  ...["booting", "rebooting", "shutting_down", "provisioning", "deleting", "migrating", "rebuilding"].map((state) => [
    state,
    "busy",
  ]),
  ...["cloning", "restoring", "resizing", "creating", "pending", "pending_upload", "not_ready"].map((state) => [
    state,
    "busy",
  ]),
]);

const noState: Status = { label: "", sign: "", tone: "plain" };
const known = new Map<string, Status>();

/** The status of an object of a running account, given the state that the API returns. */
export function liveStatus(state: string | undefined): Status {
  if (state === undefined) return noState;
  const status = known.get(state) ?? newStatus(state);
  known.set(state, status);
  return status;
}

function newStatus(state: string): Status {
  const tone = tonesOfStates[state.toLowerCase()] ?? "unknown";
  return { label: state.toLowerCase().replaceAll("_", " "), sign: signs[tone], tone };
}

/** The kinds of live statuses, for the legend. */
export const liveStatuses: readonly Status[] = [
  { label: "running or ready", sign: signs.good, tone: "good" },
  { label: "in progress", sign: signs.busy, tone: "busy" },
  { label: "off", sign: signs.off, tone: "off" },
  { label: "failed or down", sign: signs.bad, tone: "bad" },
  { label: "unknown", sign: signs.unknown, tone: "unknown" },
];

const ranks = new Map<Tone, number>(tones.map((tone, rank) => [tone, rank]));

/** Compares two statuses; the more urgent one comes first. */
export const byUrgency = (a: Status, b: Status): number => (ranks.get(a.tone) ?? 0) - (ranks.get(b.tone) ?? 0);
