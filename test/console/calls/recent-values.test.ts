import { expect, it } from 'vitest';
import { mostRead, recentValues } from '../../../src/console/calls/recent-values.js';
import type { CallLine } from '../../../src/contract/routes/calls.js';

const line = (path: string, more: Partial<CallLine> = {}): CallLine =>
  ({ type: 'fetch', url: `http://127.0.0.1/v1/integrations/harbor${path}`, ...more }) as CallLine;

it('offers the values that occur, the most common ones first', () => {
  const lines = [line('/a', { status: 404 }), line('/b', { status: 200 }), line('/c', { status: 200 })];
  expect(recentValues('status', lines)).toEqual([
    ['200', 2],
    ['404', 1],
  ]);
  expect(recentValues('host', lines)).toBeUndefined();
});

it('counts every call that the filter would find', () => {
  const lines = [line('/incidents?page=1'), line('/incidents?page=2'), line('/incidents/announce')];
  expect(recentValues('path', lines)).toEqual([
    ['/incidents', 3],
    ['/incidents/announce', 1],
  ]);
  const reasons = ['Too late.', 'Too late (and 2 more)'].map((reason) => line('/', { reason }));
  expect(recentValues('reason', reasons)).toEqual([['Too late', 2]]);
});

it('leaves out the counts if there are calls that were not read', () => {
  const lines = Array.from({ length: mostRead }, () => line('/a'));
  expect(recentValues('path', lines)).toEqual([['/a', undefined]]);
});
