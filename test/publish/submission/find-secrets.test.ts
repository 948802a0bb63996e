import { expect, test } from 'vitest';
import { searchSecrets } from '../../../src/publish/submission/find-secrets.js';

const findSecrets = (text: string, own: Record<string, string>) =>
  [...searchSecrets(text, own)].filter((found) => found !== undefined);

/** Concatenated so that secret scanners do not flag this file. */
const join = (...parts: string[]): string => parts.join('');
const letters =
  'q7RtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkGxJbSuCfL1Az0OqRtYp2LmXv9KsBn4WdHgZc8FjTe3QaUo6Vi5NyPrMhEwDkG';
const capitals = 'QWRTYPLMXVKSBNDHGZCFJ234567AUOVINPE';
const hex = '9f3b7c2e8d1a4056b7e9c3f1a2d4e6b8907f5e3d1c2b4a69788f7e6d5c4b3a29';
const a = (length: number): string => letters.slice(0, length);

test.each([
  ['a private key', join('-----BEGIN ', 'PRIVATE KEY-----\n', a(64), '\n')],
  ['a private key', join('-----BEGIN OPENSSH ', 'PRIVATE KEY-----\\n', a(64))],
  ['an AWS access key', join('AKIA', capitals.slice(0, 16))],
  ['a GitHub token', join('ghp', '_', a(36))],
  ['a GitHub token', join('github', '_pat_', a(22), '_', a(59))],
  ['a GitLab token', join('glpat', '-', a(20))],
  ['a Slack token', join('xoxb', '-294857203948-', a(24))],
  ['a Slack webhook URL', join('https://hooks.slack', '.com/services/T02948572/B03948572/', a(24))],
  ['a Discord webhook URL', join('https://discord', '.com/api/webhooks/394857203948572039/', a(68))],
  ['a Stripe key', join('sk', '_live_', a(24))],
  ['a Stripe key', join('rk', '_live_', a(30))],
  ['a Google API key', join('AIza', a(35))],
  ['a Google OAuth client secret', join('GOCSPX', '-', a(28))],
  ['an OpenAI key', join('sk-', a(20), 'T3Blbk', 'FJ', a(20))],
  ['an OpenAI key', join('sk-proj', '-', a(80))],
  ['an Anthropic key', join('sk-ant', '-api03-', a(93))],
  ['an npm token', join('npm', '_', a(36))],
  ['a PyPI token', join('pypi-AgEIcHlw', 'aS5vcmc', a(60))],
  ['a SendGrid key', join('SG', '.', a(22), '.', a(43))],
  ['a Twilio key', join('SK', hex.slice(0, 32))],
  ['a DigitalOcean token', join('dop', '_v1_', hex)],
  ['a Shopify token', join('shpat', '_', hex.slice(0, 32))],
  ['a Telegram bot token', join('394857203', ':AA', a(33))],
  ['an Azure storage key', join('Account', 'Key=', a(86), '==')],
  ['a Linear key', join('lin', '_api_', a(40))],
  ['a password in a URL', join('postgres://ada:', 'gr8-Secret', '@db.acme.dev/main')],
])('finds %s: %#', (kind, value) => {
  expect(findSecrets(`first\nconst x = "${value}";\n`, {})).toEqual([{ kind, index: 17, more: 0 }]);
});

test.each([
  ['a public key', join('-----BEGIN PUBLIC KEY-----\n', a(64))],
  ['only the header of a private key', join('-----BEGIN ', 'PRIVATE KEY-----')],
  ["the key in AWS's documentation", join('AKIA', 'IOSFODNN7EXAMPLE')],
  ['a word that starts like a key', 'AKIABARA'],
  ['a truncated token', join('ghp', '_', a(20))],
  ['a token masked with x characters', join('ghp', '_', 'x'.repeat(36))],
  ['a token that repeats one letter', join('npm', '_', 'a'.repeat(36))],
  ['a Stripe test key', join('sk', '_test_', a(24))],
  ['a shortened Stripe key in a sentence', 'a key such as sk_live_...'],
  ['a publishable Stripe key', join('pk', '_live_', a(24))],
  ['a Slack channel', 'xoxb-general'],
  ['an incomplete Slack webhook URL', 'https://hooks.slack.com/services/'],
  ['a UUID', '550e8400-e29b-41d4-a716-446655440000'],
  ['a SHA-256', hex],
  ['a base64-encoded image', `data:image/png;base64,iVBORw0KGgo${a(100)}`],
  ['an uppercase name', 'SKIPPED_ELEMENTS_OF_THE_COLLECTION_X'],
  ['a placeholder password', 'postgres://user:password_example@localhost/db'],
  ['a password read from a variable', 'postgres://ada:${password}@db.acme.dev/main'],
  ['a URL with a port', 'https://docs.acme.dev:8443/path@2x.png'],
  ['a URL with a user but no password', 'ssh://git@code.acme.dev/acme/weather.git'],
  ['a time of day', '12345678:AM is a time of day'],
  ['a package import', "import SG from 'SG.js';"],
  ['a redacted key', 'AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'],
])('does not report %s as a secret', (_, text) => {
  expect(findSecrets(text, {})).toEqual([]);
});

test("finds an integration's own secrets by their values if the values are long enough", () => {
  const own = { CLIENT_SECRET: 'very-own-value', SHORT: 'on' };
  expect(findSecrets('turn it on\n\n"very-own-value"', own)).toEqual([
    { kind: 'the value of the secret CLIENT_SECRET', index: 13, more: 0 },
  ]);
});

test('counts each secret in a long text once, and pauses regularly during the search', () => {
  const key = join('npm', '_', a(36));
  const lines = `${key}\n`.repeat(40_000);
  expect(findSecrets(`${lines}very-own-value, very-own-value`, { OWN: 'very-own-value' })).toEqual([
    { kind: 'an npm token', index: 0, more: 39_999 },
    { kind: 'the value of the secret OWN', index: lines.length, more: 1 },
  ]);
  const steps = [...searchSecrets(lines, {})].filter((found) => found === undefined);
  expect(steps.length).toBeGreaterThan(50);
});
