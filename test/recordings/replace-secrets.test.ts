import { expect, test } from 'vitest';
import type { RecordedCall } from '../../src/recordings/file/recording.js';
import { replaceSecrets } from '../../src/recordings/record/replace-secrets.js';
import { sampleRecording } from './sample-recording.js';

const canary = (at: number): string => `bird${at}-Zx9+q/${at * 7919}=`;

/** A call with a secret in each part of a recording, repeated in other encodings. */
function callWithCanaries(): { call: RecordedCall; canaries: string[] } {
  const canaries: string[] = [];
  const next = (): string => {
    const value = canary(canaries.length);
    canaries.push(value);
    return value;
  };
  const named = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, next()]));
  const strong = [
    'access_token',
    'refreshToken',
    'client_secret',
    'password',
    'apiKey',
    'session_id',
    'credentials',
  ];
  const [draft] = sampleRecording({}).calls;
  if (!draft) throw new Error('The sample has a call.');
  const call: RecordedCall = {
    ...draft,
    stored: {
      installation: {
        id: 'ins_1',
        organization: 'acme',
        status: 'active',
        externalIds: [],
        configuration: {
          ...named(strong),
          ...named(['key', 'code', 'license_key']),
          nested: [named(strong)],
        },
      },
    },
    event: {
      type: 'fetch',
      request: {
        method: 'POST',
        url: `https://a.example/x?token=${encodeURIComponent(next())}&code=${encodeURIComponent(next())}`,
        headers: { authorization: `Bearer ${next()}`, 'x-gitlab-token': next(), 'x-api-key': next() },
      },
      state: named(['pin_code', 'passwd', ...strong]),
      action: { action: 'save', ...named(['auth', ...strong]) },
    },
    body: named(strong),
    outbound: [
      {
        send: `POST https://api.example/?api_key=${encodeURIComponent(next())}`,
        body: `client_secret=${encodeURIComponent(next())}&grant_type=x`,
        answer: { status: 200, body: named(strong) },
        ms: 1,
      },
      {
        send: 'GET https://api.example/',
        answer: { status: 200, body: ` ${JSON.stringify(named(strong))}` },
        ms: 1,
      },
    ],
  };
  const again = canaries.flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('hex'),
  ]);
  return { call: { ...call, rejected: again.map((text) => `Failed with ${text}.`) }, canaries };
}

test('removes every secret from a recording, wherever it is and however it is encoded', () => {
  const { call, canaries } = callWithCanaries();
  expect(canaries.length).toBeGreaterThanOrEqual(50);
  const text = JSON.stringify(replaceSecrets([call], []).calls);
  const left = canaries.filter((value) =>
    [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('hex'),
    ].some((spelling) => text.includes(spelling)),
  );
  expect(left).toEqual([]);
  expect(text).not.toContain('bird');
});

test('keeps the values of fields that only sound like secrets', () => {
  const [call] = sampleRecording({
    outbound: [
      {
        send: 'GET https://api.example/issue/ACME-1?token_type=bearer',
        answer: {
          status: 200,
          body: { key: 'ACME-1', code: 'created', token_type: 'bearer', tokens: 'many' },
        },
        ms: 1,
      },
    ],
  }).calls;
  expect(replaceSecrets(call ? [call] : [], []).calls).toEqual([call]);
});

test.each([
  'password: required\nname: Ada',
  'The token expired, so ask for a new one.',
  '<p>Secret</p><a href="https://a.example/?page=2&tokens=400">next</a>',
  JSON.stringify({
    usage: { input_tokens: 12 },
    stop_tokens: ['end of text'],
    session_url: 'https://a.example',
  }),
  'https://user@a.example/?type=token',
])('keeps ordinary text in a recording: %s', (body) => {
  const [call] = sampleRecording({ body, rejected: ['required end of text expired'] }).calls;
  expect(replaceSecrets(call ? [call] : [], []).calls).toEqual([call]);
});

test('searches a long body for secrets in linear time', { timeout: 10_000 }, () => {
  for (const part of [
    'a=b&',
    '?a=',
    'name="x"',
    '<a>',
    'data: {"a":',
    'eyJabcdefgh.',
    '://a:',
    '[[',
    'password: ',
  ])
    expect(
      replaceSecrets(sampleRecording({ body: part.repeat(200_000 / part.length) }).calls, []).calls,
    ).toHaveLength(1);
});

test('replaces the value of a redacted field everywhere', () => {
  const [call] = sampleRecording({
    event: { type: 'x', user: { email: 'ada@example.org' } },
    rejected: ['ada@example.org was not found'],
  }).calls;
  const { calls, places } = replaceSecrets(call ? [call] : [], ['user.email']);
  expect(JSON.stringify(calls)).not.toContain('ada@');
  expect(places).toEqual(['event.user.email']);
});
