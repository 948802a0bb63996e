import { expect, test } from 'vitest';
import type { LoggedCall } from '../../src/emulator/index.js';
import type { Environment } from '../../src/protocol/environment.js';
import type { RecordedCall } from '../../src/recordings/file/recording.js';
import { draftCall } from '../../src/recordings/record/draft-call.js';
import { environment } from '../sandbox/sample-call.js';
import { integration } from './sample-recording.js';

const installation: NonNullable<Environment['installation']> = {
  id: 'ins_1',
  organization: 'acme',
  status: 'active',
  target: 'all',
  space_selection: 'selected',
  configuration: { greeting: 'Hello', color: 'red' },
  externalIds: [],
  urls: { publicEndpoint: '', publicContentEndpoint: '', app: '' },
};

function draft(logged: Partial<LoggedCall>): { call: RecordedCall; leftOut: string[] } {
  const leftOut: string[] = [];
  const call = draftCall(
    {
      id: 'call_1',
      time: 0,
      event: { type: 'space_view', eventId: 'evt_1', installationId: 'ins_1' } as never,
      environment: { ...environment, installation },
      outbound: [],
      ...logged,
    },
    { integration, start: 0, withBinary: false, keepHeaders: [], leftOut: (what) => void leftOut.push(what) },
  );
  return { call, leftOut };
}

const sent: LoggedCall['outbound'][number] = {
  method: 'GET',
  url: 'https://api.example.com/items',
  status: 0,
  durationMs: 12,
  requestBytes: 0,
  responseBytes: 0,
  time: 0,
  request: { headers: [] },
};

/** A body that ends in the middle of a secret. */
const partly: NonNullable<typeof sent.response> = {
  headers: [['content-type', 'application/json']],
  body: { encoding: 'utf-8', content: '{"token":"live-4', cut: true },
};

const configurationOf = (logged: Partial<LoggedCall>): unknown =>
  draft(logged).call.stored.installation?.configuration;

test('keeps a value that is set to its default, and omits a default that the manifest no longer has', () => {
  expect(configurationOf({ defaulted: {} })).toEqual({ greeting: 'Hello', color: 'red' });
  expect(configurationOf({ defaulted: { installation: ['color'] } })).toEqual({ greeting: 'Hello' });
});

test('omits values equal to the default if the log was saved by an older version', () => {
  expect(configurationOf({})).toEqual({ color: 'red' });
});

test.each<[what: string, fields: Partial<typeof sent>, answer: unknown]>([
  [
    'a response whose body the script aborted',
    { status: 200, error: 'Not now', aborted: true, response: partly },
    { status: 200, headers: { 'content-type': 'application/json' }, breaks: { hangs: true } },
  ],
  [
    'a response whose connection was lost',
    { status: 200, error: 'terminated: other side closed', code: 'UND_ERR_SOCKET', response: partly },
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      breaks: { error: 'other side closed', code: 'UND_ERR_SOCKET' },
    },
  ],
  ['an aborted request', { error: 'Not now', aborted: true }, { hangs: true }],
  ['an aborted request of an older version', { error: 'This operation was aborted' }, { hangs: true }],
  [
    'a failed request whose reason mentions an abort',
    { error: 'fetch failed: software caused connection abort', code: 'ECONNABORTED' },
    { error: 'software caused connection abort', code: 'ECONNABORTED' },
  ],
  [
    'a failed request of an older version',
    { error: 'fetch failed: connect ECONNREFUSED 127.0.0.1:9' },
    { error: 'connect ECONNREFUSED 127.0.0.1:9', code: 'ECONNREFUSED' },
  ],
  [
    'a redirected request',
    { status: 200, finalUrl: 'https://api.example.com/all' },
    { status: 200, url: 'https://api.example.com/all' },
  ],
])('records %s', (_, fields, answer) => {
  expect(draft({ outbound: [{ ...sent, ...fields }] }).call.outbound[0]?.answer).toEqual(answer);
});

test('lists which bodies the call log does not contain', () => {
  const { request: _, ...bare } = sent;
  const { leftOut } = draft({
    requestBytes: 5,
    outbound: [
      { ...bare, status: 200 },
      {
        ...sent,
        status: 200,
        response: { headers: [], body: { encoding: 'utf-8', content: '', cut: true } },
      },
    ],
  });
  expect(leftOut).toEqual([
    'the body of space_view, because the log no longer contains it',
    'the headers and bodies of GET https://api.example.com/items, because the log does not contain them',
    'the response to GET https://api.example.com/items, of which only the beginning is in the log',
  ]);
});

test('includes the cause of a setup event in the name of its call', () => {
  const event = { type: 'installation_setup', eventId: 'evt_1', installationId: 'ins_1', status: 'active' };
  const cause = { type: 'setup', change: 'configured' } as const;
  expect(draft({ event: event as never, cause }).call.name).toBe('installation_setup configured');
});

test('keeps the headers that a script may read, and leaves out those of browsers and proxies', () => {
  const kept = {
    'svix-id': 'msg_1',
    'linear-event': 'Issue',
    'linear-delivery': 'd',
    'x-private': 'mine',
    'accept-language': 'de',
    cookie: 'theme=dark',
  };
  const headers = { ...kept, 'user-agent': 'a', 'sec-fetch-mode': 'cors', 'x-forwarded-for': '1.2.3.4' };
  const event = { type: 'fetch', request: { method: 'GET', url: 'http://a.example/', headers } };
  expect(draft({ event: event as never }).call.event['request']).toMatchObject({ headers: kept });
  expect(
    Object.keys((draft({ event: event as never }).call.event['request'] as typeof event.request).headers),
  ).toHaveLength(6);
});

test('replaces the address of the site, which is different in each session', () => {
  const event = { type: 'x', site: 'http://127.83.12.201:45999/a', own: 'http://127.0.0.1:4310/b' };
  expect(draft({ event: event as never }).call.event).toEqual({
    type: 'x',
    site: 'http://127.0.0.1:4102/a',
    own: 'http://127.0.0.1:4310/b',
  });
});

test("replaces the session's addresses, but not longer ones that begin in the same way", () => {
  const { urls } = environment.integration;
  const integration = {
    ...environment.integration,
    urls: { ...urls, publicEndpoint: 'https://a.example/x' },
  };
  const session = { ...environment, apiEndpoint: 'http://127.0.0.1:410/api', integration };
  const others = [
    'http://127.0.0.1:4108/b',
    'https://a.example.org/',
    'https://a.example-b.org',
    'https://a.example:8443',
  ];
  const own = [
    'http://127.0.0.1:410/b',
    'https://a.example',
    'see https://a.example.',
    'https://a.example?b=c@d',
  ];
  const event = { type: 'x', others, own };
  expect(draft({ environment: session, event: event as never }).call.event).toEqual({
    type: 'x',
    others,
    own: [
      'http://127.0.0.1:4100/b',
      'http://127.0.0.1:4100',
      'see http://127.0.0.1:4100.',
      'http://127.0.0.1:4100?b=c@d',
    ],
  });
});
