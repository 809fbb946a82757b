import type { AccountObject } from "../../drift/model";
import { attribute, escapeHtml } from "../../drift/report/page/text";

/** Sizes in pixels. A card is an object with the objects that are attached to it, one per row. */
const CARD = { width: 264, head: 44, row: 20, foot: 8 };
const [COLUMNS, GAP, PADDING, HEADING] = [3, 36, 20, 40];
const WIDTH = 2 * PADDING + COLUMNS * CARD.width + (COLUMNS - 1) * GAP;
/** The widths of a character of a name and of a kind. */
const [NAME, KIND] = [6.8, 5.8];

interface Card {
  object: AccountObject;
  rows: AccountObject[];
  /** The instances behind a load balancer, to which lines lead. */
  backends: AccountObject[];
}

/** A card at its place in the picture. */
interface Placed extends Card {
  x: number;
  y: number;
}

/**
 * Draws the objects of a stack as an SVG for light and dark themes: a panel for each region, and lines from load
 * balancers to their instances.
 */
export function stackPicture(name: string, objects: readonly AccountObject[]): string {
  const sorted = [...objects].sort((a, b) => orderOf(a) - orderOf(b) || (textOf(a) < textOf(b) ? -1 : 1));
  const panels = Map.groupBy(cardsOf(sorted), ({ object }) => object.region ?? "");
  const drawn: string[] = [];
  let y = PADDING;
  for (const [region, cards] of [...panels].sort(([a], [b]) => Number(!a) - Number(!b) || (a < b ? -1 : 1))) {
    const placed = place(cards, y + HEADING);
    const height = Math.max(...placed.map((card) => card.y + heightOf(card))) + PADDING - y;
    drawn.push(
      `<rect class="panel" x="1" y="${y}" width="${WIDTH - 2}" height="${height}" rx="10"/>`,
      `<text class="region" x="${PADDING}" y="${y + 26}">${region ? `region ${escapeHtml(region)}` : "without a region"}</text>`,
      ...placed.flatMap((card) => linesFrom(card, placed)),
      ...placed.map(drawing),
    );
    y += height + PADDING;
  }
  const label = `The objects of ${name}: ${sorted.map((object) => `${object.kind} ${nameOf(object)}`).join(", ")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label=${attribute(label)}>
<style>${style}</style>
${drawn.join("\n")}
</svg>
`;
}

/** The name of a resource in its program, or of an object that no program declares. */
export const nameOf = ({ address, title }: AccountObject): string =>
  address?.split("/").slice(3).join("/") ?? /"(.+)"/.exec(title)?.[1] ?? title;

/** Objects that are never drawn as a row of another one. */
const alwaysCards = ["Instance", "NodeBalancer"];

function cardsOf(sorted: readonly AccountObject[]): Card[] {
  const byKey = new Map(sorted.map((object) => [`${object.kind}/${object.id}`, object]));
  const hostsOf = ({ on = [], kind, id }: AccountObject): AccountObject[] =>
    [...on, ...(kind === "ObjectStorageObject" ? [bucketOf(id)] : [])].flatMap((key) => byKey.get(key) ?? []);
  const isCard = (object: AccountObject): boolean => alwaysCards.includes(object.kind) || !hostsOf(object).length;
  return sorted.filter(isCard).map((object) => {
    const parts = sorted.filter((part) => part !== object && hostsOf(part).includes(object));
    const backends = parts.flatMap(hostsOf).filter(({ kind }) => object.kind === "NodeBalancer" && kind === "Instance");
    const rows = parts.filter((part) => !isCard(part) && mainHostOf(part, hostsOf(part)).includes(object));
    return { object, rows, backends: [...new Set(backends)] };
  });
}

/** The bucket of an object, by its id: `us-east-1/photos/2026/cat.jpg`. */
const bucketOf = (id: string): string => `ObjectStorageBucket/${id.split("/").slice(0, 2).join("/")}`;

/** The cards that list an object: a backend is listed with its load balancer, a firewall with every instance. */
const mainHostOf = ({ kind }: AccountObject, hosts: AccountObject[]): AccountObject[] =>
  kind.startsWith("NodeBalancer") ? hosts.filter((host) => host.kind === "NodeBalancer") : hosts;

const textOf = (object: AccountObject): string => `${object.kind}/${nameOf(object)}`;

/** Places load balancers in the first column, their instances in the second, and all others where there is room. */
function place(cards: readonly Card[], top: number): Placed[] {
  const bottoms = Array.from({ length: COLUMNS }, () => top);
  const backends = new Set(cards.flatMap((card) => card.backends));
  const add = (card: Card, columns: readonly number[]): Placed => {
    const column = columns.reduce((best, one) => ((bottoms[one] ?? 0) < (bottoms[best] ?? 0) ? one : best));
    const y = bottoms[column] ?? top;
    bottoms[column] = y + heightOf(card) + PADDING;
    return { ...card, x: PADDING + column * (CARD.width + GAP), y };
  };
  const group = ({ object, backends: targets }: Card): number => (targets.length ? 0 : backends.has(object) ? 1 : 2);
  return [0, 1, 2].flatMap((which) => {
    const columns = which < 2 ? [which] : backends.size ? [2] : [0, 1, 2];
    return cards.filter((card) => group(card) === which).map((card) => add(card, columns));
  });
}

const heightOf = ({ rows }: Card): number => CARD.head + rows.length * CARD.row + (rows.length ? CARD.foot : 0);

function linesFrom({ x, y, backends }: Placed, placed: readonly Placed[]): string[] {
  const [fromX, fromY] = [x + CARD.width, y + CARD.head / 2];
  return placed
    .filter(({ object }) => backends.includes(object))
    .map(({ x: toX, y: top }) => {
      const toY = top + CARD.head / 2;
      const middle = (fromX + toX) / 2;
      return `<path class="line" d="M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}"/>`;
    });
}

function drawing(card: Placed): string {
  const { object, rows, x, y } = card;
  const [area, status] = [areaOf(object.kind), object.status === "unmanaged" ? " unmanaged" : ""];
  const kind = status ? `${object.kind}, not managed by the stack` : object.kind;
  return [
    `<g><rect class="card${status}" x="${x}" y="${y}" width="${CARD.width}" height="${heightOf(card)}" rx="7"/>`,
    `<rect class="${area}" x="${x}" y="${y + 7}" width="4" height="${CARD.head - 14}" rx="2"/>`,
    `<text class="name" x="${x + 14}" y="${y + 19}">${shortened(nameOf(object), "")}</text>`,
    `<text class="kind" x="${x + 14}" y="${y + 34}">${escapeHtml(kind)}</text>`,
    ...rows.map((row, i) => {
      const base = y + CARD.head + i * CARD.row + 11;
      return [
        `<circle class="${areaOf(row.kind)}" cx="${x + 18}" cy="${base - 4}" r="4"/>`,
        `<text class="row" x="${x + 30}" y="${base}">${shortened(nameOf(row), row.kind)}</text>`,
        `<text class="kind end" x="${x + CARD.width - 12}" y="${base}">${escapeHtml(row.kind)}</text>`,
      ].join("");
    }),
    "</g>",
  ].join("");
}

/** A name that fits into a card next to the name of its kind. */
function shortened(name: string, kind: string): string {
  const length = Math.floor((CARD.width - 50 - kind.length * KIND) / NAME);
  return escapeHtml(name.length > length ? `${name.slice(0, length - 1)}…` : name);
}

/** The areas of the service in the order of the picture. Each has a color. */
const areas: Record<string, RegExp> = {
  network: /^(NodeBalancer|Firewall|Ip|ReverseDns)/,
  compute: /^(Instance|Lke|Image)/,
  storage: /^(Volume|ObjectStorage)/,
  dns: /^Domain/,
  account: /./,
};

const areaOf = (kind: string): string => Object.entries(areas).find(([, kinds]) => kinds.test(kind))?.[0] ?? "account";

const orderOf = ({ kind }: AccountObject): number => Object.keys(areas).indexOf(areaOf(kind));

/** A reader who prefers a dark theme gets one, because the picture is an image of its own. */
const style = `
svg { --page: #fff; --panel: #f4f6f8; --line: #c9d0d8; --text: #1a1f26; --soft: #515c69; --network: #c2410c; --compute: #1d4ed8; --storage: #15803d; --dns: #7e22ce; --account: #64748b; }
@media (prefers-color-scheme: dark) { svg { --page: #14171c; --panel: #1d2229; --line: #3a424d; --text: #e6e9ee; --soft: #a8b2bf; --network: #fb923c; --compute: #60a5fa; --storage: #4ade80; --dns: #c084fc; --account: #94a3b8; } }
text { font: 12px ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--text); } .name, .region { font-weight: 600; font-size: 13px; } .region, .kind { fill: var(--soft); } .kind { font-size: 10.5px; } .end { text-anchor: end; }
.panel { fill: var(--panel); stroke: var(--line); } .card { fill: var(--page); stroke: var(--line); } .unmanaged { stroke: var(--soft); stroke-dasharray: 5 3; } .line { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.network { fill: var(--network); } .compute { fill: var(--compute); } .storage { fill: var(--storage); } .dns { fill: var(--dns); } .account { fill: var(--account); }
`;
