import { expect, test } from 'vitest';
import { sortDiagnostics } from '../../../src/diagnostics/report/sort-diagnostics.js';
import { finding } from '../sample-report.js';

test('sorts by file, place, weight, code and message', () => {
  const ordered = [
    finding('warning', undefined, 'no place', { file: '/a.yaml' }),
    finding('error', '2:1-2:2', 'earlier line', { file: '/a.yaml' }),
    finding('error', '10:1-10:2', 'line ten is behind line two', { file: '/a.yaml' }),
    finding('error', '1:1-1:2', 'heavier'),
    finding('warning', '1:1-1:2', 'lighter'),
    finding('error', '1:3-1:4', 'behind', { code: 'a/a' }),
    finding('error', '1:3-1:4', 'a', { code: 'a/b' }),
    finding('error', '1:3-1:4', 'b', { code: 'a/b' }),
  ];
  expect(sortDiagnostics(ordered.toReversed())).toEqual(ordered);
});

test('says the same thing once', () => {
  const twice = [finding('error', '1:1-1:2', 'same'), finding('error', '1:1-1:2', 'same')];
  expect(sortDiagnostics([...twice, finding('error', '1:1-1:3', 'same')])).toHaveLength(2);
});
