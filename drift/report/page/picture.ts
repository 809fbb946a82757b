import { counted } from "../../../api";
import type { AccountObject } from "../../model";
import { attribute, escapeHtml } from "./text";

const [BOX, SIZE, RADIUS] = [72, 38, 28];
/** Maximum number of attached objects that are drawn around an object. More shapes could not be distinguished. */
const MOST_SATELLITES = 10;
/** Title of the panel for objects without a region. */
const GLOBAL = "global";

interface Tile {
  object: AccountObject;
  satellites: AccountObject[];
}

/**
 * The diagram of an account: a panel for each region, a tile for each object, and attached objects around their tile.
 */
export function picture(objects: readonly AccountObject[], anchors: ReadonlyMap<AccountObject, string>): string {
  const regions = Map.groupBy(tilesOf(objects), ({ object }) => object.region ?? GLOBAL);
  return [...regions]
    .sort(([a], [b]) => Number(a === GLOBAL) - Number(b === GLOBAL) || (a < b ? -1 : 1))
    .map(([region, tiles]) => panel(region, tiles, anchors))
    .join("\n");
}

/**
 * The squares (tiles) of the diagram: instances, and objects that are not attached to another object. Attached objects
 * are drawn around them; a load balancer is attached to each of its backends.
 */
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

/** All statuses of objects, the most important first. */
export const statuses = ["deleted", "drift", "unmanaged", "unread", "accepted", "unchanged"] as const;

export const byImportance = (a: AccountObject, b: AccountObject): number =>
  statuses.indexOf(a.status) - statuses.indexOf(b.status);

function panel(region: string, tiles: readonly Tile[], anchors: ReadonlyMap<AccountObject, string>): string {
  const changed = tiles.filter(({ object, satellites }) => [object, ...satellites].some(isChanged)).length;
  const label = `${region}: ${tiles.length} objects with the objects attached to them, ${changed} with a difference. The list contains all of them.`;
  return [
    `<h3>${escapeHtml(region)} <span class="soft">${counted(tiles.length, "object")}${changed ? `, ${changed} with a difference` : ""}</span></h3>`,
    `<div class="tiles" role="group" aria-label=${attribute(label)}>`,
    ...tiles.map((tile) => drawing(tile, anchors)),
    "</div>",
  ].join("\n");
}

const isChanged = ({ status }: AccountObject): boolean => status !== "unchanged";

function drawing({ object, satellites }: Tile, anchors: ReadonlyMap<AccountObject, string>): string {
  const [middle, shown] = [BOX / 2, satellites.slice(0, MOST_SATELLITES)];
  const more = satellites.length - shown.length;
  const lines = [signs[object.status], abbreviations[object.kind] ?? object.kind.slice(0, 4), more ? `+${more}` : ""];
  const corner = middle - SIZE / 2;
  const drawn = [
    `<rect class="p-${object.status}" x="${corner}" y="${corner}" width="${SIZE}" height="${SIZE}" rx="6"/>`,
    ...lines
      .filter(Boolean)
      .map(
        (line, i, all) =>
          `<text x="${middle}" y="${middle + 4 + 11 * (i - (all.length - 1) / 2)}">${escapeHtml(line)}</text>`,
      ),
    ...shown.map((one, i) => satellite(one, middle, (2 * Math.PI * i) / shown.length - Math.PI / 2)),
  ].join("");
  const names = [object, ...shown.filter(isChanged)].map(({ title, status }) => `${title}: ${status}`).join(", ");
  const content = `<svg viewBox="0 0 ${BOX} ${BOX}" aria-hidden="true">${drawn}</svg>${escapeHtml(nameIn(object))}`;
  // In the diagram, Tab stops only at objects with differences. With thousands of stops, keyboard users could not reach
  // the list that follows.
  const target = [object, ...satellites].find(isChanged);
  const anchor = target && anchors.get(target);
  return anchor
    ? `<a class="tile" href=${attribute(`#${encodeURIComponent(anchor)}`)} title=${attribute(names)}>${content}<span class="spoken">, ${escapeHtml(names)}</span></a>`
    : `<span class="tile" aria-hidden="true" title=${attribute(names)}>${content}</span>`;
}

/** The name in the title of an object, such as `web-1` in `Instance "web-1" (7)`. */
const nameIn = ({ title }: AccountObject): string => /"(.+)"/.exec(title)?.[1] ?? title;

const signs = { unchanged: "", drift: "!", deleted: "×", accepted: "✓", unmanaged: "?", unread: "…" } as const;

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
 * The shape for an attached object: circles for volumes, diamonds for firewalls, triangles for load balancers, squares
 * for all others.
 */
function satellite({ kind, status }: AccountObject, middle: number, angle: number): string {
  const [cx, cy] = [middle + RADIUS * Math.cos(angle), middle + RADIUS * Math.sin(angle)].map(
    (at) => Math.round(at * 10) / 10,
  ) as [number, number];
  const style = `class="satellite p-${status}"`;
  if (kind.startsWith("Volume")) return `<circle ${style} cx="${cx}" cy="${cy}" r="5"/>`;
  if (kind.startsWith("Firewall")) return `<path ${style} d="M${cx} ${cy - 6}l6 6-6 6-6-6z"/>`;
  if (kind.startsWith("NodeBalancer")) return `<path ${style} d="M${cx} ${cy - 6}l6 10h-12z"/>`;
  return `<rect ${style} x="${cx - 4}" y="${cy - 4}" width="8" height="8"/>`;
}
