import { counted } from "../../../api";
import type { AccountObject } from "../../model";
import { attribute, escapeHtml } from "./text";

const [BOX, SIZE, RADIUS] = [72, 38, 28];
/** Maximum number of attached objects that are drawn around an object. More shapes could not be distinguished. */
const MAX_SATELLITES = 10;
/** Title of the panel for objects without a region. */
const GLOBAL = "global";

interface Tile {
  object: AccountObject;
  satellites: AccountObject[];
  /** The instances behind a load balancer, to which lines lead. */
  backends: AccountObject[];
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
 * The squares (tiles) of the diagram: instances, load balancers, and objects that are not attached to another object.
 * Attached objects are drawn around them.
 */
function tilesOf(objects: readonly AccountObject[]): Tile[] {
  const objectsByKey = new Map(objects.map((object) => [keyOf(object), object]));
  const tiles = new Map<AccountObject, Tile>();
  const tileOf = (object: AccountObject): Tile => {
    const tile = tiles.get(object) ?? { object, satellites: [], backends: [] };
    tiles.set(object, tile);
    return tile;
  };
  for (const object of objects) {
    const hosts = (object.on ?? []).flatMap((key) => objectsByKey.get(key) ?? []).filter((host) => host !== object);
    const isTile = !hosts.length || alwaysTiles.includes(object.kind);
    if (isTile) tileOf(object);
    else for (const host of hosts) tileOf(host).satellites.push(object);
    const machines = hosts.filter(({ kind }) => kind === "Instance");
    const balancer = object.kind === "NodeBalancer" ? object : hosts.find(({ kind }) => kind === "NodeBalancer");
    if (balancer && machines.length) tileOf(balancer).backends.push(...machines);
  }
  for (const { satellites } of tiles.values()) satellites.sort(byImportance);
  return nextToBackends([...tiles.values()]);
}

/** Moves each load balancer before its first instance, so that the lines to its instances are short. */
function nextToBackends(tiles: readonly Tile[]): Tile[] {
  const balancersByBackend = Map.groupBy(
    tiles.filter(({ backends }) => backends.length),
    ({ backends }) => backends[0],
  );
  return tiles.flatMap((tile) => [
    ...(balancersByBackend.get(tile.object) ?? []),
    ...(tile.backends.length ? [] : [tile]),
  ]);
}

const alwaysTiles = ["Instance", "NodeBalancer"];

const keyOf = ({ kind, id }: AccountObject): string => `${kind}/${id}`;

/** All statuses of objects, the most important first. */
export const statuses = ["deleted", "drift", "unmanaged", "unread", "accepted", "unchanged"] as const;

export const byImportance = (a: AccountObject, b: AccountObject): number =>
  statuses.indexOf(a.status) - statuses.indexOf(b.status);

export const labelOf = (status: AccountObject["status"]): string => (status === "unread" ? "not checked" : status);

/** The label of a status after a number of objects. */
export const countedLabelOf = (status: AccountObject["status"]): string =>
  status === "drift" ? "with drift" : labelOf(status);

function panel(region: string, tiles: readonly Tile[], anchors: ReadonlyMap<AccountObject, string>): string {
  const all = [...new Set(tiles.flatMap(({ object, satellites }) => [object, ...satellites]))];
  const byStatus = Map.groupBy(all.filter(isChanged), ({ status }) => status);
  const results = statuses.flatMap((status) => {
    const count = byStatus.get(status)?.length;
    return count ? [`${count} ${countedLabelOf(status)}`] : [];
  });
  const numbers = [counted(all.length, "object"), ...results].join(", ");
  return [
    `<h3>${escapeHtml(region)} <span class="soft">${numbers}</span></h3>`,
    `<div class="tiles" role="group" aria-label=${attribute(`${region}: ${numbers}. The list contains all of them.`)}>`,
    ...tiles.map((tile) => drawing(tile, anchors)),
    "</div>",
  ].join("\n");
}

const isChanged = ({ status }: AccountObject): boolean => status !== "unchanged";

function drawing({ object, satellites, backends }: Tile, anchors: ReadonlyMap<AccountObject, string>): string {
  const [center, shown] = [BOX / 2, satellites.slice(0, MAX_SATELLITES)];
  const more = satellites.length - shown.length;
  const lines = [signs[object.status], abbreviations[object.kind] ?? object.kind.slice(0, 4), more ? `+${more}` : ""];
  const corner = center - SIZE / 2;
  const drawn = [
    `<rect class="p-${object.status}" x="${corner}" y="${corner}" width="${SIZE}" height="${SIZE}" rx="6"/>`,
    ...lines
      .filter(Boolean)
      .map(
        (line, i, all) =>
          `<text x="${center}" y="${center + 4 + 11 * (i - (all.length - 1) / 2)}">${escapeHtml(line)}</text>`,
      ),
    ...shown.map((one, i) => satellite(one, center, (2 * Math.PI * i) / shown.length - Math.PI / 2)),
  ].join("");
  const machines = [...new Set(backends)];
  const names = [
    ...[object, ...shown.filter(isChanged)].map(({ title, status }) => `${title}: ${labelOf(status)}`),
    ...(machines.length ? [`in front of ${machines.map(quotedName).join(", ")}`] : []),
  ].join(", ");
  const statusCounts = [
    ...(machines.length ? [`data-to=${attribute(JSON.stringify(machines.map(keyOf)))}`] : []),
    ...(object.kind === "Instance" ? [`data-key=${attribute(keyOf(object))}`] : []),
  ].join(" ");
  const content = `<svg viewBox="0 0 ${BOX} ${BOX}" aria-hidden="true">${drawn}</svg><span class="name">${breakable(quotedName(object))}</span>`;
  // In the diagram, Tab stops only at objects with differences. With thousands of stops, keyboard users could not reach
  // the list that follows.
  const target = [object, ...satellites].find(isChanged);
  const anchor = target && anchors.get(target);
  return anchor
    ? `<a class="tile" ${statusCounts} href=${attribute(`#${encodeURIComponent(anchor)}`)} title=${attribute(names)}>${content}<span class="spoken">, ${escapeHtml(names)}</span></a>`
    : `<span class="tile" ${statusCounts} aria-hidden="true" title=${attribute(names)}>${content}</span>`;
}

/** The name in the title of an object, such as `web-1` in `Instance "web-1" (7)`. */
const quotedName = ({ title }: AccountObject): string => /"(.+)"/.exec(title)?.[1] ?? title;

/** A name that is rather broken after a period, a dash or a slash than inside a word. */
const breakable = (name: string): string =>
  name
    .split(/(?<=[./_-])/)
    .map(escapeHtml)
    .join("<wbr>");

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

function satellite({ kind, status }: AccountObject, center: number, angle: number): string {
  const [cx, cy] = [center + RADIUS * Math.cos(angle), center + RADIUS * Math.sin(angle)].map(
    (at) => Math.round(at * 10) / 10,
  ) as [number, number];
  return shapeOf(kind)(`class="satellite p-${status}"`, cx, cy);
}

type Shape = (style: string, cx: number, cy: number) => string;

/** The shapes of attached objects. Each has an entry in the legend. */
const shapes: Record<"volume" | "firewall" | "part of a load balancer" | "other object", Shape> = {
  volume: (style, cx, cy) => `<circle ${style} cx="${cx}" cy="${cy}" r="5"/>`,
  firewall: (style, cx, cy) => `<path ${style} d="M${cx} ${cy - 6}l6 6-6 6-6-6z"/>`,
  "part of a load balancer": (style, cx, cy) => `<path ${style} d="M${cx} ${cy - 6}l6 10h-12z"/>`,
  "other object": (style, cx, cy) => `<rect ${style} x="${cx - 4}" y="${cy - 4}" width="8" height="8"/>`,
};

function shapeOf(kind: string): Shape {
  if (kind.startsWith("Volume")) return shapes.volume;
  if (kind.startsWith("Firewall")) return shapes.firewall;
  return kind.startsWith("NodeBalancer") ? shapes["part of a load balancer"] : shapes["other object"];
}

/** The list that explains the signs and shapes of the diagram. */
export const legend = [
  ...statuses.flatMap((status) => (signs[status] ? [`${signs[status]} ${labelOf(status)}`] : [])),
  ...Object.entries(shapes).map(([name, shape]) => `${key(shape(`class="p-unchanged"`, 8, 8))} ${name}`),
  `${key('<path class="wire" d="M1 8h14"/>')} load balancer and its instance`,
]
  .map((text) => `<li>${text}</li>`)
  .join("");

function key(shape: string): string {
  return `<svg class="key" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`;
}
