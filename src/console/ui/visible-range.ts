const spare = 8;

/** Returns the rows to draw: the visible rows and a few on either side. `last` is exclusive. */
export function visibleRange(view: { top: number; height: number; count: number; rowHeight: number }): {
  first: number;
  last: number;
} {
  const first = Math.floor(view.top / view.rowHeight) - spare;
  const last = Math.ceil((view.top + view.height) / view.rowHeight) + spare;
  const end = Math.max(0, Math.min(view.count, last));
  return { first: Math.min(Math.max(0, first), end), last: end };
}
