import { expect, test } from 'vitest';
import { failureOf } from '../../../src/emulator/calls/call-failure.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';

const entry = (fields: Partial<CallRecord> = {}): CallRecord =>
  callEntry('call_1', { outcome: 'failed', ...fields });
const thrown = [
  { level: 'error' as const, time: 0, text: '[integrations] Error: Oh\n    at run (src/index.ts:4:3)' },
];
const place = { file: 'src/index.ts', line: 4, column: 3 };

test.each<[string, Partial<CallRecord>, object | undefined]>([
  ['the thrown error', { error: 'Internal server error', logs: thrown }, { message: 'Error: Oh', ...place }],
  [
    'the error that was meant for the caller',
    {
      error: 'Oh',
      logs: [
        {
          level: 'info',
          time: 0,
          text: '[integrations] Responded 400: ExposableError: Oh\n    at run (src/index.ts:4:3)',
        },
        { level: 'error', time: 0, text: 'Error: Unrelated\n    at log (src/log.ts:1:1)' },
      ],
    },
    { message: 'Oh', ...place },
  ],
  ['the error sent to the caller', { error: 'No such page' }, { message: 'No such page' }],
  ['why the call ended', { error: 'It took 10 s', logs: thrown }, { message: 'It took 10 s', ...place }],
  [
    'only the status if nothing else is known',
    { response: { status: 503, headers: [] } },
    { message: 'The script responded with 503.' },
  ],
  ...[
    '[integrations] waitUntil failed Error: Oh',
    'A promise passed to waitUntil was rejected: Error: Oh',
  ].map((text): [string, Partial<CallRecord>, object] => [
    `the work that failed after its response: ${text}`,
    { outcome: 'ok', logs: [{ level: 'error', time: 0, text: `${text}\n    at run (src/index.ts:4:3)` }] },
    { message: 'waitUntil failed: Error: Oh', ...place },
  ]),
  ['undefined for a successful call', { outcome: 'ok', logs: thrown }, undefined],
  ['undefined for code that ran outside calls', { source: 'script', logs: thrown }, undefined],
])('the reason for a failed call is %s', (_, fields, expected) => {
  expect(failureOf(entry(fields))).toEqual(expected);
});

test('shows the source lines that were logged with the error', () => {
  const frame = { firstLine: 3, lines: ['3', '4', '5'] };
  const logs = thrown.map((line) => ({ ...line, frame }));
  expect(failureOf(entry({ logs }))).toEqual({ message: 'Error: Oh', ...place, frame });
});
