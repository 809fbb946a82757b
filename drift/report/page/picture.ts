import { counted } from "../../../api";
import {
  arrange,
  type Card,
  cardClasses,
  cardContents,
  cardTitle,
  type Drawn,
  driftStatuses,
  element,
  htmlOf,
  kindOrder,
  legendOf,
  type Region,
} from "../../../drawing";
import type { AccountObject } from "../../model";
import { attribute, escapeHtml } from "./text";

interface DrawnObject extends Drawn {
  object: AccountObject;
}

/**
 * The diagram of an account: a panel for each region, and a card for each object, on which attached objects are drawn.
 */
export function picture(objects: readonly AccountObject[], anchors: ReadonlyMap<AccountObject, string>): string {
  return arrange(objects.map(drawnOf))
    .map((region) => panel(region, anchors))
    .join("\n");
}

const drawnOf = (object: AccountObject): DrawnObject => {
  const { kind, id, region, on, status } = object;
  const note = id && `id ${id}`;
  return { key: `${kind}/${id}`, kind, name: nameOf(object), note, region, on, status: driftStatuses[status], object };
};

/**
 * A short name from the title of an object: `web-1` from `Instance "web-1" (7)`, `port 80` from
 * `port 80 of NodeBalancer 7 (7/8)`, and `A www.example.org` from `A record of www.example.org (4/5)`.
 */
const nameOf = ({ title }: AccountObject): string =>
  /"(.+)"/.exec(title)?.[1] ??
  title
    .replace(/ \([^ ]+\)$/, "")
    .replace(/ of [A-Z]\w+ \S+$/, "")
    .replace(" record of ", " ");

/** All statuses of objects, the most important first. */
export const statuses = ["deleted", "drift", "unmanaged", "unread", "accepted", "unchanged"] as const;

export const byImportance = (a: AccountObject, b: AccountObject): number =>
  statuses.indexOf(a.status) - statuses.indexOf(b.status);

export const labelOf = (status: AccountObject["status"]): string => driftStatuses[status].label;

/** The label of a status after a number of objects. */
export const countedLabelOf = (status: AccountObject["status"]): string =>
  status === "drift" ? driftStatuses.drift.counted : labelOf(status);

function panel({ name, cards }: Region<DrawnObject>, anchors: ReadonlyMap<AccountObject, string>): string {
  const all = [...new Set(cards.flatMap(({ object, parts }) => [object, ...parts]))].map(({ object }) => object);
  const byStatus = Map.groupBy(all.filter(isChanged), ({ status }) => status);
  const results = statuses.flatMap((status) => {
    const count = byStatus.get(status)?.length;
    return count ? [`${count} ${countedLabelOf(status)}`] : [];
  });
  const numbers = [counted(all.length, "object"), ...results].join(", ");
  return [
    `<h3>${escapeHtml(name)} <span class="soft">${numbers}</span></h3>`,
    `<div class="cards" role="group" aria-label=${attribute(`${name}: ${numbers}. The list contains all of them.`)}>`,
    ...cards.map((card) => drawing(card, anchors)),
    "</div>",
  ].join("\n");
}

const isChanged = ({ status }: AccountObject): boolean => status !== "unchanged";

/**
 * A card, which is a link to the list if something on it has changed. Tab stops only at such cards: with thousands of
 * stops, keyboard users could not reach the list that follows.
 */
function drawing(card: Card<DrawnObject>, anchors: ReadonlyMap<AccountObject, string>): string {
  const target = [card.object, ...card.parts].find(({ object }) => isChanged(object));
  const anchor = target && anchors.get(target.object);
  const [tag, place] = anchor ? ["a", { href: `#${encodeURIComponent(anchor)}` }] : ["span", { "aria-hidden": "true" }];
  const attributes = { class: cardClasses(card), ...place, title: cardTitle(card) };
  return htmlOf(element(tag, attributes, ...cardContents(card)), escapeHtml);
}

/** The list that explains the signs, borders and icons of the diagram. */
export function legend(objects: readonly AccountObject[]): string {
  const kinds = new Set(objects.map(({ kind }) => kind));
  return legendOf(
    statuses.map((status) => driftStatuses[status]),
    kindOrder.filter((kind) => kinds.has(kind)),
  )
    .map((entry) => `<li>${htmlOf(entry, escapeHtml)}</li>`)
    .join("");
}
