/**
 * The indexes of the entries to draw: those from `first` up to `end`, and the focused one. If it were removed when it is
 * scrolled away, it would lose the focus. `focused` is -1 if there is none.
 */
export function drawnIndexes(count: number, first: number, end: number, focused: number): readonly number[] {
  const last = Math.min(end, count);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  if (focused < 0 || focused >= count || (focused >= first && focused < last)) return indexes;
  return focused < first ? [focused, ...indexes] : [...indexes, focused];
}
