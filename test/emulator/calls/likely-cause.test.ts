import { expect, test } from 'vitest';
import { likelyCause, type Declared } from '../../../src/emulator/calls/likely-cause.js';
import { sampleEvent } from '../../../src/protocol/sample-events.js';
import type { Environment } from '../../../src/protocol/environment.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';

const url = 'https://api.example.com/a';
const outbound = (status: number, error?: string) => [
  {
    method: 'GET',
    url,
    status,
    durationMs: 1,
    requestBytes: 0,
    responseBytes: 0,
    time: 1,
    ...(error && { error }),
  },
];
const configured = (configuration: object): Partial<CallRecord> => ({
  environment: { installation: { configuration } } as unknown as Environment,
});
const missing = "TypeError: Cannot read properties of undefined (reading 'trim')";
const failingAt = (line: string): Partial<CallRecord> => ({
  logs: [{ level: 'error', text: missing, time: 1, frame: { firstLine: 7, lines: [line] } }],
});
/** A call whose error was thrown at a line of this code, whose first line is line 7. */
const thrownIn = (lines: string[], line: number): Partial<CallRecord> => ({
  logs: [
    {
      level: 'error',
      text: `Error\n    at fetch (src/index.ts:${line}:1)`,
      time: 1,
      frame: { firstLine: 7, lines },
    },
  ],
});
const html = `SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON`;
const empty = 'SyntaxError: Unexpected end of JSON input';
const block = (id: string) => ({ id, title: id, urlUnfurl: [] });
const rendered = (componentId: string): Partial<CallRecord> => ({
  event: { ...sampleEvent('ui_render'), componentId },
});
const declared: Declared = {
  blocks: [block('counter'), block('weather')],
  configurations: {
    account: {
      properties: {
        connect: { type: 'button', button_text: 'Connect', callback_url: '/oauth' },
        language: { type: 'string', default: 'en' },
        channel: { type: 'string' },
      },
      required: [],
    },
  },
};
const withoutKey = { ...declared, unsetSecrets: ['API_KEY'] };

test.each<[string, Partial<CallRecord>, string, Declared, string | undefined]>([
  ['an error that already explains itself', {}, 'Error: No index.', withoutKey, undefined],
  [
    'a mistake in the code after a failed request',
    { outbound: outbound(503) },
    'ReferenceError: total is not defined',
    declared,
    undefined,
  ],
  ...(
    [
      ['after a failed request that is checked', ['if (!answer.ok) await retry();', 'total.toFixed();'], 8],
      ['after a failed request that is caught', ['} catch {}', 'const text = await total.toFixed();'], 8],
      ['far from the failed request', ['const { total } = order;', 'total.toFixed();'], 8],
    ] as const
  ).map(([where, lines, line]): [string, Partial<CallRecord>, string, Declared, undefined] => [
    `a wrong type ${where}`,
    { outbound: outbound(503), ...thrownIn([...lines], line) },
    'TypeError: total.toFixed is not a function',
    declared,
    undefined,
  ]),
  [
    'a wrong type where the response of a failed request is read',
    { outbound: outbound(503), ...thrownIn(['const items = await answer.json();', 'items.map(show);'], 8) },
    'TypeError: items.map is not a function',
    declared,
    `GET ${url} responded with 503.`,
  ],
  [
    'a missing property on the failing line, after a failed request',
    { outbound: outbound(503), ...configured({}), ...thrownIn(['configuration.channel.trim();'], 7) },
    missing,
    declared,
    'This installation has no value for channel. Set it with: platform config set channel=<value>',
  ],
  [
    'HTML in a response with an error status',
    { outbound: outbound(503) },
    html,
    declared,
    `GET ${url} responded with 503, so its body was probably not JSON.`,
  ],
  [
    'HTML in a successful response',
    { outbound: outbound(200) },
    html,
    declared,
    `GET ${url} probably responded with HTML instead of JSON.`,
  ],
  [
    'a login page instead of a token',
    { outbound: outbound(200) },
    'OAuthError: The provider returned no access_token: HTML instead of JSON, with status 200',
    withoutKey,
    `GET ${url} responded with an HTML page, so it is probably not the token endpoint. Check accessTokenURL.`,
  ],
  [
    'an empty body',
    { outbound: outbound(200) },
    empty,
    declared,
    `GET ${url} probably responded with an incomplete or empty body.`,
  ],
  ['invalid JSON without a request', {}, html, declared, undefined],
  [
    'a service that rejects the request, without the secret',
    { outbound: outbound(401) },
    'Error: sign-in failed',
    withoutKey,
    'The secret API_KEY has no value. Set its variable in .env.',
  ],
  [
    'a service that rejects the request, with all secrets',
    { outbound: outbound(401) },
    'Error: sign-in failed',
    declared,
    `GET ${url} responded with 401.`,
  ],
  [
    'a service that cannot be reached',
    { outbound: outbound(0, 'connect ECONNREFUSED') },
    'Error: sign-in failed',
    declared,
    `GET ${url} received no response (connect ECONNREFUSED).`,
  ],
  [
    'an error thrown by fetch',
    { outbound: outbound(0, 'connect ECONNREFUSED') },
    'TypeError: fetch failed (connect ECONNREFUSED)',
    declared,
    undefined,
  ],
  [
    'a port that does not use TLS',
    { outbound: outbound(0, 'The port does not use TLS (wrong version number). Is it an http:// URL?') },
    'TypeError: fetch failed (The port does not use TLS)',
    declared,
    'api.example.com does not use TLS. Change https:// to http:// in the URL.',
  ],
  ['a component that finds no record', rendered('counter'), 'There is no ticket T-9.', declared, undefined],
  [
    'a secret that is undefined',
    failingAt('const key = secrets.API_KEY.trim();'),
    missing,
    withoutKey,
    'The secret API_KEY has no value. Set its variable in .env.',
  ],
  [
    'an error above the line that reads a secret',
    thrownIn(["throw new Error('No index.');", 'secrets.API_KEY.trim();'], 7),
    'Error: No index.',
    withoutKey,
    undefined,
  ],
  [
    'an error below the line that reads a secret',
    thrownIn(['const key = secrets.API_KEY;', "if (!key) throw new Error('Not configured.');"], 8),
    'Error: Not configured.',
    withoutKey,
    'The secret API_KEY has no value. Set its variable in .env.',
  ],
  [
    'a property without a value',
    { ...configured({}), ...failingAt('configuration.channel.trim()') },
    missing,
    declared,
    'This installation has no value for channel. Set it with: platform config set channel=<value>',
  ],
  [
    'an error although all properties have a value',
    { ...configured({ channel: 'a' }), ...failingAt('configuration.channel.trim()') },
    missing,
    declared,
    undefined,
  ],
  [
    'an empty value that the failing code does not read',
    { ...configured({}), ...failingAt('status.code.trim()') },
    missing,
    withoutKey,
    undefined,
  ],
  ['an error without an installation', {}, missing, declared, undefined],
  ['a misspelling', rendered('counters'), 'Component counters not found', declared, 'Did you mean counter?'],
  [
    'an unknown component',
    rendered('map'),
    'Component map not found',
    declared,
    'The manifest declares these components: counter, weather.',
  ],
  [
    'a component that is only in the manifest',
    rendered('weather'),
    'Component weather not found',
    declared,
    'weather is in the manifest. Add it to components in the script.',
  ],
  [
    'an API request without its scope',
    {
      outbound: outbound(403),
      problems: [{ code: 'missing-scope', severity: 'error', message: 'GET /v1/spaces needs the scope x.' }],
    },
    missing,
    declared,
    'GET /v1/spaces needs the scope x. Add the scope to platform-manifest.yaml.',
  ],
])('finds the likely cause of %s', (_, call, error, known, cause) => {
  expect(likelyCause(callEntry('call_1', call), error, known)).toBe(cause);
});

test('derives the likely cause only from the line of the error itself', () => {
  const text = `${missing}\n    at fetch (src/index.ts:8:5)`;
  const lines = ['const key = secrets.API_KEY;', 'configuration.channel.trim();'];
  const logs = [{ level: 'error' as const, text, time: 1, frame: { firstLine: 7, lines } }];
  const call = callEntry('call_1', { ...configured({}), logs });
  expect(likelyCause(call, missing, withoutKey)).toContain('no value for channel.');
});
