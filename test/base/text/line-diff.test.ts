import { expect, it } from 'vitest';
import { diffLines, foldSame, type DiffLine } from '../../../src/base/text/line-diff.js';

const diff = (before: string, after: string): DiffLine[] => diffLines(before.split('\n'), after.split('\n'));

const shown = (before: string, after: string): string[] =>
  diff(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

it.each([
  ['identical lines', 'a\nb', 'a\nb', [' a', ' b']],
  ['a changed line', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['an inserted line', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a deleted line', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['changes in two places', 'a\nb\nc\nd\ne', 'a\nB\nc\nd\nE', [' a', '-b', '+B', ' c', ' d', '-e', '+E']],
  ['a moved line', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
  ['an empty old version', '', 'a', ['-', '+a']],
])('compares strings with %s', (_, before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

it('numbers each diff line by its position in both strings', () => {
  expect(diff('a\nb', 'b\nc')).toEqual([
    { kind: 'removed', text: 'a', before: 1, after: 0 },
    { kind: 'same', text: 'b', before: 2, after: 1 },
    { kind: 'added', text: 'c', before: 2, after: 2 },
  ]);
});

it('includes every line of both strings in the diff', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const letters = (salt: number): string =>
      Array.from({ length: (seed * salt) % 23 }, (_, i) => 'abc'[(i * i * salt + seed * i) % 3]).join('\n');
    const [before, after] = [letters(7), letters(11)];
    const lines = diff(before, after);
    const side = (without: string): string =>
      lines.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('\n');
    expect([side('added'), side('removed')]).toEqual([before, after]);
  }
});

it('finds the unchanged lines at both ends even if computing the shortest diff is too expensive', () => {
  const lines = (name: string): string[] => Array.from({ length: 5000 }, (_, i) => `${name} ${i}`);
  const found = diffLines(['first', ...lines('a'), 'last'], ['first', ...lines('b'), 'last']);
  const count = (kind: string): number => found.filter((line) => line.kind === kind).length;
  expect([count('same'), count('removed'), count('added')]).toEqual([2, 5000, 5000]);
  expect(found.at(-1)).toEqual({ kind: 'same', text: 'last', before: 5002, after: 5002 });
});

it('collapses unchanged lines that are far from any change in a diff', () => {
  const before = Array.from({ length: 20 }, (_, i) => String(i)).join('\n');
  const folded = foldSame(diff(before, before.replace('10', 'ten')), 2);
  expect(folded.map((line) => ('skipped' in line ? line.skipped : line.text))).toEqual([
    8,
    '8',
    '9',
    '10',
    'ten',
    '11',
    '12',
    7,
  ]);
});
