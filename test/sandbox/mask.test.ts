import { expect, test } from 'vitest';
import { createMask, secretsOf } from '../../src/sandbox/index.js';
import { environment } from './sample-call.js';

const secret = 'pä55 w+rd/"x"';
const mask = createMask([secret]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['in clear', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
  ['form-encoded', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['in a URL object', new URL(`http://x/?${secret}`).search.slice(1)],
  ['base64', base64(secret)],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['upper hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON in ASCII', 'p\\u00e455 w+rd/\\"x\\"'],
])('%s', (_, form) => {
  const masked = mask(`before ${form} after`);
  expect(masked).toContain('•••');
  expect(masked).not.toContain('55');
  expect(masked.startsWith('before ')).toBe(true);
  expect(masked.endsWith(' after')).toBe(true);
});

test.each(['', 'u', 'us', 'user:', 'client-id:'])('inside longer base64, behind %j', (before) => {
  const core = base64('SECRETVALUE');
  const whole = base64(`${before}SECRETVALUE;more`);
  const masked = createMask(['SECRETVALUE'])(whole);
  expect(masked).toContain('•••');
  expect(masked).not.toContain(core.slice(4, 12));
  // What is left around the mask gives away less than one character on each side.
  const [left = '', right = ''] = masked.split('•••');
  expect(Buffer.from(left, 'base64').toString()).not.toContain('SE');
  expect(right.length).toBeLessThanOrEqual(base64(';more').length + 2);
});

test('the longer of two secrets goes first, and short ones are let be', () => {
  expect(createMask(['abcd', 'abcdef', 'b', ''])('abcdef abcd b')).toBe('••• ••• b');
});

test('text without secrets is left alone', () => {
  expect(mask('nothing to see')).toBe('nothing to see');
});

test('what an environment keeps secret', () => {
  const installed = {
    ...environment,
    installation: {
      id: 'i',
      organization: 'o',
      status: 'active' as const,
      target: 'all' as const,
      space_selection: 'all' as const,
      configuration: { channel: 'open', oauth_credentials: { access_token: 'at', expires_at: 5 } },
      externalIds: [],
      urls: { publicEndpoint: '', publicContentEndpoint: '', app: '' },
    },
  };
  expect(secretsOf(installed)).toEqual(['token-of-integration', 'canary-secret', 'signing-secret', 'at']);
});
