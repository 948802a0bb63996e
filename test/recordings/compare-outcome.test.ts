import { expect, test } from 'vitest';
import { compareOutcome, compareWithLog } from '../../src/recordings/compare-outcome.js';
import { positionOfDifference } from '../../src/recordings/position-of-difference.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { recordedEnvironment } from '../../src/recordings/recorded-environment.js';
import type { ReplayOutcome, SentRequest } from '../../src/sandbox/index.js';
import { integration, sampleRecording } from './sample-recording.js';

const [a, b, c] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-5eed-4aaa-8bbb-cccccccccccc`);

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

const answers = (text: string): ReplayOutcome => outcome([], { body: { text } });
const bytes = (base64: string): ReplayOutcome => outcome([], { body: { base64 } });
const headed = (...headers: [string, string][]): ReplayOutcome => outcome([], { headers });
const posts = (text: string): ReplayOutcome => outcome([sent('POST', 'a', { body: { text } })]);
const puts = (path: string): ReplayOutcome => outcome([sent('PUT', path)]);
const cookies = (last: string): ReplayOutcome => headed(['set-cookie', 'a=1'], ['set-cookie', last]);
const parts = (boundary: string, last: string): ReplayOutcome => outcome([multipart(boundary, last)]);

test.each<[what: string, before: ReplayOutcome, after: ReplayOutcome, kinds: string[]]>([
  ['swapped random ids', answers(`${a} ${b} ${a}`), answers(`${a} ${b} ${b}`), ['response']],
  ['a reused random id', puts(`${a}/${b}`), puts(`${a}/${a}`), ['outbound']],
  ['ids after an additional random id', puts(`${a}/${b}`), puts(`${b}/${c}`), []],
  [
    'another order of parameters in a redirect',
    headed(['location', 'https://a.example/?b=1&a=2']),
    headed(['location', 'https://a.example/?a=2&b=1']),
    [],
  ],
  ['another type', post(['content-type', 'a/plain']), post(['content-type', 'a/json']), ['outbound']],
  ['a missing idempotency key', post(['idempotency-key', 'a']), post(), ['outbound']],
  ['another scheme', post(['authorization', 'Bearer a']), post(['authorization', 'Basic a']), ['outbound']],
  ['another signature', post(['x-signature', 'a']), post(['x-signature', 'b']), ['outbound']],
  ['another user agent', post(['user-agent', 'a']), post(['user-agent', 'b']), []],
  ['another cookie', cookies('b=1'), cookies('b=2'), ['response']],
  ['another header of its own', headed(['x-own', 'a']), headed(['x-own', 'b']), ['response']],
  ['other binary bytes', bytes('/wA='), bytes('/wE='), ['response']],
  ['another boundary of a binary body', parts('aaa', 'x'), parts('bbb', 'x'), []],
  ['another part of a binary body', parts('aaa', 'x'), parts('bbb', 'y'), ['outbound']],
  ['no wait before a retry', retry(2000), retry(0), ['outbound']],
  ['a much longer wait before a retry', retry(2000), retry(60_000), ['outbound']],
  ['a slightly longer wait before a retry', retry(2000), retry(2300), []],
  ['another order of query parameters', reads('?a=1&b=2'), reads('?b=2&a=1'), []],
  ['another order of values with the same name', reads('?a=1&a=2'), reads('?a=2&a=1'), ['outbound']],
  ['another order of form fields', posts('a=1&b=2'), posts('b=2&a=1'), []],
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
  ['a masked part', '{"a":"YmVmb3JlIF•••IgYWZ0ZXI="}', '{"a":"YmVmb3JlIFexamplejxwtIgYWZ0ZXI="}', false],
  ['another level of escaping', '{"a":"b\\""}', '{"a":"b\\\\\\""}', false],
  ['a masked secret', '{"a":"x •••"}', '{"a":"x example-1"}', false],
  ['a secret that was masked only in a request', '{"a":"x s3cret"}', '{"a":"x filled-1"}', false],
  ['text around such a secret', '{"a":"x s3cret"}', '{"a":"y filled-1"}', true],
  [
    'another time and id',
    `{"at":1764000000000,"id":"${crypto.randomUUID()}"}`,
    `{"at":1764000001000,"id":"${a}"}`,
    false,
  ],
])('compares a replay with the log: %s', (_, logged, replayed, differs) => {
  const call = { outbound: [], response: { status: 200, body: logged } };
  const replay = outcome([], { body: { text: replayed } });
  expect(compareWithLog(call, toRecorded(replay), ['filled-1']) !== undefined).toBe(differs);
});

test("gives a request to the integration's own URL that URL as the installation's", () => {
  const { stored } = sampleRecording({}).calls[0] ?? { stored: {} };
  const own = 'http://127.0.0.1:4100/v1/integrations/sample';
  const endpointAt = (url: string): string | undefined =>
    recordedEnvironment(
      stored,
      integration,
      {},
      { type: 'fetch', request: { method: 'GET', url, headers: {} } },
    ).installation?.urls.publicEndpoint;
  expect(endpointAt(`${own}/oauth?code=1`)).toBe(own);
  expect(endpointAt(`${own}/installations/ins_1/oauth`)).toBe(`${own}/installations/ins_1`);
  expect(endpointAt('http://127.0.0.1:4100/v1/integrations/sample-2/oauth')).toBe(
    `${own}/installations/ins_1`,
  );
});

const source = `const send = (path, init) =>
  fetch('https://api.example/' + path, init);
export async function create(title) {
  if (!title) return new Response('The title is missing', { status: 422 });
  await send('items', { method: 'PUT', body: JSON.stringify({ text: title, icon: 'star', size: 40, note: "by acme: " + title }), headers: { 'X-Api-Version': 'active' } });
  const image = wide ? (
    <image size="large" />
  ) : undefined;
  // Not found, or gone
  return new Response(title === 'x' ? 'Old' : 'New');
}
const fail = () => { throw new Error('No'); };`;
const at = (line: number): string => `Error\n    at create (src/index.ts:${line}:3)`;
const requestAt = (line: number, url: string, text?: string): ReplayOutcome =>
  outcome([
    sent('PUT', url, { match: 'similar', stack: at(line), ...(text !== undefined && { body: { text } }) }),
  ]);
const requestWith = (line: number, header: [string, string]): ReplayOutcome =>
  outcome([sent('PUT', 'items', { recorded: 0, stack: at(line), headers: [header] })]);
const responseAt = (line: number, status: number, text: string): ReplayOutcome =>
  outcome([], { status, body: { text }, stack: at(line) });

const failedAt = (line: number): ReplayOutcome => ({
  ...outcome([], { status: 500 }),
  logs: [{ level: 'error', text: `TypeError: No\n    at create (src/index.ts:${line}:3)` }],
});

const item = (text: string): ReplayOutcome => requestAt(5, 'items', text);
const none = outcome([]);
const more = (stack: string): ReplayOutcome => outcome([sent('PUT', 'items', { match: 'none', stack })]);

test.each<[what: string, before: ReplayOutcome, after: ReplayOutcome, place?: string]>([
  ['a text', answers('No title'), answers('The title is missing'), 'writes 4'],
  ['a status, where the response was made', responseAt(4, 400, 'a'), responseAt(4, 422, 'a'), 'writes 4'],
  ['a status that is not written', responseAt(10, 201, 'a'), responseAt(10, 200, 'a'), 'at 10'],
  ['another response', responseAt(4, 200, 'a'), responseAt(4, 422, 'The title is missing')],
  ['the name of a field', item('{"label":"a"}'), item('{"text":"a"}'), 'writes 5'],
  ['a number', item('{"size":50}'), item('{"size":40}'), 'writes 5'],
  ['a choice between two texts', responseAt(10, 200, 'Old'), responseAt(10, 200, 'New')],
  [
    'an element that another line chooses',
    responseAt(10, 200, '{}'),
    responseAt(10, 200, '{"size":"large"}'),
  ],
  ['a field that is no longer left out', item('{}'), item('{"icon":""}')],
  [
    'a header',
    requestWith(5, ['x-api-version', 'beta']),
    requestWith(5, ['x-api-version', 'active']),
    'writes 5',
  ],
  [
    "a header's name",
    requestWith(5, ['x-version', 'beta']),
    requestWith(5, ['x-api-version', 'beta']),
    'writes 5',
  ],
  ['a word of the input in another text', item('{"note":"for ins_1"}'), item('{"note":"for acme"}')],
  ['an additional request of another folder', none, more(at(5).replace('src', '../../src'))],
  ['a calculated value', requestAt(5, 'items/1'), requestAt(5, 'items/2')],
  ['an additional request', none, more(at(5)), 'at 5'],
  ['an error of the runtime', none, failedAt(5), 'at 5'],
  ['an error that the script throws', none, failedAt(12)],
  ['a comment', responseAt(10, 200, 'a'), responseAt(10, 200, 'Not found, or gone')],
])('finds the line of %s', (_, before, after, place) => {
  const [call] = sampleRecording({ ...toRecorded(before) }).calls;
  if (!call) throw new Error('The recording is empty.');
  const lines = source.split('\n').map((text, index) => ({ path: 'src/index.ts', line: index + 1, text }));
  const found = compareOutcome(call, after).map((difference) =>
    positionOfDifference({ index: 0, variant: 0, call, outcome: after, differences: [] }, difference, {
      sourceLines: () => lines,
    }),
  );
  expect(found.map((one) => one && `${one.basis} ${one.line}`)).toEqual([place]);
});
