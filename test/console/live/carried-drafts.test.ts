import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepCarried, packDrafts, takeCarried } from '../../../src/console/api/carried-drafts.js';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('passes drafts to the next page only once, through the URL fragment', () => {
  const drafts = [
    ['draft edit of a|b|c name', { value: 'half & #name=ü' }],
    ['draft another', false],
  ] as const;
  keepCarried(`#key=abc${packDrafts(drafts)}`);
  expect(takeCarried()).toEqual(drafts);
  expect(takeCarried()).toEqual([]);
});

test.each([
  '#key=abc',
  '#key=abc&drafts=%',
  '#key=abc&drafts=%7B%7D',
  '#key=abc&drafts=nonsense',
  `#key=abc&drafts=${encodeURIComponent('[["theme","dark"],["draft"],7,null]')}`,
])('ignores the URL fragment %s', (fragment) => {
  keepCarried(fragment);
  expect(takeCarried()).toEqual([]);
});

test('leaves the URL fragment unchanged if there are no drafts or the drafts are too long for a URL', () => {
  expect(packDrafts([])).toBe('');
  expect(packDrafts([['draft a', 'x'.repeat(600_000)]])).toBe('');
});
