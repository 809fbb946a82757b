import type { Card, Drawn } from "./arrange";
import { type Element, element } from "./element";
import { countedKind, iconOf, lookOf } from "./kinds";
import { byUrgency, type Status } from "./status";

/** Maximum number of chips on a card. Further kinds of attached objects are counted. */
const MAX_CHIPS = 3;
/** Maximum number of attached objects of a kind that have a chip each. Defaults to 1; more of them are counted. */
const MAX_NAMED: Readonly<Record<string, number>> = { LkePool: 0 };
/** Maximum number of objects that a title lists. */
const MAX_LISTED = 20;

/** Classes of the element around a card: how urgent its status is, and whether a firewall protects the object. */
export function cardClasses({ object, parts }: Card): string {
  // A firewall on the card of a cluster protects a node, and not the whole cluster.
  const isGuarded = object.kind !== "LkeCluster" && parts.some(({ kind }) => kind === "Firewall");
  return ["card", `t-${object.status.tone}`, object.status.isDashed ? "dashed" : "", isGuarded ? "guarded" : ""]
    .filter(Boolean)
    .join(" ");
}

/** The contents of a card: icon, name, description, status, and a chip for each kind of attached objects. */
export function cardContents({ object, parts }: Card): Element[] {
  return [
    element("span", { class: "card-icon" }, iconOf(object.kind)),
    spoken(lookOf(object.kind).one),
    element(
      "span",
      { class: "card-text" },
      element("span", { class: "card-name" }, object.name),
      element("span", { class: "card-note" }, object.note ?? ""),
    ),
    element("span", { class: "chips" }, ...markOf(object.status), ...chipsOf(parts)),
  ];
}

/** A text for screen readers only, in place of an icon. The space separates it from the next text. */
const spoken = (text: string): Element => element("span", { class: "spoken" }, `${text} `);

/** The sign and label of a status; nothing for a status without a label. */
export const markOf = ({ label, sign, tone }: Status): Element[] =>
  label && sign
    ? [
        element(
          "span",
          { class: `mark t-${tone}` },
          element("span", { class: "sign", "aria-hidden": "true" }, sign),
          label,
        ),
      ]
    : [];

function chipsOf(parts: readonly Drawn[]): Element[] {
  const groups = [...groupsByKind(parts)].flatMap(([kind, group]) => {
    const named = MAX_NAMED[kind] ?? 1;
    return group.length <= named
      ? group.map((part) => chip(kind, part.name, [part], spoken(lookOf(kind).one)))
      : [chip(kind, kind === "Instance" ? nodes(group.length) : countedKind(kind, group.length), group)];
  });
  const shown = groups.slice(0, MAX_CHIPS);
  return groups.length > shown.length
    ? [...shown, element("span", { class: "chip" }, `+${groups.length - shown.length}`)]
    : shown;
}

/** An instance on the card of a cluster is a node of it. */
const nodes = (count: number): string => `${count} ${count === 1 ? "node" : "nodes"}`;

function groupsByKind(parts: readonly Drawn[]): Map<string, Drawn[]> {
  const groups = new Map<string, Drawn[]>();
  for (const part of parts) {
    const group = groups.get(part.kind);
    if (group) group.push(part);
    else groups.set(part.kind, [part]);
  }
  return groups;
}

/** A chip has the most urgent status of its objects. A sign is shown only if it says more than that all is well. */
function chip(kind: string, text: string, group: readonly Drawn[], ...before: Element[]): Element {
  const [{ status }] = group.toSorted((a, b) => byUrgency(a.status, b.status)) as [Drawn];
  const isCalm = status.tone === "good" || status.tone === "plain";
  const sign = isCalm && status.label !== "accepted" ? [] : [element("span", { class: "sign" }, status.sign)];
  return element(
    "span",
    { class: `chip t-${status.tone}` },
    iconOf(kind),
    ...sign,
    ...before,
    element("span", {}, text),
  );
}

/** The card in words, as a title: the object, its status, and what is attached to it. */
export function cardTitle({ object, parts }: Card): string {
  const { label } = object.status;
  const more = parts.length - MAX_LISTED;
  const attached = parts.slice(0, MAX_LISTED).map(nameWithStatus);
  return [
    `${lookOf(object.kind).one} ${object.name}`,
    ...(label ? [label] : []),
    ...(object.note ? [object.note] : []),
    ...attached,
    ...(more > 0 ? [`${more} more`] : []),
  ].join(", ");
}

const nameWithStatus = ({ kind, name, status }: Drawn): string =>
  `${lookOf(kind).one} ${name}${status.label && status.label !== "unchanged" ? ` (${status.label})` : ""}`;
