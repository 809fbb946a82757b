import { computed, signal } from "@preact/signals";
import { arrange, type Card, kindOrder, type Region } from "../drawing";
import { isSameLog, type Log } from "./request-list";
import { objects, type Shown, state, structure } from "./store";

/** Whether the page shows only the picture or only a panel. The same width is in the style sheet. */
export const isNarrow = signal(matchMedia("(max-width: 50rem)").matches);
matchMedia("(max-width: 50rem)").addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});

export const panels = ["requests", "faults", "data", "access"] as const;
/** The panel that is open. `picture` is a choice only on narrow screens; others always show the picture. */
export type Panel = "picture" | (typeof panels)[number];
export const panel = signal<Panel>(isNarrow.value ? "picture" : "requests");

/** The object or request whose details are open. */
export type Selection = { object: string } | { request: number; log: Log | undefined } | undefined;
export const selection = signal<Selection>(undefined);
/** The request whose details are open. After the log was cleared or the emulator was started again, another request can get its number. */
export const selectedRequest = computed(() =>
  selection.value && "request" in selection.value && isSameLog(selection.value.log, state.value)
    ? selection.value.request
    : undefined,
);
/** The panel that is open again after the details are closed. */
const panelBefore = signal<Panel>(panel.value);
/** The card or row from which the details were opened. */
let origin: Selection;

/** Whether the picture exists. It keeps its place while the details of one of its cards cover it on a narrow screen. */
export const hasPicture = computed(
  () =>
    !isNarrow.value || panel.value === "picture" || (selection.value !== undefined && panelBefore.value === "picture"),
);

/** Opens the details of an object or request. On narrow screens, they take the place of the picture. */
export function open(what: NonNullable<Selection>): void {
  if (!selection.value) panelBefore.value = panel.value;
  origin = what;
  selection.value = what;
  if (panel.value === "picture") panel.value = "requests";
}

/** Opens the details of an object that the open details name. */
export function follow(what: NonNullable<Selection>): void {
  selection.value = what;
}

/** Closes the details, and moves the focus back to the card or row from which they were opened. */
export function close(): void {
  if (!selection.value) return;
  const from = selectorOf(origin);
  panel.value = panelBefore.value;
  selection.value = undefined;
  requestAnimationFrame(() => {
    const target = from && document.querySelector<HTMLElement>(from);
    (target || document.querySelector<HTMLElement>("[role=tab][aria-selected=true]"))?.focus();
  });
}

function selectorOf(opened: Selection): string | undefined {
  if (!opened) return undefined;
  if ("object" in opened) return `[data-key="${CSS.escape(opened.object)}"]`;
  return isSameLog(opened.log, state.value) ? `[data-n="${opened.request}"]` : undefined;
}

export function show(next: Panel): void {
  selection.value = undefined;
  panel.value = next;
}

export const query = signal("");
/** The kind of objects that the picture is limited to. */
export const onlyKind = signal<string | undefined>(undefined);

/** Kinds whose objects are only drawn as a part of others. The picture cannot be limited to them. */
const partKinds: ReadonlySet<string> = new Set(["NodeBalancerConfig", "NodeBalancerNode", "LkePool", "DomainRecord"]);

/** Number of objects by kind, in the order of kinds. */
export const counts = computed((): readonly (readonly [kind: string, count: number])[] => {
  structure.value;
  const byKind = new Map<string, number>();
  for (const { kind } of objects.values()) if (!partKinds.has(kind)) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  const order = (kind: string): number => (kindOrder.indexOf(kind) + kindOrder.length + 1) % (kindOrder.length + 1);
  return [...byKind].sort(([a], [b]) => order(a) - order(b));
});

const words = computed(() => query.value.toLowerCase().split(/\s+/).filter(Boolean));

const all = computed((): Region<Shown>[] => {
  structure.value;
  return arrange([...objects.values()], objects);
});

/** The regions with the cards that match the search and the kind. A card matches if anything on it does. */
export const regions = computed((): Region<Shown>[] => {
  const [terms, kind] = [words.value, onlyKind.value];
  if (terms.length === 0 && kind === undefined) return all.value;
  const matches = (one: Shown): boolean =>
    (kind === undefined || one.kind === kind) && terms.every((term) => one.text.includes(term));
  return all.value.flatMap(({ name, cards }) => {
    const matching = cards.filter(({ object, parts }) => matches(object) || parts.some(matches));
    return matching.length > 0 ? [{ name, cards: matching }] : [];
  });
});

export const isFiltered = computed(() => words.value.length > 0 || onlyKind.value !== undefined);

/** Changes whenever the object or something on its card changes. */
export const stampOf = ({ object, parts }: Card<Shown>): number =>
  parts.reduce((sum, { stamp }) => sum + stamp, object.stamp);
