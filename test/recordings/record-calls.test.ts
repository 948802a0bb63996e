import { expect, test } from 'vitest';
import { differsFromLog } from '../../src/recordings/record/describe-recorded.js';
import { privateNumbersIn } from '../../src/recordings/record/possible-secrets.js';
import { countPersonalData, recordCalls } from '../../src/recordings/record/record-calls.js';
import type { Recording } from '../../src/recordings/file/recording.js';
import type { LoggedCall } from '../../src/emulator/index.js';
import type { ReplayCall, ReplayOutcome } from '../../src/sandbox/index.js';
import { environment } from '../sandbox/sample-call.js';
import { integration } from './sample-recording.js';

const sent = {
  headers: [] as [string, string][],
  at: 0,
  answeredAt: 0,
  match: 'same',
  limited: false,
  read: true,
  stack: '',
} as const;
type Response = NonNullable<ReplayOutcome['response']>;

const record = (
  logged: Partial<LoggedCall>,
  response: Response | ((call: ReplayCall) => Response),
  former?: Recording,
  more: Partial<ReplayOutcome> = {},
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
            calls.map((call) => ({
              outbound: call.outbound.map(({ method, url }, recorded) => ({
                ...sent,
                method,
                url,
                recorded,
              })),
              response: typeof response === 'function' ? response(call) : response,
              logs: [],
              rejected: [],
              unrepeatable: [],
              durationMs: 0,
              ...more,
            })),
          ),
      },
      former,
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

test('keeps the headers of the connection if the script passes them on', async () => {
  const headers: [string, string][] = [
    ['connection', 'keep-alive'],
    ['content-type', 'text/plain'],
  ];
  const answered = { method: 'GET', url: 'https://api.example/', status: 200, response: { headers } };
  const outbound = [{ ...answered, time: 0, durationMs: 1, requestBytes: 0, request: { headers: [] } }];
  const responseBody = Buffer.from(JSON.stringify(headers));
  const { recording, report } = await record(
    { outbound: outbound as never, response: { status: 200 }, responseBody },
    ({ outbound: [request] }) => ({
      status: 200,
      headers: [],
      body: { text: JSON.stringify((request?.answer as { headers: unknown } | undefined)?.headers) },
    }),
  );
  expect(report.changed).toEqual([]);
  expect(recording.calls[0]?.response?.body).toEqual(headers);
});

test('records a call whose response contains random values, but not one that differs in another way', async () => {
  const response = { status: 200, headers: [] };
  const roll = ({ seed }: ReplayCall) => ({ ...response, body: { text: `dice: ${seed}\nname: a` } });
  const logged = (text: string) => ({ response: { status: 200 }, responseBody: Buffer.from(text) });
  expect((await record(logged('dice: 7\nname: a'), roll)).report.changed).toEqual([]);
  expect((await record(logged('dice: 7\nname: b'), roll)).report.changed).toMatchObject([
    { before: 'name: b', after: 'name: a' },
  ]);
});

test('explains that a value was encrypted with a secret that was replaced', async () => {
  const saved = await record(
    { response: { status: 302 } },
    { status: 400, headers: [], body: { text: '' } },
    undefined,
    { decryptFailed: true },
  );
  expect(saved.report.changed[0]?.why).toContain('encrypted');
  expect(differsFromLog(saved).hint).toContain('createTestPlatform');
});

test('keeps the former times if only the times of a call have changed', async () => {
  const request = { method: 'GET', url: 'https://api.example/', status: 200, requestBytes: 0, request: {} };
  const viewAt = (time: number) =>
    ({
      type: 'site_view',
      eventId: `evt_1k8j8f1952o${time}`,
      visitor: { anonymousId: `vis_1k8j8f1952o${time}` },
    }) as never;
  const recordAt = (time: number, durationMs: number, former?: Recording, status = 200) =>
    record(
      {
        time,
        event: viewAt(time),
        outbound: [{ ...request, status, time, durationMs }] as never,
        response: { status: 200 },
      },
      { status: 200, headers: [], body: { text: '' } },
      former,
    );
  const { recording: first } = await recordAt(0, 1);
  expect((await recordAt(5000, 70, first)).recording).toEqual(first);
  expect((await recordAt(5000, 70, first, 201)).recording.at).toBe('1970-01-01T00:00:05.000Z');
});

test('counts each email address and IP address once', () => {
  const text =
    'ada@example.com, "ada@example.com", bob+x@mail.example.org 10.0.0.1 10.0.0.1 127.0.0.1 1.2.3.4.5';
  expect(countPersonalData(text)).toEqual({ emails: 2, addresses: 1 });
});

test('counts the personal data in a large body without spaces in linear time', () => {
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
