import { expect, test } from 'vitest';
import { privateNumbersIn } from '../../src/recordings/record/possible-secrets.js';
import { countPersonalData, recordCalls } from '../../src/recordings/record/record-calls.js';
import type { LoggedCall } from '../../src/emulator/index.js';
import type { ReplayOutcome } from '../../src/sandbox/index.js';
import { environment } from '../sandbox/sample-call.js';
import { integration } from './sample-recording.js';

/** Records a call whose replay ends with the given response. */
const record = (
  logged: Partial<LoggedCall>,
  response: NonNullable<ReplayOutcome['response']>,
): ReturnType<typeof recordCalls> =>
  recordCalls(
    [
      {
        id: 'call_1',
        time: 0,
        event: { type: 'space_view', eventId: 'evt_1', installationId: 'ins_1' } as never,
        environment,
        outbound: [],
        ...logged,
      },
    ],
    {
      project: {
        integration,
        declared: [],
        script: { code: '', map: '' },
        run: (_, { calls }) =>
          Promise.resolve(
            calls.map(() => ({
              outbound: [],
              response,
              logs: [],
              rejected: [],
              unrepeatable: [],
              durationMs: 0,
            })),
          ),
      },
      platformVersion: '0',
      schema: '',
      redact: [],
      keep: [],
      keepHeaders: [],
      withBinary: false,
    },
  );

test('records a redirect to a URL with a masked secret', async () => {
  const to = (state: string): [string, string][] => [['location', `https://login.example/?state=${state}`]];
  const { recording, report } = await record(
    { response: { status: 302, headers: to('•••') } },
    { status: 302, headers: to('example-1'), body: { text: '' } },
  );
  expect(recording.calls[0]?.response?.headers).toEqual(Object.fromEntries(to('example-1')));
  expect(report.changed).toEqual([]);
});

test('counts each email address and IP address once', () => {
  const text =
    'ada@example.com, "ada@example.com", bob+x@mail.example.org 10.0.0.1 10.0.0.1 127.0.0.1 1.2.3.4.5';
  expect(countPersonalData(text)).toEqual({ emails: 2, addresses: 1 });
});

test('counts the personal data in a large body without spaces within a second', { timeout: 1000 }, () => {
  for (const text of [
    'x'.repeat(2_000_000),
    '1.'.repeat(1_000_000),
    'a@'.repeat(1_000_000),
    `a@${'b'.repeat(1_000_000)}`,
  ])
    expect(countPersonalData(text)).toEqual({ emails: 0, addresses: 0 });
});

test.each([
  ['SSN 219-09-9999', ['a social security number']],
  ['DE89 3704 0044 0532 0130 00', ['an IBAN']],
  ['pay with 4242 4242 4242 4242', ['a card number']],
  ['my PIN is 4711', ['a PIN']],
  ['order 1234-56-7890, version 1.2.3, DE00 3704 0044 0532 0130 00, 1764000000000', []],
])('finds personal numbers in %s', (text, kinds) => {
  expect(privateNumbersIn(text)).toEqual(kinds);
});
