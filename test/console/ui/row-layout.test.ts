import { expect, it } from 'vitest';
import { createRowLayout } from '../../../src/console/ui/row-layout.js';

it.each([
  [
    { top: 0, height: 100, count: 0, rowHeight: 10 },
    { first: 0, last: 0 },
  ],
  [
    { top: 0, height: 100, count: 5, rowHeight: 10 },
    { first: 0, last: 5 },
  ],
  [
    { top: 5000, height: 100, count: 10_000, rowHeight: 10 },
    { first: 492, last: 518 },
  ],
  [
    { top: 5000, height: 100, count: 3, rowHeight: 10 },
    { first: 3, last: 3 },
  ],
])('computes which rows to render for the viewport %o: %o', (view, rows) => {
  expect(createRowLayout(view).range(view)).toEqual(rows);
});

it('leaves space for a heading above its row', () => {
  const layout = createRowLayout({ count: 100, rowHeight: 10, headings: [0, 3], headingHeight: 4 });
  expect(layout.height).toBe(1008);
  expect([0, 2, 3, 4, 99].map(layout.topOf)).toEqual([4, 24, 38, 48, 998]);
});

it.each([0, 250, 400, 777, 1500])('renders the visible rows and only a few others at %i', (top) => {
  const layout = createRowLayout({
    count: 100,
    rowHeight: 10,
    headings: [0, 30, 31, 60],
    headingHeight: 6,
  });
  const { first, last } = layout.range({ top, height: 200 });
  const visible = Array.from({ length: 100 }, (_, row) => row).filter(
    (row) => layout.topOf(row) + 10 > top && layout.topOf(row) < top + 200,
  );
  expect(visible.every((row) => row >= first && row < last)).toBe(true);
  expect(last - first).toBeLessThanOrEqual(visible.length + 18);
});
