import { expect, test } from 'vitest';
import { compareOutcome, compareWithLog } from '../../src/recordings/compare-outcome.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { recordedEnvironment } from '../../src/recordings/recorded-environment.js';
import type { ReplayOutcome, SentRequest } from '../../src/sandbox/index.js';
import { integration, sampleRecording } from './sample-recording.js';

const ids = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-5eed-4aaa-8bbb-cccccccccccc`);

const sent = (method: string, url: string, more: Partial<SentRequest> = {}): SentRequest => ({
  method,
  url: `https://api.example/${url}`,
  headers: [],
  at: 0,
  answeredAt: 0,
  match: 'same',
  limited: false,
  read: true,
  stack: '',
  ...more,
});

const outcome = (
  outbound: SentRequest[],
  response: Partial<NonNullable<ReplayOutcome['response']>> = {},
): ReplayOutcome => ({
  outbound,
  response: { status: 200, headers: [], body: { text: 'ok' }, ...response },
  logs: [],
  rejected: [],
  unrepeatable: [],
  durationMs: 0,
});

const compare = (before: ReplayOutcome, after: ReplayOutcome, version?: number): string[] => {
  const [call] = sampleRecording(toRecorded(before)).calls;
  return call ? compareOutcome(call, after, version).map(({ kind }) => kind) : [];
};
const post = (...headers: [string, string][]): ReplayOutcome => outcome([sent('POST', 'a', { headers })]);
const retry = (at: number): ReplayOutcome =>
  outcome([sent('POST', 'a'), sent('POST', 'a', { at, answeredAt: at })]);
const multipart = (boundary: string, last: string): SentRequest =>
  sent('POST', 'a', {
    headers: [['content-type', `multipart/form-data; boundary=${boundary}`]],
    body: {
      base64: Buffer.from(`--${boundary}\r\n\r\n\u00ff${last}\r\n--${boundary}--`, 'latin1').toString(
        'base64',
      ),
    },
  });
const reads = (...urls: string[]): ReplayOutcome => outcome(urls.map((url, at) => sent('GET', url, { at })));

test.each<[what: string, before: ReplayOutcome, after: ReplayOutcome, kinds: string[]]>([
  [
    'swapped random ids',
    outcome([], { body: { text: `${ids[0]} ${ids[1]} ${ids[0]}` } }),
    outcome([], { body: { text: `${ids[0]} ${ids[1]} ${ids[1]}` } }),
    ['response'],
  ],
  [
    'a reused random id',
    outcome([sent('PUT', `${ids[0]}/${ids[1]}`)]),
    outcome([sent('PUT', `${ids[0]}/${ids[0]}`)]),
    ['outbound'],
  ],
  [
    'ids after an additional random id',
    outcome([sent('PUT', `${ids[0]}/${ids[1]}`)]),
    outcome([sent('PUT', `${ids[1]}/${ids[2]}`)]),
    [],
  ],
  [
    'another content type',
    post(['content-type', 'text/plain']),
    post(['content-type', 'application/json']),
    ['outbound'],
  ],
  ['a missing idempotency key', post(['idempotency-key', 'a']), post(), ['outbound']],
  [
    'another authorization scheme',
    post(['authorization', 'Bearer a']),
    post(['authorization', 'Basic a']),
    ['outbound'],
  ],
  ['another signature', post(['x-signature', 'a']), post(['x-signature', 'b']), ['outbound']],
  ['another user agent', post(['user-agent', 'a']), post(['user-agent', 'b']), []],
  [
    'another cookie',
    outcome([], {
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=1'],
      ],
    }),
    outcome([], {
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    }),
    ['response'],
  ],
  [
    'another header of its own',
    outcome([], { headers: [['x-own', 'a']] }),
    outcome([], { headers: [['x-own', 'b']] }),
    ['response'],
  ],
  [
    'other binary bytes',
    outcome([], { body: { base64: '/wA=' } }),
    outcome([], { body: { base64: '/wE=' } }),
    ['response'],
  ],
  [
    'another boundary of a binary body',
    outcome([multipart('aaa', 'x')]),
    outcome([multipart('bbb', 'x')]),
    [],
  ],
  [
    'another part of a binary body',
    outcome([multipart('aaa', 'x')]),
    outcome([multipart('bbb', 'y')]),
    ['outbound'],
  ],
  ['no wait before a retry', retry(2000), retry(0), ['outbound']],
  ['a much longer wait before a retry', retry(2000), retry(60_000), ['outbound']],
  ['a slightly longer wait before a retry', retry(2000), retry(2300), []],
  ['another order of query parameters', reads('?a=1&b=2'), reads('?b=2&a=1'), []],
  ['another order of values with the same name', reads('?a=1&a=2'), reads('?a=2&a=1'), ['outbound']],
  [
    'another order of form fields',
    outcome([sent('POST', 'a', { body: { text: 'a=1&b=2' } })]),
    outcome([sent('POST', 'a', { body: { text: 'b=2&a=1' } })]),
    [],
  ],
  ['another order of reads', reads('a', 'b'), reads('b', 'a'), []],
  [
    'a read after a write',
    outcome([sent('GET', 'a'), sent('PUT', 'a')]),
    outcome([sent('PUT', 'a'), sent('GET', 'a')]),
    ['outbound'],
  ],
])('compares %s', (_, before, after, kinds) => {
  expect(compare(before, after)).toEqual(kinds);
});

test('compares only the headers that a recording of version 1 has', () => {
  const after = outcome([sent('POST', 'a', { headers: [['content-type', 'a/b']] })], {
    headers: [['x-own', 'a']],
  });
  expect(compare(outcome([sent('POST', 'a')]), after, 1)).toEqual([]);
  expect(compare(outcome([sent('POST', 'a')]), after)).toEqual(['response', 'outbound']);
});

test.each<[what: string, logged: string, replayed: string, differs: boolean]>([
  ['another text', 'Guten Tag', 'Hello', true],
  ['another number', '{"n":1843200}', '{"n":0}', true],
  ['a masked secret', '{"a":"x •••"}', '{"a":"x example-1"}', false],
  [
    'another time and id',
    `{"at":1764000000000,"id":"${crypto.randomUUID()}"}`,
    `{"at":1764000001000,"id":"${ids[0]}"}`,
    false,
  ],
])('compares a replay with the log: %s', (_, logged, replayed, differs) => {
  const call = { outbound: [], response: { status: 200, body: logged } };
  expect(compareWithLog(call, outcome([], { body: { text: replayed } })) !== undefined).toBe(differs);
});

test("gives a request to the integration's own URL that URL as the installation's", () => {
  const { stored } = sampleRecording({}).calls[0] ?? { stored: {} };
  const own = 'http://127.0.0.1:4100/v1/integrations/sample';
  const endpointAt = (url: string): string | undefined =>
    recordedEnvironment(stored, integration, {}, { type: 'fetch', request: { url } }).installation?.urls
      .publicEndpoint;
  expect(endpointAt(`${own}/oauth?code=1`)).toBe(own);
  expect(endpointAt(`${own}/installations/ins_1/oauth`)).toBe(`${own}/installations/ins_1`);
  expect(endpointAt('http://127.0.0.1:4100/v1/integrations/sample-2/oauth')).toBe(
    `${own}/installations/ins_1`,
  );
});
