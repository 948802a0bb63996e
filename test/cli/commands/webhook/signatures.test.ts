import { createFixture } from 'fs-fixture';
import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { integration } from '../../../emulator/emulator-under-test.js';
import { openSession } from '../../../support/open-session.js';
import { runCli } from '../../../support/run-cli.js';
import { createVirtualClock } from '../../../../src/base/clock.js';

const secret = 'whsec_test_secret_123';
const body = '{"eventId":"evt_1","type":"page.updated"}';
/** From the specification: the signature with this secret at 1700000000. */
const hex = '508411040b443173ae991e7231551ebef469460966ca116ee87690c9db4f5dd0';
const header = `t=1700000000,v1=${hex}`;

const hmac = (text: string, key = secret): string => createHmac('sha256', key).update(text).digest('hex');

const verify = (
  text: string | Uint8Array,
  options: { header?: string; secret?: string; more?: string[] } = {},
) =>
  runCli(
    [
      'webhook',
      'verify',
      '--secret',
      options.secret ?? secret,
      '--header',
      options.header ?? header,
      ...(options.more ?? []),
    ],
    { stdin: text },
  );

test.each([
  [body, hex],
  ['', '07274ae055cd7d65efe3b9933322fdbc88720fe7248408dc43348fa020bbc303'],
  [
    '{"eventId":"evt_2","title":"Привет 🚀"}',
    '8d52c219dbb9c55aa37b47ac61f876df3dbdd0fb859d3bce43f5678a3384986e',
  ],
])('sign prints the signature header for %s', async (text, expected) => {
  const argv = ['webhook', 'sign', '--secret', secret, '--timestamp', '1700000000'];
  expect(await runCli(argv, { stdin: text })).toMatchObject({
    code: 0,
    stdout: `t=1700000000,v1=${expected}\n`,
    stderr: '',
  });
});

test('sign can use the current time, read the body from a file and print JSON', async () => {
  await using folder = await createFixture({ 'body.json': body });
  const argv = ['webhook', 'sign', '--secret', secret, 'body.json', '--format', 'json'];
  const { code, stdout } = await runCli(argv, { cwd: folder.path });
  expect([code, JSON.parse(stdout)]).toEqual([0, { version: 1, header }]);
});

test('sign asks for the body in a terminal if none is given', async () => {
  const { code, stderr } = await runCli(['webhook', 'sign', '--secret', 's'], { terminal: true });
  expect(code).toBe(2);
  expect(stderr).toContain('Pass a file, or pipe the body to standard input.');
});

test.each([
  ['a recorded call', hmac(body), 0, /^valid +.*HMAC of \{body\} with HOOK_SECRET/],
  ['a call with an unknown secret', hmac(body, 'x'), 1, /^invalid +.*doesn't match any known secret/],
  ['a recorded call without a signature', '', 1, /^invalid /],
])('verify checks %s', async (_, value, code, shown) => {
  const session = await openSession(
    { fetch: async () => new Response(null, { status: 401 }) },
    { integration: { ...integration, secrets: { HOOK_SECRET: secret } } },
  );
  onTestFinished(session.close);
  const headers = { 'x-acme-signature': value };
  await (
    await fetch(`${session.origin}/v1/integrations/sample/hook`, { method: 'POST', headers, body })
  ).text();
  await session.emulator.settled();
  const id = session.store.callLog.list({ type: 'fetch', limit: 1 })[0]?.call.id ?? '';
  const { code: ended, stdout } = await session.cli(['webhook', 'verify', id]);
  expect([ended, stdout.replaceAll(/\s+/g, ' ')]).toEqual([code, expect.stringMatching(shown)]);
  expect((await session.cli(['webhook', 'verify', id, '--json'])).json).toMatchObject({ valid: code === 0 });
});

test('verify accepts a valid signature for a body read from standard input, from "-" or from a file', async () => {
  await using folder = await createFixture({ 'body.json': body });
  const said = 'valid  Signed with this secret at 2023-11-14T22:13:20.000Z.\n';
  expect(await verify(body)).toMatchObject({ code: 0, stdout: said, stderr: '' });
  expect(await verify(body, { more: ['-'] })).toMatchObject({ code: 0, stdout: said });
  expect(await verify('', { more: [folder.getPath('body.json')] })).toMatchObject({ code: 0, stdout: said });
});

const changed = /secret is different, or the body was changed/;

test.each<[string, Parameters<typeof verify>, reason: string, RegExp]>([
  ['another body', [body.replace('evt_1', 'evt_2')], 'mismatch', changed],
  ['another secret', [body, { secret: 'whsec_other' }], 'mismatch', changed],
  ['a secret and a space', [body, { secret: `${secret} ` }], 'mismatch', /whitespace around the secret/],
  ['a secret without prefix', [body, { secret: secret.slice(6) }], 'mismatch', /include the prefix "whsec_"/],
  ['a body with a trailing newline', [`${body}\n`], 'mismatch', /Something added the newline/],
  ['a body with a trailing space', [`${body} `], 'mismatch', /Something added spaces or tabs/],
  ['a body with a trailing space and newline', [`${body} \r\n`], 'mismatch', /Something added spaces/],
  ['a body with a byte order mark', [`\uFEFF${body}`], 'mismatch', /byte order mark/],
  ['a reformatted body', [body.replaceAll(',', ', ')], 'mismatch', /raw bytes/],
  ['a named one', [body, { header: `X-Platform-Signature: ${header}` }], 'no-timestamp', /after the colon/],
  ['a header in another format', [body, { header: 'sha256=00' }], 'no-timestamp', /"t="/],
  ['two timestamps', [body, { header: `t=1,${header}` }], 'several-timestamps', /More than one/],
  ['a header with an invalid timestamp', [body, { header: `t=now,v1=${hex}` }], 'bad-timestamp', /12 digits/],
  ['an uppercase signature', [body, { header: `t=1,v1=${hex.toUpperCase()}` }], 'no-signature', /uppercase/],
  ['a space before v1', [body, { header: header.replace(',', ', ') }], 'no-signature', /space before/],
  ['a cut signature', [body, { header: header.slice(0, -32) }], 'no-signature', /but got 32 characters/],
  ['no v1', [body, { header: 't=1700000000' }], 'no-signature', /No part of the header begins with "v1="/],
  ['a header that is too long', [body, { header: `${header},${'v0=1,'.repeat(1000)}` }], 'too-long', /4 KiB/],
])('verify explains why it rejects %s', async (_, [text, options], reason, explanation) => {
  const { code, stdout } = await verify(text, options);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^invalid {2}/);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const { stdout: document, ...rest } = await verify(text, { ...options, more: ['--format', 'json'] });
  expect([rest.code, rest.stderr]).toEqual([1, '']);
  expect(JSON.parse(document)).toEqual({
    version: 1,
    valid: false,
    reason,
    explanation: expect.stringMatching(explanation),
  });
});

test.each([
  [301, 1, /301 s old. The maximum is 300 s/],
  [300, 0, /^valid/],
  [-301, 1, /301 s ahead of this clock/],
])('verify compares the age of a signature (%i s) with the maximum of 300 s', async (age, expected, said) => {
  const now = 1_700_000_000 + age;
  const argv = ['webhook', 'verify', '--secret', secret, '--header', header, '--tolerance', '300'];
  const clock = createVirtualClock(now * 1000);
  const { code, stdout } = await runCli(argv, { stdin: body, clock });
  expect(code).toBe(expected);
  expect(stdout).toMatch(said);
});

test.each([
  ['webhook sign --secret s --timestamp 99999999999999', /Unix time in seconds/, /--help/],
  ['webhook sign --secret s src', /src is a folder\./, /Pass a file/],
  ['webhook verify --secret s', /--header/, /platform webhook verify --secret/],
  ['webhook verify --secret s --header h nosuch.json', /File not found: nosuch\.json\./, /Pass a file/],
  ['webhook verify --secret s --header h --tolerance long', /whole number/, /--help/],
])('rejects the command "%s"', async (line, message, hint) => {
  const { code, stdout, stderr } = await runCli(line.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  const [said, ...next] = stderr.split('\n');
  expect(said).toMatch(message);
  expect(next.join('\n')).toMatch(hint);
});
