import { markOf } from "./card";
import { type Element, element } from "./element";
import { iconOf, lookOf } from "./kinds";
import type { Status } from "./status";

/** The entries of the legend: the given statuses, the border of a firewall, and the icons of the given kinds. */
export const legendOf = (statuses: readonly Status[], kinds: readonly string[]): Element[] => [
  ...statuses.flatMap(markOf),
  element(
    "span",
    { class: "key" },
    element("span", { class: "guard-key", "aria-hidden": "true" }),
    "protected by a firewall",
  ),
  ...kinds.map((kind) => element("span", { class: "key" }, iconOf(kind), lookOf(kind).one)),
];
