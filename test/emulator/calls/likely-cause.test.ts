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

const after = (status: number, error?: string) => ({ outbound: outbound(status, error) });
const noKey = 'The secret API_KEY has no value. Set its variable in .env.';
const noChannel =
  'This installation has no value for channel. Set it with: platform config set channel=<value>';
const refused = 'connect ECONNREFUSED';
const plain = 'The port does not use TLS (wrong version number). Is it an http:// URL?';
const page = 'The provider returned no access_token: HTML instead of JSON, with status 200';
const trimmed = failingAt('configuration.channel.trim()');

test.each<
  [what: string, error: string, cause?: string | undefined, call?: Partial<CallRecord>, known?: Declared]
>([
  ['an error that already explains itself', 'Error: No index.', undefined, {}, withoutKey],
  ['a mistake after a failed request', 'ReferenceError: total is not defined', undefined, after(503)],
  ...(
    [
      ['that is checked', ['if (!answer.ok) await retry();', 'total.toFixed();']],
      ['that is caught', ['} catch {}', 'const text = await total.toFixed();']],
      ['that is far away', ['const { total } = order;', 'total.toFixed();']],
    ] as const
  ).map(([where, lines]): [string, string, undefined, Partial<CallRecord>] => [
    `a wrong type after a failed request ${where}`,
    'TypeError: total.toFixed is not a function',
    undefined,
    { ...after(503), ...thrownIn([...lines], 8) },
  ]),
  [
    'a wrong type where the response of a failed request is read',
    'TypeError: items.map is not a function',
    `GET ${url} responded with 503.`,
    { ...after(503), ...thrownIn(['const items = await answer.json();', 'items.map(show);'], 8) },
  ],
  [
    'a missing property on the failing line, after a failed request',
    missing,
    noChannel,
    { ...after(503), ...configured({}), ...thrownIn(['configuration.channel.trim();'], 7) },
  ],
  [
    'an HTML error page',
    html,
    `GET ${url} responded with 503, so its body was probably not JSON.`,
    after(503),
  ],
  ['an HTML page', html, `GET ${url} probably responded with HTML instead of JSON.`, after(200)],
  [
    'a login page instead of a token',
    `OAuthError: ${page}`,
    `GET ${url} responded with an HTML page, so it is probably not the token endpoint. Check accessTokenURL.`,
    after(200),
    withoutKey,
  ],
  ['an empty body', empty, `GET ${url} probably responded with an incomplete or empty body.`, after(200)],
  ['invalid JSON without a request', html],
  ['a rejection without the secret', 'Error: sign-in failed', noKey, after(401), withoutKey],
  ['a rejection', 'Error: sign-in failed', `GET ${url} responded with 401.`, after(401)],
  [
    'a service that cannot be reached',
    'Error: sign-in failed',
    `GET ${url} received no response (${refused}).`,
    after(0, refused),
  ],
  ['an error thrown by fetch', `TypeError: fetch failed (${refused})`, undefined, after(0, refused)],
  [
    'a port that does not use TLS',
    'TypeError: fetch failed (The port does not use TLS)',
    'api.example.com does not use TLS. Change https:// to http:// in the URL.',
    after(0, plain),
  ],
  ['a component that finds no record', 'There is no ticket T-9.', undefined, rendered('counter')],
  ['an undefined secret', missing, noKey, failingAt('const key = secrets.API_KEY.trim();'), withoutKey],
  [
    'an error above the line that reads a secret',
    'Error: No index.',
    undefined,
    thrownIn(["throw new Error('No index.');", 'secrets.API_KEY.trim();'], 7),
    withoutKey,
  ],
  [
    'an error below the line that reads a secret',
    'Error: Not configured.',
    noKey,
    thrownIn(['const key = secrets.API_KEY;', "if (!key) throw new Error('Not configured.');"], 8),
    withoutKey,
  ],
  ['a property without a value', missing, noChannel, { ...configured({}), ...trimmed }],
  ['an error with all values', missing, undefined, { ...configured({ channel: 'a' }), ...trimmed }],
  [
    'an empty value that the failing code does not read',
    missing,
    undefined,
    { ...configured({}), ...failingAt('status.code.trim()') },
    withoutKey,
  ],
  ['an error without an installation', missing],
  ['a misspelling', 'Component counters not found', 'Did you mean counter?', rendered('counters')],
  [
    'an unknown component',
    'Component map not found',
    'The manifest declares these components: counter, weather.',
    rendered('map'),
  ],
  [
    'a component that is only in the manifest',
    'Component weather not found',
    'weather is in the manifest. Add it to components in the script.',
    rendered('weather'),
  ],
  [
    'an API request without its scope',
    missing,
    'GET /v1/spaces needs the scope x. Add the scope to platform-manifest.yaml.',
    {
      ...after(403),
      problems: [{ code: 'missing-scope', severity: 'error', message: 'GET /v1/spaces needs the scope x.' }],
    },
  ],
])('finds the likely cause of %s', (_, error, cause, call = {}, known = declared) => {
  expect(likelyCause(callEntry('call_1', call), error, known)).toBe(cause);
});

test('derives the likely cause only from the line of the error itself', () => {
  const text = `${missing}\n    at fetch (src/index.ts:8:5)`;
  const lines = ['const key = secrets.API_KEY;', 'configuration.channel.trim();'];
  const logs = [{ level: 'error' as const, text, time: 1, frame: { firstLine: 7, lines } }];
  const call = callEntry('call_1', { ...configured({}), logs });
  expect(likelyCause(call, missing, withoutKey)).toContain('no value for channel.');
});
