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

test.each<[what: string, body: (value: string) => string]>([
  ['a form with a line break at the end', (value) => `user=ada&password=${value}\r\n`],
  ['a form that begins with a name without a value', (value) => `remember&password=${value}`],
  ['a form with an empty field', (value) => `a=1&&password=${value}&`],
  ['a form with unusual names', (value) => `$f=1&javax.faces:x=2&password=${value}`],
  ['a form with spaces', (value) => `note=a b&password=${value}`],
  [
    'a query that begins with a name without a value',
    (value) => `https://a.example/x?debug&password=${value}`,
  ],
  ['a query that begins with an unusual name', (value) => `See /x?$select=a&password=${value} now.`],
  ['a query in HTML', (value) => `<a href="/x?a=1&amp;password=${value}">`],
  ['a fragment', (value) => `https://a.example/#/done&access_token=${value}`],
  ['a form with semicolons', (value) => `a=1;password=${value}`],
  ['a connection string', (value) => `Server=a;User Id=ada;Password=${value};`],
  ['JSON after a byte order mark', (value) => `\uFEFF{"password":"${value}"}`],
  ["JSON after )]}'", (value) => `)]}',\n{\n"password": "${value}"\n}`],
  ['JSON after for(;;);', (value) => `for(;;);{"secret":{"value":"${value}"}}`],
  ['JSON after while(1);', (value) => `while(1);[["password","${value}"],{"passwd":"${value}"}]`],
  ['JSON in a call', (value) => `/**/ callback({"password":"${value}"});`],
  ['two JSON values', (value) => `{\n  "a": 1\n}\n{\n  "password": "${value}"\n}`],
  ['incomplete JSON', (value) => `{"a":1,"password":"${value}","b":`],
  ['an .env file', (value) => `# Settings\nDEBUG=1\nexport DB_PASSWORD=${value}\n`],
  ['the first line of an .env file', (value) => `DB_PASSWORD=x & ${value}\r\nDEBUG=1\r\n`],
  ['a quoted value with several lines', (value) => `A=1\nPRIVATE_KEY="first\n${value}"\n`],
  ['a value that looks encoded', (value) => `DB_PASSWORD=${value}+x/Z==`],
  ['an ini file', (value) => `[db]\npassword = ${value} ; of the database\n`],
])('replaces a password without digits in %s', (_, body) => {
  const { calls } = replaceSecrets(sampleRecording({ body: body('tangerine-bird') }).calls, []);
  expect(JSON.stringify(calls)).not.toContain('bird');
});

test.each([
  `POST https://api.telegram.example/bot123456789:AA${'Zx9q41Kw_b-'.repeat(3)}/sendMessage`,
  `POST https://api.example/shpat_${'0a1b2c3d'.repeat(4)}`,
  `POST https://api.example/x/dop_v1_${'0a1b2c3d'.repeat(8)}`,
])('replaces a token that only its format reveals: %s', (send) => {
  const outbound = [{ send, answer: { status: 200, body: `Sent ${send}.` }, ms: 1 }];
  const text = JSON.stringify(replaceSecrets(sampleRecording({ outbound }).calls, []).calls);
  expect(text).not.toMatch(/Zx9q41Kw|0a1b2c3d/);
});

test.each(['ocp-apim-subscription-key', 'x-functions-key', 'fastly-key', 'x-master-key', 'private-token'])(
  'replaces a key in the header %s',
  (name) => {
    const headers = { [name]: 'c0ffee8d4711bird', 'idempotency-key': 'order-4711-12345678901' };
    const event = { type: 'fetch', request: { method: 'GET', url: '/', headers } };
    const text = JSON.stringify(replaceSecrets(sampleRecording({ event }).calls, []).calls);
    expect([text.includes('bird'), text.includes('order-4711')]).toEqual([false, true]);
  },
);

test.each([
  'password: required\nname: Ada',
  'The token expired, so ask for a new one.',
  '<p>Secret</p><a href="https://a.example/?page=2&tokens=400">next</a>',
  JSON.stringify({ usage: { input_tokens: 12 }, stop_tokens: ['end of text'], session_url: 'https://a.eu' }),
  'https://user@a.example/?type=token',
  'for (const token of tokens) { key = token; required = 1; }',
])('keeps ordinary text in a recording: %s', (body) => {
  const [call] = sampleRecording({ body, rejected: ['required end of text expired'] }).calls;
  expect(replaceSecrets(call ? [call] : [], []).calls).toEqual([call]);
});

test('searches a long body for secrets in linear time', () => {
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
    ';a=',
    '&amp;a=b',
    "p='",
    'p="\n',
    '"a":"',
    ")]}'{",
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

// `test/security/recordings.test.ts` has a secret in each format that is searched.
const bird = 'bird7Zx9q41Kw';
const encoded = (text: string): string => Buffer.from(text).toString('base64');

test('keeps the line breaks and the alphabet of base64', () => {
  const plain = JSON.stringify({ padding: '??>>'.repeat(15), token: bird });
  const bodies = [
    encoded(plain).replaceAll(/.{20}/g, '$&\r\n'),
    `${encoded(plain).replace(/.{76}/, '$&\n')}\n`,
    Buffer.from(plain).toString('base64url'),
  ];
  for (const body of bodies) {
    const made = replaceSecrets(sampleRecording({ body }).calls, []).calls[0]?.body as string;
    expect(made).not.toBe(body);
    const shape = (text: string): string => text.replaceAll(/[\w+/-]/g, 'x');
    expect([shape(made), /[-_]/.test(made)]).toEqual([shape(body), /[-_]/.test(body)]);
  }
});

test('keeps the shape of a long secret, and replaces codes that are numbers', () => {
  const body = { api_key: 'Ab1cD2efGhIjKlMn34', pin: 4711, card: { cvv: 831 }, zip: 12345 };
  const { calls, places } = replaceSecrets(sampleRecording({ body }).calls, []);
  const made = calls[0]?.body as typeof body;
  expect(made).toMatchObject({ pin: expect.any(Number), zip: 12345 });
  expect([made.pin, made.card.cvv]).not.toEqual([4711, 831]);
  expect(`${made.pin} ${made.card.cvv}`).toMatch(/^\d{4} \d{3}$/);
  expect(made.api_key).toMatch(
    /^[A-Z][a-z]\d[a-z][A-Z]\d[a-z]{2}[A-Z][a-z][A-Z][a-z][A-Z][a-z][A-Z][a-z]\d\d$/,
  );
  expect(places).toEqual(expect.arrayContaining(['body.pin', 'body.card.cvv']));
});

test('replaces PINs and codes of cards, and keeps credentials in their format', () => {
  const text = `user:${bird}`;
  const body = { pin: '4711', card_cvv: '831', auths: { 'r.example': { auth: encoded(text) } } };
  const headers = { 'x-custom': 'bird7Zx9q41Kwab31', 'x-request-id': 'bird7Zx9q41Kwab31', 'x-mode': 'dark' };
  const [call] = sampleRecording({
    body,
    event: { type: 'fetch', request: { method: 'GET', url: '/', headers } },
  }).calls;
  const { calls, plain } = replaceSecrets(call ? [call] : [], []);
  const made = calls[0]?.body as typeof body;
  expect(made).toMatchObject({
    pin: expect.stringMatching(/^(?!4711)\d{4}$/),
    card_cvv: expect.stringMatching(/^(?!831)\d{3}$/),
  });
  const credentials = Buffer.from(made.auths['r.example'].auth, 'base64').toString();
  expect(credentials).toMatch(new RegExp(`^user:(?!${bird}).{${bird.length}}$`));
  expect(plain).toEqual(['event.request.headers.x-custom']);
});

test('keeps a short, plain value whose field only sounds secret, and reports it', () => {
  const configuration = { key: 'ABC-12', token: 'page', password: 'hunter' };
  const stored = {
    installation: { id: 'i', organization: 'o', status: 'active' as const, externalIds: [], configuration },
  };
  const [call] = sampleRecording({ stored }).calls;
  const { calls, plain } = replaceSecrets(call ? [call] : [], []);
  expect(calls[0]?.stored.installation?.configuration).toMatchObject({ key: 'ABC-12', token: 'page' });
  expect(JSON.stringify(calls)).not.toContain('hunter');
  expect(plain.map((path) => path.split('.').at(-1))).toEqual(['key', 'token']);
});

test('does not replace what --keep names', () => {
  const [call] = sampleRecording({
    body: { access_token: 'bird-4711-abcd' },
    rejected: ['bird-4711-abcd'],
  }).calls;
  expect(replaceSecrets(call ? [call] : [], [], ['access_token']).calls).toEqual([call]);
});

test('keeps the other fields of a form that begins with a secret', () => {
  const body = 'token=gIkuvaNzQIHg97ATvDxqgjtO&command=%2Fdocs&text=hello';
  const [call] = replaceSecrets(sampleRecording({ body }).calls, []).calls;
  expect(call?.body).toMatch(/^token=(?!gI)\w{24}&command=%2Fdocs&text=hello$/);
});

test('keeps the claims of a masked web token readable, and fills in masks even where --keep names them', () => {
  const token = (claims: object, signature: string): string =>
    `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
  const body = { id_token: token({ sub: 'u-1', n: 5 }, '•••'), access_token: '•••' };
  const [call] = replaceSecrets(sampleRecording({ body }).calls, [], ['access_token']).calls;
  expect(call?.body).toMatchObject({ access_token: expect.stringMatching(/^example\w+$/) });
  expect(JSON.stringify(call?.body)).toContain(`"${token({ sub: 'u-1', n: 5 }, 'example')}`);
});

test('gives each secret a value of its own, in the same shape', () => {
  const secrets = Array.from({ length: 200 }, (_, at) => ({ api_key: `Ab-${1000 + at}` }));
  const { calls } = replaceSecrets(sampleRecording({ body: secrets }).calls, []);
  const made = ((calls[0]?.body ?? []) as typeof secrets).map((one) => one.api_key);
  expect(new Set(made).size).toBe(200);
  for (const value of made) expect(value).toMatch(/^[A-Z][a-z]-\d{4}$/);
});

test('gives masked secrets in fields with the same name different values, and the same ones in each call', () => {
  const configuration = { accounts: [{ token: '•••' }, { token: '•••' }], pair: '•••:•••', key: '•••' };
  const answer = { status: 200, body: { token: '•••' } };
  const call = { body: configuration, outbound: [{ send: 'GET https://api.example/', answer, ms: 1 }] };
  const [first, second] = replaceSecrets(sampleRecording(call, call).calls, []).calls;
  expect(first).toEqual(second);
  const made = JSON.stringify(first).match(/example\w+/g);
  expect(new Set(made).size).toBe(6);
});

test('replaces the secrets among cookies only', () => {
  const headers = { cookie: 'theme=dark; sid=a1b2c3d4e5f6; lang=de', 'accept-language': 'de' };
  const [call] = sampleRecording({
    event: { type: 'fetch', request: { method: 'GET', url: '/', headers } },
  }).calls;
  const { calls } = replaceSecrets(call ? [call] : [], []);
  expect(calls[0]?.event['request']).toMatchObject({
    headers: { cookie: expect.stringMatching(/^theme=dark; sid=(?!a1b2)[a-f\d]{12}; lang=de$/) },
  });
});
