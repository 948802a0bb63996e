import { expect, it } from 'vitest';
import { suggestFilters } from '../../../src/console/calls/suggest-filters.js';
import type { CallLine } from '../../../src/contract/routes/calls.js';

const lines = ['fetch', 'fetch', 'task'].map((type) => ({ type, severity: 'none' }) as CallLine);
const suggest = (typed: string): string[] => suggestFilters(typed, lines).map(({ text }) => text);

it.each([
  ['', []],
  ['sta', ['status:']],
  ['status:5xx -ty', ['status:5xx -type:']],
  ['fai', ['failed ']],
  ['type:', ['type:fetch ', 'type:task ']],
  ['type:TA', ['type:task ']],
  ['source:', ['source:request ', 'source:event ', 'source:script ']],
  ['nothing:x', []],
])('suggests for %j: %j', (typed, texts) => {
  expect(suggest(typed)).toEqual(texts);
});

it('counts the calls that a value occurs in', () => {
  expect(suggestFilters('type:f', lines)[0]).toMatchObject({ label: 'fetch', note: '2 calls' });
});
