import { signal } from "@preact/signals";
import { Component, type RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import {
  type Card,
  cardClasses,
  cardContents,
  cardTitle,
  countedKind,
  iconOf,
  kindOrder,
  legendOf,
  liveStatuses,
  lookOf,
} from "../drawing";
import { drawnIndexes } from "./drawn";
import { Empty } from "./empty";
import { cellsBetween, type Heading, layoutOf, neighbor } from "./layout";
import { nodeOf } from "./nodes";
import { isLive, objects, paint, type Shown } from "./store";
import { counts, isFiltered, isNarrow, onlyKind, open, query, regions, selection, stampOf } from "./view";
import { rem, useKeys, useViewport } from "./window";

/** Pixels above and below the screen that are drawn, too, so that fast scrolling shows no gaps. */
const OVERSCAN = 300;
/** Milliseconds during which a changed card is highlighted. */
const HIGHLIGHT = 900;

/** Key of the card that Tab reaches. Arrow keys move it. */
const focused = signal("");

/** The account: a panel of cards for each region. Only the cards on the screen are in the document. */
export function Picture() {
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const shown = regions.value;
  // Components below compare the stamps of cards; this one has to run for each change.
  paint.value;
  const layout = useMemo(() => layoutOf(shown, viewport.width, rem()), [shown, viewport.width]);
  const focusedAt = useMemo(
    () => layout.cells.findIndex(({ card }) => card.object.key === focused.value),
    [layout, focused.value],
  );
  const [first, end] = cellsBetween(layout, viewport.top - OVERSCAN, viewport.top + viewport.height + OVERSCAN);
  const cells = drawnIndexes(layout.cells.length, first, end, focusedAt).flatMap((index) => layout.cells[index] ?? []);
  const wanted = useRef("");
  useLayoutEffect(() => {
    if (!wanted.current) return;
    scroller.current
      ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted.current)}"]`)
      ?.focus({ preventScroll: true });
    wanted.current = "";
  });
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [query.value, onlyKind.value]);
  useKeys(scroller, (event) => {
    const next = neighbor(layout, focusedAt, event.key);
    if (!next || !scroller.current) return;
    event.preventDefault();
    focused.value = wanted.current = next.card.object.key;
    const [top, height] = [scroller.current.scrollTop, viewport.height];
    const bottom = next.y + CARD_BOTTOM * rem();
    if (next.y < top + MARGIN * rem()) scroller.current.scrollTop = next.y - MARGIN * rem();
    else if (bottom > top + height) scroller.current.scrollTop = bottom - height;
  });
  const isCovered = isNarrow.value && selection.value !== undefined;
  const selected = selection.value && "object" in selection.value ? selection.value.object : "";
  return (
    <section class={`picture ${isCovered ? "covered" : ""}`} aria-label="Account">
      <Kinds />
      <Regions headings={layout.headings} scroller={scroller} />
      <div class="scroller" ref={scroller}>
        {objects.size === 0 && isLive.value && <Empty />}
        {objects.size > 0 && shown.length === 0 && isFiltered.value && (
          <p class="nothing">No object matches the search.</p>
        )}
        <div class="canvas" style={{ height: `${layout.height}px` }}>
          {layout.headings.map((heading) => (
            <RegionHeading key={heading.name} heading={heading} />
          ))}
          {cells.map(({ card, x, y }, i) => (
            <CardView
              key={card.object.key}
              card={card}
              x={x}
              y={y}
              width={layout.width}
              stamp={stampOf(card)}
              isSelected={card.object.key === selected}
              canFocus={focusedAt >= 0 ? card.object.key === focused.value : i === 0}
            />
          ))}
        </div>
      </div>
      {objects.size > 0 && <Legend />}
    </section>
  );
}
/** Height of a card with the gap below it, and space above a focused card, in `rem`. */
const [CARD_BOTTOM, MARGIN] = [6.25, 3];

interface CardProps {
  card: Card<Shown>;
  x: number;
  y: number;
  width: number;
  stamp: number;
  isSelected: boolean;
  canFocus: boolean;
}

/** A card at its place. It is drawn again only if something on it has changed. */
class CardView extends Component<CardProps> {
  override shouldComponentUpdate(next: CardProps): boolean {
    return (Object.keys(next) as (keyof CardProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ card, x, y, width, stamp, isSelected, canFocus }: CardProps) {
    const { key, changedAt } = card.object;
    const changed = card.parts.reduce((latest, part) => Math.max(latest, part.changedAt), changedAt);
    const isChanged = performance.now() - changed < HIGHLIGHT;
    // The two animations are the same. A change of the name starts the highlight again.
    const highlight = isChanged ? (stamp % 2 === 0 ? " changed" : " changed-again") : "";
    return (
      <button
        type="button"
        data-key={key}
        class={cardClasses(card) + highlight}
        aria-pressed={isSelected}
        title={cardTitle(card)}
        tabIndex={canFocus ? 0 : -1}
        style={{ transform: `translate(${x}px, ${y}px)`, width: `${width}px` }}
        onFocus={() => {
          focused.value = key;
        }}
        onClick={() => {
          // Some browsers do not move the focus when a button is clicked.
          focused.value = key;
          open({ object: key });
        }}
      >
        {cardContents(card).map(nodeOf)}
      </button>
    );
  }
}

function RegionHeading({ heading: { name, cards, y } }: { heading: Heading }) {
  const kinds = new Map<string, number>();
  for (const { object } of cards) kinds.set(object.kind, (kinds.get(object.kind) ?? 0) + 1);
  return (
    <h2 class="region" style={{ transform: `translateY(${y}px)` }}>
      {name} <span class="soft">{[...kinds].map(([kind, count]) => countedKind(kind, count)).join(", ")}</span>
    </h2>
  );
}

/** Number of objects by kind. A click limits the picture to one kind. */
function Kinds() {
  const total = objects.size;
  if (total === 0) return null;
  const choices = [[undefined, total] as const, ...counts.value];
  return (
    <fieldset class="kinds" aria-label="Show only a kind">
      {choices.map(([kind, count]) => (
        <button
          key={kind ?? ""}
          type="button"
          class="kind"
          aria-pressed={onlyKind.value === kind}
          onClick={() => {
            onlyKind.value = kind;
          }}
        >
          {kind && nodeOf(iconOf(kind))}
          {kind ? lookOf(kind).many : "all objects"} <b>{count.toLocaleString("en")}</b>
        </button>
      ))}
    </fieldset>
  );
}

interface RegionsProps {
  headings: readonly Heading[];
  scroller: RefObject<HTMLElement | null>;
}

/** Number of cards from which on there are links to the regions. */
const MANY_CARDS = 60;

/** Links to the regions of a large account. */
function Regions({ headings, scroller }: RegionsProps) {
  const total = headings.reduce((sum, { cards }) => sum + cards.length, 0);
  if (headings.length < 2 || total < MANY_CARDS) return null;
  return (
    <nav class="regions" aria-label="Regions">
      {headings.map(({ name, cards, y }) => (
        <button key={name} type="button" class="link" onClick={() => scroller.current?.scrollTo({ top: y })}>
          {name} <span class="soft">{cards.length.toLocaleString("en")}</span>
        </button>
      ))}
    </nav>
  );
}

const Legend = () => (
  <details class="legend-box">
    <summary>Legend</summary>
    <ul class="legend">
      {legendOf(liveStatuses, kindOrder).map((entry, i) => (
        <li key={i}>{nodeOf(entry)}</li>
      ))}
    </ul>
  </details>
);
