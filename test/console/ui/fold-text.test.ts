import { expect, it } from 'vitest';
import {
  hasBrokenMark,
  linesOf,
  toggleFold,
  unfolded,
  wholeText,
} from '../../../src/console/ui/form/fold-text.js';

const text = `{
  "lines": [
    { "sku": "A-1" },
    {
      "sku": "}{"
    }
  ],
  "empty": [],
  "id": 1
}`;

it('folds objects and lists that end on a later line, and opens them again', () => {
  const open = unfolded(text);
  expect(linesOf(open).flatMap(({ number, fold }) => (fold ? number : []))).toEqual([1, 2, 4]);
  const inner = toggleFold(open, 3);
  expect(inner.shown.split('\n')[3]).toBe('    {⟦…1⟧}');
  const both = toggleFold(inner, 1);
  expect(both.shown).toBe('{\n  "lines": [⟦…2⟧],\n  "empty": [],\n  "id": 1\n}');
  expect(linesOf(both)).toEqual([
    { number: 1, fold: 'open' },
    { number: 2, fold: 'folded' },
    { number: 8 },
    { number: 9 },
    { number: 10 },
  ]);
  for (const folded of [inner, both]) expect(wholeText(folded)).toBe(text);
  expect(toggleFold(both, 1).shown).toBe(inner.shown);
  expect(toggleFold(toggleFold(both, 1), 3).shown).toBe(text);
});

it('keeps edits next to a folded part, removes a part with its mark, and notices a broken mark', () => {
  const folded = toggleFold(unfolded(text), 1);
  const edit = (change: (shown: string) => string) => ({ ...folded, shown: change(folded.shown) });
  expect(wholeText(edit((shown) => shown.replace('"id": 1', '"id": 2')))).toBe(
    text.replace('"id": 1', '"id": 2'),
  );
  const removed = edit((shown) => shown.replace('⟦…1⟧', ''));
  expect(hasBrokenMark(removed)).toBe(false);
  expect(JSON.parse(wholeText(removed))).toEqual({ lines: [], empty: [], id: 1 });
  expect(hasBrokenMark(edit((shown) => shown.replace('⟧', '')))).toBe(true);
  expect(hasBrokenMark(unfolded('⟦ is text'))).toBe(false);
});
