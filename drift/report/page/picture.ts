import type { AccountObject } from "../../model";
import { attribute, escapeHtml } from "./text";

const [CELL, SIZE, RADIUS, COLUMNS] = [76, 34, 27, 10];
/** Maximum number of objects around a tile: more could not be distinguished. */
const MOST_SATELLITES = 10;

interface Tile {
  object: AccountObject;
  satellites: AccountObject[];
}

/** The account as a diagram: a panel for each region, a tile for each object, and attached objects around it. */
export function picture(objects: readonly AccountObject[], anchors: ReadonlyMap<AccountObject, string>): string {
  const regions = Map.groupBy(tilesOf(objects), ({ object }) => object.region ?? "global");
  return [...regions]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([region, tiles]) => panel(region, tiles, anchors))
    .join("\n");
}

/** Attached objects are drawn around the object they are attached to, a load balancer around each of its backends. */
function tilesOf(objects: readonly AccountObject[]): Tile[] {
  const known = new Map(objects.map((object) => [`${object.kind}/${object.id}`, object]));
  const tiles = new Map<AccountObject, AccountObject[]>();
  for (const object of objects) {
    const hosts = (object.on ?? []).flatMap((key) => known.get(key) ?? []).filter((host) => host !== object);
    const isTile = !hosts.length || object.kind === "Instance";
    for (const tile of isTile ? [object] : hosts) {
      const satellites = tiles.get(tile) ?? [];
      tiles.set(tile, satellites);
      if (!isTile) satellites.push(object);
    }
  }
  return [...tiles].map(([object, satellites]) => ({ object, satellites: satellites.sort(byImportance) }));
}

/** All statuses, the most important ones first. */
export const statuses = ["deleted", "drift", "unmanaged", "unread", "accepted", "unchanged"] as const;

export const byImportance = (a: AccountObject, b: AccountObject): number =>
  statuses.indexOf(a.status) - statuses.indexOf(b.status);

function panel(region: string, tiles: readonly Tile[], anchors: ReadonlyMap<AccountObject, string>): string {
  const rows = Math.ceil(tiles.length / COLUMNS);
  const changed = tiles.filter(({ object, satellites }) => [object, ...satellites].some(isChanged)).length;
  const label = `${region}: ${tiles.length} objects with what is attached to them, ${changed} of them with a difference. The list has them all.`;
  const drawn = tiles.map((tile, i) => drawing(tile, i % COLUMNS, Math.floor(i / COLUMNS), anchors));
  return [
    `<h3>${escapeHtml(region)}</h3>`,
    `<svg viewBox="0 0 ${COLUMNS * CELL} ${rows * CELL}" role="group" aria-label=${attribute(label)}>`,
    ...drawn,
    "</svg>",
  ].join("\n");
}

const isChanged = ({ status }: AccountObject): boolean => status !== "unchanged";

function drawing(
  { object, satellites }: Tile,
  column: number,
  row: number,
  anchors: ReadonlyMap<AccountObject, string>,
): string {
  const [x, y] = [column * CELL + CELL / 2, row * CELL + CELL / 2];
  const [half, shown] = [SIZE / 2, satellites.slice(0, MOST_SATELLITES)];
  const more = satellites.length - shown.length;
  const text = signs[object.status] + (abbreviations[object.kind] ?? object.kind.slice(0, 4));
  const tile = [
    `<rect class="tile p-${object.status}" x="${x - half}" y="${y - half}" width="${SIZE}" height="${SIZE}" rx="5"/>`,
    `<text aria-hidden="true" x="${x}" y="${y + (more ? 0 : 3)}">${escapeHtml(text)}</text>`,
    ...(more ? [`<text aria-hidden="true" x="${x}" y="${y + 11}">+${more}</text>`] : []),
    ...shown.map((one, i) => satellite(one, x, y, (2 * Math.PI * i) / shown.length - Math.PI / 2)),
  ].join("");
  const names = [object, ...shown.filter(isChanged)].map(({ title, status }) => `${title}: ${status}`).join("\n");
  const content = `<title>${escapeHtml(names)}</title>${tile}`;
  // Thousands of tab stops would make the list unreachable by keyboard, so only objects with differences are focusable
  // in the diagram.
  const target = [object, ...satellites].find(isChanged);
  const anchor = target && anchors.get(target);
  return anchor ? `<a href=${attribute(`#${encodeURIComponent(anchor)}`)}>${content}</a>` : `<g>${content}</g>`;
}

const signs = { unchanged: "", drift: "! ", deleted: "× ", accepted: "✓ ", unmanaged: "? ", unread: "… " } as const;

const abbreviations: Readonly<Record<string, string>> = {
  Instance: "VM",
  Volume: "Disk",
  NodeBalancer: "LB",
  LkeCluster: "K8s",
  Firewall: "FW",
  Domain: "DNS",
  DomainRecord: "Rec",
  Image: "Img",
  ManagedContact: "Mgd",
  ManagedCredential: "Mgd",
  ManagedService: "Mgd",
  OAuthClient: "App",
  ObjectStorageBucket: "Bkt",
  ObjectStorageKey: "Key",
};

/**
 * The shape of a kind: circles for volumes, diamonds for firewalls, triangles for load balancers, squares for all
 * others.
 */
function satellite({ kind, status }: AccountObject, x: number, y: number, angle: number): string {
  const [cx, cy] = [x + RADIUS * Math.cos(angle), y + RADIUS * Math.sin(angle)].map(
    (at) => Math.round(at * 10) / 10,
  ) as [number, number];
  const style = `class="satellite p-${status}"`;
  if (kind.startsWith("Volume")) return `<circle ${style} cx="${cx}" cy="${cy}" r="5"/>`;
  if (kind.startsWith("Firewall")) return `<path ${style} d="M${cx} ${cy - 6}l6 6-6 6-6-6z"/>`;
  if (kind.startsWith("NodeBalancer")) return `<path ${style} d="M${cx} ${cy - 6}l6 10h-12z"/>`;
  return `<rect ${style} x="${cx - 4}" y="${cy - 4}" width="8" height="8"/>`;
}
