import type { Card, Region } from "../drawing";
import type { Shown } from "./store";

/** Where a card is in the picture, in pixels. */
export interface Cell {
  card: Card<Shown>;
  x: number;
  y: number;
  row: number;
}

/** The heading of a region. */
export interface Heading {
  name: string;
  cards: readonly Card<Shown>[];
  y: number;
}

export interface Layout {
  headings: readonly Heading[];
  cells: readonly Cell[];
  /** For each row, the index of its first cell and its upper edge. */
  rows: readonly { first: number; y: number }[];
  width: number;
  height: number;
}

/** Sizes in `rem`. The height of a card is in the style sheet of the drawing, too. */
const [CARD_WIDTH, CARD_HEIGHT, GAP, HEADING] = [16, 5.5, 0.75, 2.75];

/** Places the cards of all regions in columns that fill the width. */
export function layoutOf(regions: readonly Region<Shown>[], width: number, rem: number): Layout {
  const gap = GAP * rem;
  const columns = Math.max(1, Math.floor((width + gap) / (CARD_WIDTH * rem + gap)));
  const cardWidth = (width - gap * (columns - 1)) / columns;
  const headings: Heading[] = [];
  const cells: Cell[] = [];
  const rows: Layout["rows"][number][] = [];
  let y = 0;
  for (const { name, cards } of regions) {
    headings.push({ name, cards, y });
    y += HEADING * rem;
    for (let first = 0; first < cards.length; first += columns) {
      const row = rows.length;
      rows.push({ first: cells.length, y });
      for (const [column, card] of cards.slice(first, first + columns).entries())
        cells.push({ card, x: column * (cardWidth + gap), y, row });
      y += CARD_HEIGHT * rem + gap;
    }
    y += gap;
  }
  return { headings, cells, rows, width: cardWidth, height: y };
}

/** The indexes of the cells in the rows from `top` to `bottom`: the first one, and the one after the last. */
export function cellsBetween({ cells, rows }: Layout, top: number, bottom: number): [first: number, end: number] {
  const after = rows[lastRowAt(rows, bottom) + 1];
  return [rows[lastRowAt(rows, top)]?.first ?? 0, after?.first ?? cells.length];
}

/** The index of the last row that starts at or before `y`. */
function lastRowAt(rows: Layout["rows"], y: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.y ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cell to which an arrow key leads, if there is one. */
export function neighbor({ cells, rows }: Layout, at: number, key: string): Cell | undefined {
  const cell = cells[at];
  if (!cell) return undefined;
  if (key === "ArrowLeft") return cells[at - 1];
  if (key === "ArrowRight") return cells[at + 1];
  if (key === "Home") return cells[0];
  if (key === "End") return cells.at(-1);
  const row = cell.row + (key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0);
  const first = rows[row]?.first;
  if (first === undefined || row === cell.row) return undefined;
  const ofRow = cells.slice(first, rows[row + 1]?.first ?? cells.length);
  return ofRow.reduce((best, one) => (Math.abs(one.x - cell.x) < Math.abs(best.x - cell.x) ? one : best));
}
