import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/model/diagnostic.js';
import { sortDiagnostics } from '../../../src/diagnostics/report/sort-diagnostics.js';
import { finding } from '../sample-report.js';

test('sorts problems by file, position, severity, code and message', () => {
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

test.each<[what: string, first: Diagnostic, second: Diagnostic]>([
  ['file', finding('info', '9:9-9:9', 'z', { file: '/a' }), finding('error', '1:1-1:1', 'a', { file: '/b' })],
  ['start line', finding('info', '2:9-9:9', 'z'), finding('error', '10:1-10:1', 'a')],
  ['start column', finding('info', '1:2-9:9', 'z'), finding('error', '1:10-1:11', 'a')],
  ['end line', finding('info', '1:1-2:9', 'z'), finding('error', '1:1-10:1', 'a')],
  ['end column', finding('info', '1:1-1:2', 'z'), finding('error', '1:1-1:10', 'a')],
  [
    'severity, with errors before warnings',
    finding('error', '1:1-1:2', 'z'),
    finding('warning', '1:1-1:2', 'a'),
  ],
  [
    'severity, with warnings before infos',
    finding('warning', '1:1-1:2', 'z'),
    finding('info', '1:1-1:2', 'a'),
  ],
  [
    'code',
    finding('error', '1:1-1:2', 'z', { code: 'a/a' }),
    finding('error', '1:1-1:2', 'a', { code: 'a/b' }),
  ],
  ['message, by code units', finding('error', '1:1-1:2', 'Z'), finding('error', '1:1-1:2', 'a')],
])('sorts problems by %s if all higher-priority criteria are equal', (_, first, second) => {
  expect(sortDiagnostics([second, first])).toEqual([first, second]);
  expect(sortDiagnostics([first, second])).toEqual([first, second]);
});

test('removes duplicate problems', () => {
  const twice = [finding('error', '1:1-1:2', 'same'), finding('error', '1:1-1:2', 'same')];
  expect(sortDiagnostics([...twice, finding('error', '1:1-1:3', 'same')])).toHaveLength(2);
});
