interface Rows {
  count: number;
  rowHeight: number;
  /** The indexes of the rows with a heading above them, in order. */
  headings?: readonly number[];
  headingHeight?: number;
}

/** Consecutive rows under a heading. The heading stays visible while these rows scroll. */
export interface RowGroup {
  key: string;
  /** The index of the first row. */
  start: number;
  title: string;
  note: string;
}

const spare = 8;

/** The positions of the rows in a list. All rows have the same height, as do all headings. */
export function createRowLayout({ count, rowHeight, headings = [], headingHeight = 0 }: Rows) {
  const before = (isBefore: (row: number, index: number) => boolean): number =>
    headingHeight * headings.filter(isBefore).length;
  /** Converts a position in pixels to a position in rows. */
  const rowAt = (y: number): number =>
    (y - before((row, index) => row * rowHeight + index * headingHeight < y)) / rowHeight;
  return {
    height: count * rowHeight + headings.length * headingHeight,
    topOf: (row: number) => row * rowHeight + before((heading) => heading <= row),
    /** Returns the rows to render: the visible rows and a few on either side. `last` is exclusive. */
    range({ top, height }: { top: number; height: number }) {
      const first = Math.floor(rowAt(top)) - spare;
      const last = Math.ceil(rowAt(top + height)) + spare;
      const end = Math.max(0, Math.min(count, last));
      return { first: Math.min(Math.max(0, first), end), last: end };
    },
  };
}
