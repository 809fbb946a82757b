import { kindOrder } from "./kinds";
import { byUrgency, type Status } from "./status";

/** An object to draw. */
export interface Drawn {
  /** `Kind/id`, by which other objects refer to it. */
  key: string;
  kind: string;
  name: string;
  note?: string | undefined;
  region?: string | undefined;
  /** Keys of the objects that the object belongs to or is attached to. */
  on?: readonly string[] | undefined;
  status: Status;
}

/** An object with a card of its own, and the objects that are drawn on its card. */
export interface Card<D extends Drawn = Drawn> {
  object: D;
  parts: D[];
}

/** The cards of a region. The cards of objects without a region come last, under the name `global`. */
export interface Region<D extends Drawn = Drawn> {
  name: string;
  cards: Card<D>[];
}

export const GLOBAL = "global";

/** Kinds with a card of their own, even if they are attached to another object. */
const alwaysCards: ReadonlySet<string> = new Set(["Instance", "NodeBalancer"]);

/**
 * Arranges an account: a card for each object that is not attached to another one, with the attached objects on it, in
 * a panel for each region. The nodes of a cluster, and what is attached to them, are on the card of the cluster, and a load
 * balancer is also on the cards of the instances behind it.
 */
export function arrange<D extends Drawn>(
  objects: readonly D[],
  byKey: ReadonlyMap<string, D> = new Map(objects.map((object) => [object.key, object])),
): Region<D>[] {
  const cards = new Map<D, Card<D>>();
  const cardOf = (object: D): Card<D> => {
    const card = cards.get(object) ?? { object, parts: [] };
    cards.set(object, card);
    return card;
  };
  const shownOn = (host: D): D =>
    (host.kind === "Instance" && hostsOf(host, byKey).find(({ kind }) => kind === "LkeCluster")) || host;
  const backends = new Map<D, Set<D>>();
  for (const object of objects) {
    const hosts = hostsOf(object, byKey);
    if (hosts.length === 0 || (alwaysCards.has(object.kind) && hosts[0]?.kind !== "LkeCluster")) cardOf(object);
    else for (const host of new Set(partOf(object, hosts).map(shownOn))) cardOf(host).parts.push(object);
    const balancer = hosts.find(({ kind }) => kind === "NodeBalancer");
    const backend = hosts.find(({ kind }) => kind === "Instance");
    if (balancer && backend) backends.set(balancer, (backends.get(balancer) ?? new Set()).add(backend));
  }
  const first = new Map<D, D>();
  for (const [balancer, instances] of backends)
    for (const instance of instances) {
      const card = cards.get(instance);
      // A node of a cluster has no card.
      if (!card) continue;
      card.parts.push(balancer);
      if (!first.has(balancer)) first.set(balancer, instance);
    }
  return regionsOf([...cards.values()], first);
}

function hostsOf<D extends Drawn>(object: D, all: ReadonlyMap<string, D>): D[] {
  if (!object.on) return [];
  const hosts: D[] = [];
  for (const key of object.on) {
    const host = all.get(key);
    if (host && host !== object) hosts.push(host);
  }
  return hosts;
}

/** A backend is drawn on its load balancer only, and a node of a cluster on its cluster only. */
function partOf<D extends Drawn>({ kind }: D, hosts: readonly D[]): readonly D[] {
  const owner = kind === "NodeBalancerNode" ? "NodeBalancer" : kind === "Instance" ? "LkeCluster" : undefined;
  const owners = hosts.filter((host) => host.kind === owner);
  return owners.length > 0 ? owners : hosts;
}

const orders = new Map(kindOrder.map((kind, at) => [kind, at]));
const orderOf = (kind: string): number => orders.get(kind) ?? orders.size;

/** Sorts cards into regions, by kind. A load balancer comes before the first instance behind it. */
function regionsOf<D extends Drawn>(cards: readonly Card<D>[], first: ReadonlyMap<D, D>): Region<D>[] {
  const regions = new Map<string, Map<number, Card<D>[]>>();
  const balancersByBackend = new Map<D, Card<D>[]>();
  for (const card of cards) {
    const backend = first.get(card.object);
    if (backend) balancersByBackend.set(backend, [...(balancersByBackend.get(backend) ?? []), card]);
  }
  for (const card of cards) {
    if (card.parts.length > 1) card.parts.sort(byKindAndUrgency);
    if (first.has(card.object)) continue;
    const name = card.object.region ?? GLOBAL;
    const region = regions.get(name) ?? new Map<number, Card<D>[]>();
    regions.set(name, region);
    const order = orderOf(card.object.kind);
    const group = region.get(order) ?? [];
    region.set(order, group);
    group.push(...(balancersByBackend.get(card.object) ?? []), card);
  }
  return [...regions]
    .sort(([a], [b]) => Number(a === GLOBAL) - Number(b === GLOBAL) || (a < b ? -1 : 1))
    .map(([name, groups]) => ({
      name,
      cards: [...groups].sort(([a], [b]) => a - b).flatMap(([, group]) => group),
    }));
}

const byKindAndUrgency = (a: Drawn, b: Drawn): number =>
  orderOf(a.kind) - orderOf(b.kind) || byUrgency(a.status, b.status);
