import { expect, it } from 'vitest';
import { collapseRuns } from '../../../src/console/calls/collapse-runs.js';
import type { CallLine } from '../../../src/contract/routes/calls.js';

const line = (id: string, more: Partial<CallLine> = {}): CallLine =>
  ({ id, type: 'fetch', severity: 'error', reason: 'Order 7 is closed.', ...more }) as CallLine;

const collapse = (lines: CallLine[], open: string[] = [], selected?: string): string[] =>
  collapseRuns(lines, (key) => open.includes(key), selected).map(({ id, run }) =>
    run ? `${id} ${run.calls}${run.open ? ' open' : ''}` : id,
  );

it('combines equal failures in a row, whatever their queries and the ids in their reasons', () => {
  const lines = [
    line('d', { url: 'http://a/b?n=1' }),
    line('c', { url: 'http://a/b?n=2', reason: 'Order 8 is closed.' }),
    line('b', { version: 2 }),
    line('a'),
  ];
  expect(collapse(lines)).toEqual(['d 2', 'b', 'a']);
  const fine = [line('b', { severity: 'none' }), line('a', { severity: 'none' })];
  expect(collapse(fine)).toEqual(['b', 'a']);
});

it('shows every call of a run that is open, or that contains the selected call', () => {
  const lines = [line('c'), line('b'), line('a')];
  expect(collapse(lines, ['a'])).toEqual(['c 3 open', 'b', 'a']);
  expect(collapse(lines, [], 'b')).toEqual(['c 3 open', 'b', 'a']);
  expect(collapse(lines, [], 'c')).toEqual(['c 3']);
});
